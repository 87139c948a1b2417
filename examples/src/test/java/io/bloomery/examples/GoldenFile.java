package io.bloomery.examples;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A filter whose bytes stay the same for ever, and what it answers: keys 0 to {@code put - 1} of
 * its kind are put, or built of, once, or in a filter that counts once more than i mod 12, where
 * every fifth is then removed once; and it is asked for them and as many others.
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

  private static final byte[][] NO_TEXT = {
    {}, {'A', (byte) 0xff, 'Z'}, {}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, {(byte) 0xc3, 'A'}
  };

  private static final String UTF8 = "xxh3-64/utf8";
  private static final String TEXT_AND_NUMBER = "(utf8,i64)";
  private static final String NUMBER_ALONE = "(i64)";
  private static final String NESTED = "((bytes,uuid),i64)";
  private static final String SIPHASH = "siphash-2-4";

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
            "scalable-attributes", "scalable", "xxh3-64/bytes", 10, 0.01, 15, form("hex")),
        new GoldenFile("standard-ignore-case", "standard", UTF8, 60, 0.01, 60, form("ignore-case")),
        new GoldenFile("standard-trim", "standard", UTF8, 60, 0.01, 60, form("trim")),
        new GoldenFile(
            "blocked-trim-ignore-case",
            "blocked",
            "xxh3-64/bytes",
            60,
            0.01,
            60,
            form("trim,ignore-case")),
        new GoldenFile(
            "partitioned-trim-base64",
            "partitioned",
            "xxh3-64/utf8/seed=-42",
            40,
            0.01,
            40,
            form("trim,base64")),
        new GoldenFile("standard-secret", "standard", withSecret("utf8"), 100, 0.01, 100),
        new GoldenFile("standard-fields", "standard", "xxh3-64/" + TEXT_AND_NUMBER, 100, 0.01, 100),
        new GoldenFile("standard-raw", "standard", "raw", 200, 0.01, 200),
        // The content has more than one checksum: a MiB of mostly zeros, which git stores as a few
        // KB.
        new GoldenFile("standard-two-mebibytes", "standard", UTF8, 900_000, 0.01, 20),
        new GoldenFile("partitioned", "partitioned", "splitmix64/i64", 300, 0.01, 300),
        new GoldenFile("partitioned-strict", "partitioned", "xxh3-64/uuid", 40, 1e-5, 40),
        new GoldenFile(
            "partitioned-one-field", "partitioned", "xxh3-64/" + NUMBER_ALONE, 40, 0.01, 40),
        new GoldenFile("blocked-two-words", "blocked", UTF8, 300, 0.01, 300),
        new GoldenFile("blocked-four-words", "blocked", UTF8, 300, 0.001, 300),
        new GoldenFile("blocked-seed", "blocked", "xxh3-64/i64/seed=7", 300, 0.05, 300),
        new GoldenFile("blocked-secret-fields", "blocked", withSecret(NESTED), 40, 0.01, 40),
        new GoldenFile("counting", "counting", UTF8, 150, 0.01, 150),
        // Of few enough keys for blocks that are not spilled, in each number of bits for counts.
        new GoldenFile("counting-two", "counting", UTF8, 400, 0.3, 80),
        new GoldenFile("counting-two-short", "counting", UTF8, 300, 0.05, 60),
        new GoldenFile("counting-six", "counting", "xxh3-64/bytes", 150, 0.001, 60),
        new GoldenFile("counting-eight", "counting", "xxh3-64/uuid", 60, 1e-5, 60),
        new GoldenFile("counting-fast", "counting-fast", UTF8, 150, 0.01, 150),
        // Of few enough keys for blocks that are not spilled.
        new GoldenFile("counting-fast-two", "counting-fast", UTF8, 400, 0.3, 80),
        new GoldenFile("counting-fast-six", "counting-fast", "xxh3-64/bytes", 150, 0.001, 60),
        new GoldenFile("fuse", "fuse", UTF8, 300, 0.01, 300),
        new GoldenFile("fuse-empty", "fuse", UTF8, 20, 0.01, 0),
        new GoldenFile("fuse-one-key", "fuse", "xxh3-64/uuid", 1, 0.5, 1),
        new GoldenFile("fuse-strict", "fuse", "xxh3-64/bytes", 100, 2.4e-10, 90),
        new GoldenFile("fuse-fields", "fuse", "xxh3-64/" + NESTED, 40, 0.1, 40),
        new GoldenFile("fuse-secret", "fuse", withSecret("utf8"), 80, 0.3, 60),
        // The fewest keys of several parts, in cells of a bit that are mostly zero.
        new GoldenFile("fuse-parts", "fuse", UTF8, (1 << 24) + 1, 0.6, 30),
        new GoldenFile("scalable", "scalable", UTF8, 100, 0.01, 60),
        new GoldenFile("scalable-layers", "scalable", UTF8, 5, 0.05, 300),
        new GoldenFile("scalable-two-words", "scalable", UTF8, 20, 0.2, 200),
        new GoldenFile("scalable-strict", "scalable", "splitmix64/i64", 10, 1e-4, 300));
  }

  /** Returns the secret of all files that are made with one: the bytes 0 to 31. */
  static byte[] secret() {
    byte[] secret = new byte[32];
    for (int i = 0; i < secret.length; i++) {
      secret[i] = (byte) i;
    }
    return secret;
  }

  private static String withSecret(String encoding) {
    String utf8 = KeyHasher.strings().secret(secret()).id();
    return SIPHASH + "/" + encoding + utf8.substring(utf8.lastIndexOf('/'));
  }

  boolean hasSecret() {
    return hashId.startsWith(SIPHASH);
  }

  private static Map<String, String> form(String keyForm) {
    return Map.of(KeyForm.ATTRIBUTE, keyForm);
  }

  private KeyForm form() {
    return KeyForm.parse(attributes.getOrDefault(KeyForm.ATTRIBUTE, "plain"));
  }

  /** Returns the filter, made by putting, or built. */
  StoredFilter filter() {
    VariantProvider provider = Bloomery.installed().providers().variant(variant);
    if (provider instanceof StaticFilterProvider building) {
      LongStream hashes = LongStream.range(0, put).map(i -> hash(key(i)));
      return building.build(spec(), hashes, FilterLimits.HEAP);
    }
    Filter filter = ((FilterProvider) provider).create(spec(), ThreadMode.CONFINED);
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
   * Returns a line for each key put and as many others: its bytes as it is written, or the hash if
   * raw; 1 if it might be contained; its count, if the filter has counts; its positions, if it has
   * one table.
   */
  String table() {
    return table(filter());
  }

  /** Returns the table that a filter read from the file gives. */
  String table(StoredFilter filter) {
    return LongStream.range(0, Math.max(20, 2L * put))
        .mapToObj(i -> line(filter, key(i)))
        .collect(Collectors.joining());
  }

  private String line(StoredFilter filter, byte[] key) {
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
            .variant(variant)
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

  /** Returns a key as it is written in the form of the file. */
  private byte[] key(long number) {
    KeyForm form = form();
    byte[] key = plainKey(encoding(), number);
    if (form.includes(KeyForm.IGNORE_CASE)) {
      key = inAnyCase(number);
    } else if (form.includes(KeyForm.HEX)) {
      HexFormat hex = number % 2 == 0 ? HexFormat.of() : HexFormat.of().withUpperCase();
      key = hex.formatHex(key).getBytes(StandardCharsets.US_ASCII);
    } else if (form.includes(KeyForm.BASE64)) {
      Base64.Encoder encoder = number % 2 == 0 ? Base64.getEncoder() : Base64.getUrlEncoder();
      key = (number % 3 == 0 ? encoder.withoutPadding() : encoder).encode(key);
    }
    return form.includes(KeyForm.TRIM) ? amongSpaces(key, number) : key;
  }

  /** Letters of every kind of entry, of versions of Unicode old and new, and what is no text. */
  private static byte[] inAnyCase(long number) {
    String[] letters = {
      "Az@[`{",
      "\u039d\u0399\u039a\u039f\u03a3_\u03a0\u0391\u03a3 \u03c3\u03c2",
      "\u00c4\u00df\u1e9e\ufb05",
      "\u0130I\u0131i",
      "\u212a\u212b\u2126\u017f",
      "\u023a\u023e",
      "\ua7c0\ua7d0",
      "\ud801\udd70\ud801\udc00",
      "\ud803\udd50\u1c89",
      "\u13a0\uab70\u13f8",
      "\u01c4\u01c5\u01c6",
      "\ud83d\ude00\u65e5"
    };
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    String text = number + letters[(int) (number % letters.length)];
    key.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    key.writeBytes(NO_TEXT[(int) (number % NO_TEXT.length)]);
    return key.toByteArray();
  }

  private byte[] amongSpaces(byte[] key, long number) {
    String spaces =
        "\t\n\u000b\f\r \u0085\u00a0\u1680\u2000\u2007\u200a\u2028\u2029\u202f\u205f\u3000\u2003\u2009";
    int at = (int) (number % spaces.length());
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    written.writeBytes(spaces.substring(at / 2, at).getBytes(StandardCharsets.UTF_8));
    // What is no white space, though some take it for that, stays.
    if (form().includes(KeyForm.BASE64)) {
      written.writeBytes(key);
    } else {
      String[] around = {"", "\u001f", "\u200b", "\ufeff", "\u180e", "\u001c"};
      written.writeBytes(around[(int) (number % around.length)].getBytes(StandardCharsets.UTF_8));
      written.writeBytes(key);
    }
    written.writeBytes(spaces.substring(at).getBytes(StandardCharsets.UTF_8));
    return written.toByteArray();
  }

  /** Returns the bytes of a key; all lengths of text up to 300 bytes come, and some beyond. */
  private static byte[] plainKey(String encoding, long number) {
    return switch (encoding) {
      case NUMBER_ALONE -> ofFields(plainKey("i64", number));
      case TEXT_AND_NUMBER -> ofFields(plainKey("utf8", number / 3), plainKey("i64", number));
      case NESTED ->
          ofFields(
              ofFields(bytes(number), plainKey("uuid", number / 2)), plainKey("i64", number % 7));
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

  /** Returns the bytes of a key of fields: the length of each, and its bytes. */
  private static byte[] ofFields(byte[]... fields) {
    ByteBuffer key = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
    for (byte[] field : fields) {
      key.putInt(field.length).put(field);
    }
    return Arrays.copyOf(key.array(), key.position());
  }

  /** Returns a field of such a key by its number. */
  private static byte[] field(byte[] key, int number) {
    ByteBuffer left = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < number; i++) {
      left.position(left.position() + Integer.BYTES + left.getInt(left.position()));
    }
    byte[] field = new byte[left.getInt()];
    left.get(field);
    return field;
  }

  private static long number(byte[] key) {
    return ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static UUID uuid(byte[] key) {
    ByteBuffer bits = ByteBuffer.wrap(key);
    return new UUID(bits.getLong(), bits.getLong());
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

  private static KeyHasher<byte[]> textAndNumber() {
    return KeyHasher.fields(
        KeyHasher.strings().compose(key -> new String(field(key, 0), StandardCharsets.UTF_8)),
        KeyHasher.longs().compose(key -> number(field(key, 1))));
  }

  private static KeyHasher<byte[]> nested() {
    KeyHasher<byte[]> inner =
        KeyHasher.fields(
            KeyHasher.byteArrays().compose(key -> field(field(key, 0), 0)),
            KeyHasher.uuids().compose(key -> uuid(field(field(key, 0), 1))));
    return KeyHasher.fields(inner, KeyHasher.longs().compose(key -> number(field(key, 1))));
  }

  /** Hashes as users do, by the type of key. */
  private long hash(byte[] key) {
    return hasher().applyAsLong(key);
  }

  private ToLongFunction<byte[]> hasher() {
    String[] parts = hashId.split("seed=", -1);
    boolean seeded = parts.length > 1;
    long seed = seeded ? Long.parseLong(parts[1]) : 0;
    if (hasSecret()) {
      KeyHasher<byte[]> hasher =
          encoding().equals(NESTED)
              ? nested()
              : KeyHasher.strings().compose(key -> new String(key, StandardCharsets.UTF_8));
      return hasher.secret(secret())::hash;
    }
    return switch (encoding()) {
      case NUMBER_ALONE ->
          KeyHasher.<byte[]>fields(KeyHasher.longs().compose(key -> number(field(key, 0))))::hash;
      case TEXT_AND_NUMBER -> textAndNumber()::hash;
      case "raw" -> key -> ByteBuffer.wrap(key).getLong();
      case "i64" -> {
        KeyHasher<Long> longs = seeded ? KeyHasher.longs().withSeed(seed) : KeyHasher.longs();
        yield key -> longs.hash(ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN).getLong());
      }
      case "uuid" -> {
        KeyHasher<UUID> uuids = seeded ? KeyHasher.uuids().withSeed(seed) : KeyHasher.uuids();
        yield key -> {
          ByteBuffer bits = ByteBuffer.wrap(key);
          return uuids.hash(new UUID(bits.getLong(), bits.getLong()));
        };
      }
      case "utf8" -> {
        KeyHasher<CharSequence> text =
            seeded ? KeyHasher.strings().withSeed(seed) : KeyHasher.strings();
        KeyHasher<byte[]> bytes =
            seeded ? KeyHasher.utf8Bytes().withSeed(seed) : KeyHasher.utf8Bytes();
        yield form() == KeyForm.PLAIN
            ? key -> text.hash(new String(key, StandardCharsets.UTF_8))
            : hashed(bytes);
      }
      default -> {
        KeyHasher<byte[]> bytes =
            seeded ? KeyHasher.byteArrays().withSeed(seed) : KeyHasher.byteArrays();
        yield hashed(bytes);
      }
    };
  }

  private ToLongFunction<byte[]> hashed(KeyHasher<byte[]> bytes) {
    KeyHasher<byte[]> formed = bytes.withForm(form());
    return formed::hash;
  }
}
