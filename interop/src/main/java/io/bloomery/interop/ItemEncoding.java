package io.bloomery.interop;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

/**
 * An encoding of keys as the bytes that another system hashes. No file identifies it: the user of a
 * foreign filter must know how its keys were encoded.
 *
 * @param <K> the type of keys
 */
public final class ItemEncoding<K> {

  /** Writes a key into an item. */
  @FunctionalInterface
  private interface Writer<K> {
    void write(K key, Item item);
  }

  private final String name;
  private final boolean needsLongs;
  private final Writer<? super K> writer;

  private ItemEncoding(String name, boolean needsLongs, Writer<? super K> writer) {
    this.name = name;
    this.needsLongs = needsLongs;
    this.writer = writer;
  }

  /**
   * Text as UTF-8 bytes, with a question mark for each unpaired surrogate, as in {@code
   * String.getBytes} and thus every system in Java.
   */
  public static ItemEncoding<CharSequence> utf8() {
    return new ItemEncoding<>("utf-8", false, (key, item) -> item.addUtf8(key.toString()));
  }

  /**
   * Text as {@link #utf8}, except that empty text is ignored: it is not put, and queries return
   * false. This is how DataSketches treats strings.
   */
  public static ItemEncoding<CharSequence> utf8UnlessEmpty() {
    return new ItemEncoding<>(
        "utf-8-unless-empty",
        false,
        (key, item) -> {
          item.isIgnored = key.length() == 0;
          item.addUtf8(key.toString());
        });
  }

  /** Text as its chars, low byte first, as in Guava's {@code unencodedCharsFunnel}. */
  public static ItemEncoding<CharSequence> utf16LittleEndian() {
    return new ItemEncoding<>(
        "utf-16le",
        false,
        (key, item) -> {
          for (int i = 0; i < key.length(); i++) {
            item.addLittleEndian(key.charAt(i));
          }
        });
  }

  /**
   * Text as Hadoop's {@code Text} writes it, the key of a BloomMapFile: the number of bytes as a
   * {@code vint}, and UTF-8 as in {@link #utf8}.
   */
  public static ItemEncoding<CharSequence> hadoopTexts() {
    return new ItemEncoding<>(
        "hadoop-text", false, (key, item) -> item.addHadoopText(key.toString()));
  }

  /**
   * Keys as a codec of Redisson encodes them: {@code StringCodec}, and {@code LongCodec}, which
   * writes a number in decimal, both in UTF-8; or {@code ByteArrayCodec}.
   *
   * @param codec the simple name of its class
   * @throws IllegalArgumentException if it is another: its bytes depend on classes and on the
   *     versions of libraries
   */
  public static ItemEncoding<Object> redissonCodec(String codec) {
    return switch (codec) {
      case "StringCodec", "LongCodec" ->
          new ItemEncoding<>(codec, false, (key, item) -> item.addUtf8(key.toString()));
      case "ByteArrayCodec" ->
          new ItemEncoding<>(codec, false, (key, item) -> item.add((byte[]) key));
      default ->
          throw new IllegalArgumentException(
              "codec must be StringCodec, LongCodec or ByteArrayCodec, but is "
                  + codec
                  + ", whose bytes depend on classes and versions; make the filter again from its"
                  + " keys");
    };
  }

  /** Bytes without change. */
  public static ItemEncoding<byte[]> bytes() {
    return new ItemEncoding<>("bytes", false, (key, item) -> item.add(key));
  }

  /** An int as 4 bytes, the lowest first. */
  public static ItemEncoding<Integer> intsLittleEndian() {
    return new ItemEncoding<>("int-le", false, (key, item) -> item.addLittleEndian(key.intValue()));
  }

  /** An int as 4 bytes, the highest first. */
  public static ItemEncoding<Integer> intsBigEndian() {
    return new ItemEncoding<>(
        "int-be", false, (key, item) -> item.addLittleEndian(Integer.reverseBytes(key)));
  }

  /** A long as 8 bytes, the lowest first. */
  public static ItemEncoding<Long> longsLittleEndian() {
    return new ItemEncoding<>(
        "long-le", false, (key, item) -> item.addLittleEndian(key.longValue()));
  }

  /** A long as 8 bytes, the highest first. */
  public static ItemEncoding<Long> longsBigEndian() {
    return new ItemEncoding<>(
        "long-be", false, (key, item) -> item.addLittleEndian(Long.reverseBytes(key)));
  }

  /**
   * A double as the 8 bytes of its bits, the lowest first, with 0.0 in place of -0.0 and one NaN
   * for all, as DataSketches has it. Parquet and ORC have two zeros: ask for those of their files
   * by {@link Double#doubleToLongBits}.
   */
  public static ItemEncoding<Double> doublesLittleEndian() {
    return new ItemEncoding<>(
        "double-le",
        false,
        (key, item) -> item.addLittleEndian(Double.doubleToLongBits(key + 0.0)));
  }

  /** A float as the 4 bytes of its bits, the lowest first, by the rule of doubles. */
  public static ItemEncoding<Float> floatsLittleEndian() {
    return new ItemEncoding<>(
        "float-le", false, (key, item) -> item.addLittleEndian(Float.floatToIntBits(key + 0.0f)));
  }

  /**
   * A long with Wang's hash, as ORC, Hive's BloomFilter and Paimon hash integers; only for these.
   */
  public static ItemEncoding<Long> hiveLongs() {
    return new ItemEncoding<>(
        "hive-long",
        true,
        (key, item) -> {
          item.isLong = true;
          item.value = key;
        });
  }

  /**
   * The {@code xxhash64} of Spark SQL, with its seed 42, of a key in another encoding: what {@code
   * bloom_filter_agg(xxhash64(x))} puts, as Spark's runtime filters do, in formats {@code spark-v1}
   * and {@code spark-v2}.
   *
   * @param type {@link #utf8} for strings, {@link #longsLittleEndian} for bigint, timestamps and
   *     the unscaled value of decimals of up to 18 digits, {@link #intsLittleEndian} for smaller
   *     integers and dates, {@link #bytes} for binary, and the encodings of floats and doubles
   * @throws IllegalArgumentException for {@link #hiveLongs}
   */
  public static <K> ItemEncoding<K> sparkXxHash64(ItemEncoding<K> type) {
    if (type.needsLongs) {
      throw new IllegalArgumentException(
          "xxhash64 is of bytes, but "
              + type
              + " is of longs that are hashed as such; take longsLittleEndian");
    }
    String suffix =
        switch (type.name) {
          case "long-le" -> "-long";
          case "int-le" -> "-int";
          default -> "";
        };
    return new ItemEncoding<>(
        "spark-xxhash64" + suffix,
        false,
        (key, item) -> {
          type.writer.write(key, item);
          long hash = Hashes.xxh64(item, 42);
          item.length = 0;
          item.addLittleEndian(hash);
        });
  }

  /** A UUID as its 16 bytes, in the order in which it is printed: Cassandra's {@code uuid}. */
  public static ItemEncoding<UUID> uuids() {
    return new ItemEncoding<>(
        "uuid",
        false,
        (key, item) -> {
          item.addLittleEndian(Long.reverseBytes(key.getMostSignificantBits()));
          item.addLittleEndian(Long.reverseBytes(key.getLeastSignificantBits()));
        });
  }

  /**
   * A composite partition key of Cassandra, given the bytes of its components: for each a length of
   * 2 bytes, the bytes, and a zero.
   */
  public static ItemEncoding<List<byte[]>> cassandraComposites() {
    return new ItemEncoding<>(
        "cassandra-composite",
        false,
        (key, item) -> {
          for (byte[] component : key) {
            if (component.length > 0xffff) {
              throw new IllegalArgumentException(
                  "a component must have at most 65535 bytes, but has " + component.length);
            }
            item.addLittleEndian(Character.reverseBytes((char) component.length));
            item.add(component);
            item.add((byte) 0);
          }
        });
  }

  /**
   * Returns an encoding of objects that have such a key: {@code
   * longsLittleEndian().compose(Integer::longValue)} for systems that widen ints.
   */
  public <T> ItemEncoding<T> compose(Function<? super T, ? extends K> key) {
    Objects.requireNonNull(key, "function must not be null");
    return new ItemEncoding<>(
        name,
        needsLongs,
        (object, item) -> {
          K held = Objects.requireNonNull(key.apply(object), "function must not return null");
          // The function may have queried another foreign filter, which uses the item of
          // this thread.
          item.clear();
          writer.write(held, item);
        });
  }

  /** Returns the name of this encoding, such as {@code utf-8}. */
  public String name() {
    return name;
  }

  /** Returns whether the items require a format with a separate hash for longs. */
  boolean needsLongs() {
    return needsLongs;
  }

  /** Returns the item of this thread, set to a key. */
  Item item(K key) {
    Item item = Item.own();
    fill(item, key);
    return item;
  }

  /** Sets an item to a key. */
  void fill(Item item, K key) {
    Objects.requireNonNull(key, "key must not be null");
    item.clear();
    writer.write(key, item);
  }

  @Override
  public String toString() {
    return name;
  }
}
