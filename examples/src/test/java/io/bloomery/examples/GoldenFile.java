package io.bloomery.examples;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A filter whose bytes stay the same for ever, and what it answers: keys 0 to {@code put - 1} of
 * its kind are put, once, or in a filter that counts once more than i mod 12, where every fifth is
 * then removed once; and it is asked for them and as many others.
 */
record GoldenFile(
    String name,
    String variant,
    String hashId,
    long expected,
    double rate,
    int put,
    Map<String, String> attributes) {

  static final int VERSION = 1;

  private static final String UTF8 = "xxh3-64/utf8";

  private GoldenFile(
      String name, String variant, String hashId, long expected, double rate, int put) {
    this(name, variant, hashId, expected, rate, put, Map.of());
  }

  static List<GoldenFile> all() {
    return List.of(
        new GoldenFile("standard", "standard", UTF8, 300, 0.01, 300),
        new GoldenFile("standard-empty", "standard", UTF8, 1, 0.5, 0),
        new GoldenFile("standard-strict", "standard", "xxh3-64/bytes", 100, 1e-9, 100),
        new GoldenFile("standard-seed", "standard", "xxh3-64/utf8/seed=-42", 50, 0.03, 50),
        new GoldenFile(
            "standard-attributes",
            "standard",
            UTF8,
            20,
            0.01,
            20,
            Map.of("made-by", "caf\u00e9 \ud83d\ude00", "empty", "", "a", "x".repeat(900))),
        new GoldenFile(
            "scalable-attributes",
            "scalable",
            "xxh3-64/bytes",
            10,
            0.01,
            15,
            Map.of("bloomery.key-form", "hex")),
        new GoldenFile("standard-raw", "standard", "raw", 200, 0.01, 200),
        // The content has more than one checksum: a MiB of mostly zeros, which git stores as a few
        // KB.
        new GoldenFile("standard-two-mebibytes", "standard", UTF8, 900_000, 0.01, 20),
        new GoldenFile("partitioned", "partitioned", "splitmix64/i64", 300, 0.01, 300),
        new GoldenFile("partitioned-strict", "partitioned", "xxh3-64/uuid", 40, 1e-5, 40),
        new GoldenFile("split-block-two-words", "split-block", UTF8, 300, 0.01, 300),
        new GoldenFile("split-block-four-words", "split-block", UTF8, 300, 0.001, 300),
        new GoldenFile("split-block-seed", "split-block", "xxh3-64/i64/seed=7", 300, 0.05, 300),
        new GoldenFile("counting", "counting", UTF8, 150, 0.01, 150),
        // Of few enough keys for blocks that are not spilled, in each number of bits for counts.
        new GoldenFile("counting-two", "counting", UTF8, 400, 0.3, 80),
        new GoldenFile("counting-two-short", "counting", UTF8, 300, 0.05, 60),
        new GoldenFile("counting-six", "counting", "xxh3-64/bytes", 150, 0.001, 60),
        new GoldenFile("counting-eight", "counting", "xxh3-64/uuid", 60, 1e-5, 60),
        new GoldenFile("scalable", "scalable", UTF8, 100, 0.01, 60),
        new GoldenFile("scalable-slices", "scalable", UTF8, 5, 0.05, 300),
        new GoldenFile("scalable-two-words", "scalable", UTF8, 20, 0.2, 200),
        new GoldenFile("scalable-strict", "scalable", "splitmix64/i64", 10, 1e-4, 300));
  }

  /** Returns the filter, made by putting. */
  Filter filter() {
    FilterProvider provider = Bloomery.installed().providers().get(variant);
    Filter filter = provider.create(spec(), ThreadMode.CONFINED);
    for (int i = 0; i < put; i++) {
      for (int times = 0; times <= (filter instanceof RemovableFilter ? i % 12 : 0); times++) {
        filter.put(hash(key(i)));
      }
    }
    if (filter instanceof RemovableFilter removable) {
      for (int i = 0; i < put; i += 5) {
        removable.remove(hash(key(i)));
      }
    }
    return filter;
  }

  FilterSpec spec() {
    return FilterSpec.of(expected, rate, hashId).withAttributes(attributes);
  }

  byte[] bytes() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter(), out);
    return out.toByteArray();
  }

  /**
   * Returns a line for each key put and as many others: its bytes, or the hash if raw; 1 if it
   * might be contained; its count, if the filter has counts; its positions, if it has one table.
   */
  String table() {
    return table(filter());
  }

  /** Returns the table that a filter read from the file gives. */
  String table(Filter filter) {
    return LongStream.range(0, Math.max(20, 2L * put))
        .mapToObj(i -> line(filter, key(i)))
        .collect(Collectors.joining());
  }

  private String line(Filter filter, byte[] key) {
    long hash = hash(key);
    List<String> fields = new ArrayList<>();
    fields.add(HexFormat.of().formatHex(key));
    fields.add(filter.mightContain(hash) ? "1" : "0");
    fields.add(
        filter instanceof RemovableFilter counts
            ? Long.toString(counts.approximateCount(hash))
            : "");
    fields.add(
        Bloomery.installed()
            .providers()
            .get(variant)
            .positions(
                hash,
                filter.layout().toMap().getOrDefault("bits", 1L),
                filter.layout().toMap().getOrDefault("probes", 1L).intValue())
            .map(GoldenFile::joined)
            .orElse(""));
    return String.join("\t", fields) + "\n";
  }

  private static String joined(long[] positions) {
    return LongStream.of(positions).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  /** Returns the bytes of a key; all lengths of text up to 300 bytes come, and some beyond. */
  private byte[] key(long number) {
    return switch (encoding()) {
      case "raw" -> ByteBuffer.allocate(8).putLong((number + 1) * 0x9E3779B97F4A7C15L).array();
      case "i64" ->
          ByteBuffer.allocate(8)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(number % 2 == 0 ? number : -number * number * 1_000_003)
              .array();
      case "uuid" ->
          ByteBuffer.allocate(16).putLong(number * 31 + 7).putLong(-number * 1_000_003).array();
      case "utf8" -> text(number).getBytes(StandardCharsets.UTF_8);
      default -> bytes(number);
    };
  }

  private static String text(long number) {
    long repeats = number % 40 == 39 ? 150 : number % 20;
    return number == 0 ? "" : number + " \u00e9\u20ac\ud83d\ude00 ".repeat((int) repeats);
  }

  private static byte[] bytes(long number) {
    byte[] bytes = new byte[(int) (number * 13 % 1_100)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (number * 131 + i * 17L);
    }
    return bytes;
  }

  private String encoding() {
    return hashId.equals("raw") ? "raw" : hashId.split("/", -1)[1];
  }

  /** Hashes as users do, by the type of key. */
  private long hash(byte[] key) {
    return hasher().applyAsLong(key);
  }

  private ToLongFunction<byte[]> hasher() {
    String[] parts = hashId.split("seed=", -1);
    boolean seeded = parts.length > 1;
    long seed = seeded ? Long.parseLong(parts[1]) : 0;
    return switch (encoding()) {
      case "raw" -> key -> ByteBuffer.wrap(key).getLong();
      case "i64" -> {
        KeyHasher<Long> longs = seeded ? KeyHasher.longs(seed) : KeyHasher.longs();
        yield key -> longs.hash(ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getLong());
      }
      case "uuid" -> {
        KeyHasher<UUID> uuids = seeded ? KeyHasher.uuids(seed) : KeyHasher.uuids();
        yield key -> {
          ByteBuffer bits = ByteBuffer.wrap(key);
          return uuids.hash(new UUID(bits.getLong(), bits.getLong()));
        };
      }
      case "utf8" -> {
        KeyHasher<CharSequence> text = seeded ? KeyHasher.utf8(seed) : KeyHasher.utf8();
        yield key -> text.hash(new String(key, StandardCharsets.UTF_8));
      }
      default -> {
        KeyHasher<byte[]> bytes = seeded ? KeyHasher.bytes(seed) : KeyHasher.bytes();
        yield bytes::hash;
      }
    };
  }
}
