package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertRefused;
import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilterView;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ForeignParameters;
import io.bloomery.interop.ItemEncoding;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.LongCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** Filters that Redisson itself makes are read as it answers. */
class RedissonExportTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);
  private final RedisLink link = JEDIS.shared(RedisServer.Release.SEVEN);
  private static final Path GOLDEN = Path.of("../../interop/src/test/resources/golden/redisson");
  private static final int PROBES = 10_000;

  private static RedissonClient redisson;

  @BeforeAll
  static void connectRedisson() {
    Config config = new Config();
    config.useSingleServer().setAddress(SERVER.uri());
    redisson = Redisson.create(config);
  }

  @AfterAll
  static void closeIt() {
    redisson.shutdown();
  }

  @SuppressWarnings("ImmutableEnumChecker") // codecs have no state
  private enum Codec {
    STRING("StringCodec", "string", new StringCodec()) {
      @Override
      Object key(boolean member, int i) {
        return (member ? "key-" : "absent-") + i;
      }
    },
    LONG("LongCodec", "long", LongCodec.INSTANCE) {
      @Override
      Object key(boolean member, int i) {
        return member ? (long) i : 1_000_000L + i;
      }
    },
    BYTES("ByteArrayCodec", "bytes-utf8", ByteArrayCodec.INSTANCE) {
      @Override
      Object key(boolean member, int i) {
        return ((String) STRING.key(member, i)).getBytes(StandardCharsets.UTF_8);
      }
    };

    private final String className;
    private final String kind;
    private final org.redisson.client.codec.Codec theirs;

    Codec(String className, String kind, org.redisson.client.codec.Codec theirs) {
      this.className = className;
      this.kind = kind;
      this.theirs = theirs;
    }

    /** Returns a member or an absent key, as KEYS.md beside the golden files has them. */
    abstract Object key(boolean member, int i);

    RBloomFilter<Object> filter(String name, long keys, double rate) {
      RBloomFilter<Object> filter = redisson.getBloomFilter(name, theirs);
      filter.tryInit(keys, rate);
      return filter;
    }

    List<Object> keys(boolean member, int count) {
      List<Object> keys = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        keys.add(key(member, i));
      }
      return keys;
    }
  }

  private static byte[] exported(RedisLink link, String name) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    RedissonExport.write(link, name, bytes);
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void drawnFiltersAnswerAsRedissonDoes(Servers.Client client) throws IOException {
    Random draw = Servers.draw();
    RedisLink link = client.shared(RedisServer.Release.SEVEN);
    for (int round = 0; round < 12; round++) {
      Codec codec = Codec.values()[round % 3];
      int keys = 1 + draw.nextInt(1 << draw.nextInt(12));
      double rate = Math.pow(10, -4 * draw.nextDouble()) * 0.5;
      String name = (round % 2 == 0 ? "drawn-" : "{drawn}-\u00e9-") + client + round;
      RBloomFilter<Object> theirs = codec.filter(name, keys, rate);
      List<Object> members = longer(codec.keys(true, keys));
      theirs.add(members);
      byte[] bytes = exported(link, name);
      ForeignFilter ours = ForeignFormat.REDISSON.read(bytes);
      BloomFilterView<Object> view = ours.view(ItemEncoding.redissonCodec(codec.className));
      assertEquals(keys, view.select(members).size(), name);
      List<Object> absent = longer(codec.keys(false, 500));
      assertEquals(theirs.exists(absent).size(), view.select(absent).size(), name);
      // As it would be made here.
      ForeignFilter again = ForeignFormat.REDISSON.create(ForeignParameters.expect(keys, rate));
      again.putAll(members, ItemEncoding.redissonCodec(codec.className));
      assertArrayEquals(bytes, again.toBytes(), name);
    }
  }

  /** Makes keys of 0 to 149 letters more, since the hash takes the rest of 32 bytes otherwise. */
  private static List<Object> longer(List<Object> keys) {
    List<Object> longer = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      String more = "\u00e9".repeat(i % 150);
      longer.add(
          keys.get(i) instanceof String text
              ? text.substring(Math.min(text.length(), i % 7)) + more
              : keys.get(i) instanceof byte[]
                  ? more.getBytes(StandardCharsets.UTF_8)
                  : keys.get(i));
    }
    return longer;
  }

  @Test
  void whatIsNoFilterOfRedissonIsRefused() {
    assertRefused(link, "nobody", "'nobody' is not there: Redis key {nobody}:config is missing");
    Codec.STRING.filter("nothing", 100, 0.01);
    assertRefused(link, "nothing", "nothing was added to it, or Redis key nothing was");
    Codec.STRING.filter("damaged", 100, 0.01).add("a");
    SERVER.command("HSET", "{damaged}:config", "size", "0");
    assertRefused(link, "damaged", "must have a size from 1 to 4294967294");
    SERVER.command("HDEL", "{damaged}:config", "size");
    assertRefused(link, "damaged", "must have a field 'size'");
    SERVER.command("SET", "{text}:config", "text");
    assertRefused(link, "text", "WRONGTYPE");
    Codec.STRING.filter("list", 100, 0.01);
    SERVER.command("LPUSH", "list", "text");
    assertRefused(link, "list", "WRONGTYPE");
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> ItemEncoding.redissonCodec("Kryo5Codec"))
            .getMessage()
            .contains("but is Kryo5Codec"));
  }

  private static void assertRefused(RedisLink link, String name, String part) {
    assertUnavailable(part, () -> exported(link, name));
  }

  @Test
  void thePageReadsAFilterOfRedisson() throws IOException {
    Codec.STRING.filter("users", 100, 0.0001).add("ada");
    assertEquals(List.of("ada"), Snippets.redisson(link).select(List.<Object>of("ada", "bob")));
  }

  /** The files that tests of bloomery-interop read. */
  @Test
  void goldenFilesAreWhatRedissonMakes() throws IOException {
    List<String> entries = new ArrayList<>();
    for (Codec codec : Codec.values()) {
      for (int keys : new int[] {1, 100, 1000}) {
        double rate = keys == 1 ? 0.3 : keys == 100 ? 0.03 : 0.001;
        String file = codec.kind + "-n" + keys;
        RBloomFilter<Object> filter = codec.filter("golden-" + file, keys, rate);
        filter.add(codec.keys(true, keys));
        byte[] bytes = exported(link, "golden-" + file);
        if (Boolean.getBoolean("bloomery.record")) {
          Files.createDirectories(GOLDEN);
          Files.write(GOLDEN.resolve(file), bytes);
          entries.add(entry(codec, file, keys, rate, filter));
        }
        assertArrayEquals(Files.readAllBytes(GOLDEN.resolve(file)), bytes, file);
      }
    }
    if (!entries.isEmpty()) {
      Files.writeString(
          GOLDEN.resolve("manifest.json"),
          "{\n\"peer\": \"redisson 4.7.0\",\n\"files\": [\n"
              + String.join(",\n", entries)
              + "\n]}\n");
    }
  }

  private static String entry(
      Codec codec, String file, int keys, double rate, RBloomFilter<Object> filter) {
    int probes = keys == 1 ? 500 : PROBES;
    StringJoiner positives = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < probes; i++) {
      if (filter.contains(codec.key(false, i))) {
        positives.add(Integer.toString(i));
      }
    }
    return "{\"file\": \"%s\", \"params\": {\"expected\": %d, \"rate\": %s}, \"key\": {\"kind\": \"%s\", \"count\": %d}, \"probe\": {\"kind\": \"%s\", \"count\": %d, \"positives\": %s}}"
        .formatted(file, keys, rate, codec.kind, keys, codec.kind, probes, positives);
  }
}
