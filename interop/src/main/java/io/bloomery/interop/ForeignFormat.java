package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.bloomery.file.FilterLockedException;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.internal.file.FileInput;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A serialization format of another system's filters. The caller must name it: most formats have no
 * identification, and a filter that is read in another format gives wrong answers without an error.
 *
 * <p>{@code read} reads the bytes of one filter. No memory is allocated for a length before the
 * bytes are there; input that is not a filter of the format is rejected with the offset and the
 * reason.
 */
public enum ForeignFormat {
  /**
   * Guava's {@code writeTo}. Filters are created with the strategy of Guava 17 and later; a filter
   * that is read can have either strategy, which its {@link ForeignFilter#format} tells.
   */
  GUAVA("guava", GuavaTable::read, asked -> GuavaTable.create(1, asked)),
  /** The same, created with the strategy of Guava 12 to 16. */
  GUAVA_MITZ_32("guava-mitz32", GuavaTable::read, asked -> GuavaTable.create(0, asked)),
  /**
   * Java serialization of Guava's BloomFilter, by {@code ObjectOutputStream}. It is read as bytes,
   * and no object is made of them. The funnel that it has is kept; that of a new filter is {@code
   * stringFunnel(UTF_8)}.
   */
  GUAVA_JAVA("guava-java", JavaObjectStream::read, asked -> GuavaTable.create(1, asked)),
  /** The same, created with the strategy of Guava 12 to 16. */
  GUAVA_JAVA_MITZ_32(
      "guava-java-mitz32", JavaObjectStream::read, asked -> GuavaTable.create(0, asked)),
  /**
   * The file of a Bloom filter index of Pinot: a header and Guava's {@code writeTo}. Both versions
   * are read, and version 1 is created, which all releases read.
   */
  PINOT("pinot", GuavaTable::readPinot, asked -> GuavaTable.create(1, asked)),
  /** Spark's version 1, which all releases read. */
  SPARK_V1("spark-v1", in -> SparkTable.read(1, in), asked -> SparkTable.create(1, asked)),
  /** Spark's version 2, which 4.1 and later create, and earlier releases reject. */
  SPARK_V2("spark-v2", in -> SparkTable.read(2, in), asked -> SparkTable.create(2, asked)),
  /** {@code Filter.db} of Cassandra up to 2.2: SSTables of versions below {@code ma}. */
  CASSANDRA_2(
      "cassandra-2.2",
      in -> CassandraTable.read(true, false, in),
      asked -> CassandraTable.create(true, asked)),
  /** {@code Filter.db} of Cassandra 3: SSTables of versions that begin with {@code m}. */
  CASSANDRA_3(
      "cassandra-3",
      in -> CassandraTable.read(false, false, in),
      asked -> CassandraTable.create(false, asked)),
  /**
   * {@code Filter.db} of Cassandra 4 and later: SSTables of versions from {@code na} on. An empty
   * file, which Cassandra 5 writes if filters are disabled, contains every key.
   */
  CASSANDRA_4(
      "cassandra-4",
      in -> CassandraTable.read(false, true, in),
      asked -> CassandraTable.create(false, asked)),
  /** Parquet's header and bit set, as in a file at {@code bloom_filter_offset}. */
  PARQUET("parquet", ParquetTable::readFramed, ParquetTable::create),
  /** Parquet's bit set alone, to the end of the input. */
  PARQUET_BITSET("parquet-bitset", ParquetTable::readBare, ParquetTable::create),
  /** The image of Apache DataSketches' BloomFilter. */
  DATASKETCHES("datasketches", DataSketchesTable::read, DataSketchesTable::create),
  /** Hive's BloomFilter of storage-api 2.3 and 2.4, whose length is in bits. */
  HIVE_2_4(
      "hive-2.4", in -> HiveTable.readHive(false, in), asked -> HiveTable.create(false, asked)),
  /** Hive's BloomFilter of storage-api 2.5 and later. */
  HIVE_2_5("hive-2.5", in -> HiveTable.readHive(true, in), asked -> HiveTable.create(true, asked)),
  /**
   * Hive's BloomKFilter. The bytes of longs and ints changed with 2.7 and 2.8: see the encoding.
   */
  HIVE_BLOOMK("hive-bloomk", HiveBlockTable::read, HiveBlockTable::create),
  /** Druid's {@code bloomKFilter}: BloomKFilter in Base64; ends with the input. */
  DRUID("druid", in -> Base64Text.read(in, HiveBlockTable::read), HiveBlockTable::create),
  /** ORC's message of a stream BLOOM_FILTER; ends with the input. */
  ORC("orc", in -> HiveTable.readOrc(false, in), asked -> HiveTable.create(false, asked)),
  /** ORC's message of a stream BLOOM_FILTER_UTF8; ends with the input. */
  ORC_UTF8("orc-utf8", in -> HiveTable.readOrc(true, in), asked -> HiveTable.create(false, asked)),
  /**
   * Hadoop's {@code BloomFilter.write} with Murmur hashes; a filter that is read can have either
   * hash, which its {@link ForeignFilter#format} tells.
   */
  HADOOP("hadoop", HadoopTable::read, asked -> HadoopTable.create(HadoopHeader.MURMUR, asked)),
  /** The same, created with Jenkins hashes. */
  HADOOP_JENKINS(
      "hadoop-jenkins",
      HadoopTable::read,
      asked -> HadoopTable.create(HadoopHeader.JENKINS, asked)),
  /** Hadoop's {@code CountingBloomFilter.write}, with either hash, created with Murmur. */
  HADOOP_COUNTING("hadoop-counting", HadoopCountingTable::read, HadoopCountingTable::create),
  /**
   * Hadoop's {@code DynamicBloomFilter.write}, and the file {@code bloom} of a BloomMapFile, with
   * either hash, created with Murmur.
   */
  HADOOP_DYNAMIC("hadoop-dynamic", HadoopTable::readDynamic, HadoopTable::createDynamic),
  /** Hudi's SIMPLE filter, Hadoop's in Base64; ends with the input. */
  HUDI(
      "hudi",
      in -> Base64Text.read(in, HadoopTable::read),
      asked -> HadoopTable.create(HadoopHeader.MURMUR, asked)),
  /** Hudi's DYNAMIC_V0 filter, Hadoop's in Base64; ends with the input. */
  HUDI_DYNAMIC(
      "hudi-dynamic",
      in -> Base64Text.read(in, HadoopTable::readDynamic),
      HadoopTable::createHudiDynamic),
  /**
   * The Bloom filter of a file index of Paimon, alone or in an index file that has no other; ends
   * with the input. {@link PaimonIndexFile} reads files with several.
   */
  PAIMON("paimon", PaimonTable::read, PaimonTable::create),
  /** {@code WriteTo}, MarshalBinary and the payload of Gob of Go's bits-and-blooms. */
  BITS_AND_BLOOMS(
      "bits-and-blooms", in -> BitsAndBloomsTable.read(BIG_ENDIAN, in), BitsAndBloomsTable::create),
  /**
   * The same after {@code bitset.LittleEndian()}, which changes the byte order of the set but not
   * of the header.
   */
  BITS_AND_BLOOMS_LITTLE_ENDIAN(
      "bits-and-blooms-le",
      in -> BitsAndBloomsTable.read(LITTLE_ENDIAN, in),
      BitsAndBloomsTable::create),
  /** {@code MarshalJSON} of Go's bits-and-blooms. */
  BITS_AND_BLOOMS_JSON(
      "bits-and-blooms-json", BitsAndBloomsTable::readJson, BitsAndBloomsTable::create),
  /** The result of RedisBloom's BF.SCANDUMP: the header and all chunks of data, concatenated. */
  REDISBLOOM("redisbloom", RedisBloomTable::read, RedisBloomTable::create),
  /** The value of valkey-bloom's BF.LOAD, as in a rewritten append-only file. */
  VALKEY_BLOOM("valkey-bloom", ValkeyBloomTable::read, ValkeyBloomTable::create),
  /**
   * Redisson's RBloomFilter, which {@code RedissonExport} of {@code bloomery-redis} reads from a
   * server: the fields of its hash {@code {name}:config} in a line of text, and the bytes of its
   * string.
   */
  REDISSON("redisson", RedissonTable::read, RedissonTable::create),
  /** A file of DCSO's {@code bloom}; all bytes after the table are attached data. */
  DCSO("dcso", DcsoTable::read, DcsoTable::create),
  /** A file of {@code bloom --gzip}; ends with the input. */
  DCSO_GZIP("dcso-gzip", DcsoTable::readGzip, DcsoTable::create),
  /** The message BlockBloomFilterPB of Kudu, which Impala sends; ends with the input. */
  KUDU("kudu", KuduTable::read, KuduTable::create);

  /**
   * An empty filter of DataSketches has 24 bytes for any size of its table: 16 MiB here at most.
   */
  static final int MAX_WORDS_OF_EMPTY = 1 << 21;

  /** Reads a table. */
  @FunctionalInterface
  interface Reader {
    ForeignTable read(ForeignInput in) throws IOException;
  }

  private final String id;

  @SuppressWarnings("ImmutableEnumChecker") // a lambda that captures nothing
  private final Reader reader;

  @SuppressWarnings("ImmutableEnumChecker") // likewise
  private final Function<ForeignParameters, ForeignTable> creator;

  ForeignFormat(String id, Reader reader, Function<ForeignParameters, ForeignTable> creator) {
    this.id = id;
    this.reader = reader;
    this.creator = creator;
  }

  /**
   * Returns the format with a name, such as {@code cassandra-4}.
   *
   * @throws IllegalArgumentException if there is no such format; the message has all names
   */
  public static ForeignFormat named(String name) {
    return Arrays.stream(values())
        .filter(format -> format.id.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "format must be one of "
                        + Arrays.stream(values()).map(f -> f.id).collect(Collectors.joining(", "))
                        + ", but was '"
                        + name
                        + "'"));
  }

  /** Returns the name, such as {@code cassandra-4}. */
  public String id() {
    return id;
  }

  /**
   * Reads a file, which must hold one filter and nothing else but, behind an object of JSON, white
   * space.
   *
   * @throws FilterFormatException if it is not a filter of this format
   * @throws IOException if it cannot be read
   */
  public ForeignFilter read(Path file) throws IOException {
    try (InputStream in = FileInput.of(file)) {
      return readAll(in, file);
    }
  }

  /**
   * Opens a file for an update of its filter, and locks it until the update is closed.
   *
   * @param patience the longest wait for the lock; zero not to wait
   * @throws FilterLockedException if the lock was not released within this time
   * @throws java.nio.file.AccessDeniedException if its folder is not writable
   * @throws java.io.InterruptedIOException if the thread is interrupted while it waits
   * @throws FilterFormatException if it is not a filter of this format
   * @throws IOException if it cannot be read, or is not a regular file
   */
  public ForeignUpdate update(Path file, Duration patience) throws IOException {
    return ForeignUpdate.open(this, file, patience);
  }

  /** Reads a filter from the named input, which must end after it. */
  ForeignFilter readAll(InputStream in, Path file) throws IOException {
    try {
      return readAll(in);
    } catch (FilterFormatException e) {
      throw e.in(file);
    }
  }

  /**
   * Reads a stream to its end, which must hold one filter and nothing else but, behind an object of
   * JSON, white space.
   *
   * @throws FilterFormatException if it does not
   * @throws IOException if the stream cannot be read, or the filter does not fit into the heap
   */
  public ForeignFilter readAll(InputStream in) throws IOException {
    InputStream buffered = new BufferedInputStream(in, 1 << 16);
    ForeignInput input = new ForeignInput(buffered, id, Long.MAX_VALUE);
    ForeignFilter filter = read(input);
    int next = input.next();
    while (this == BITS_AND_BLOOMS_JSON && next >= 0 && " \t\n\r".indexOf(next) >= 0) {
      next = input.next();
    }
    if (next >= 0) {
      throw input.refusal(
          Reason.TRAILING_BYTES, input.offset() - 1, "must end here, but more bytes follow");
    }
    return filter;
  }

  /**
   * Reads a filter from a stream, and no byte after it. Formats that end with the input, as
   * documented there, read to the end.
   *
   * @throws FilterFormatException if the input is not a filter of this format
   * @throws IOException if the stream cannot be read, or the filter does not fit into the heap
   */
  public ForeignFilter read(InputStream in) throws IOException {
    return read(in, Long.MAX_VALUE);
  }

  /**
   * Reads as {@link #read(InputStream)} does, but rejects a table of more than {@code maxBytes}
   * bytes: for streams of unknown origin, in particular compressed ones.
   *
   * @throws FilterFormatException if the input is not a filter of this format, or is too large
   * @throws IOException if the stream cannot be read
   */
  public ForeignFilter read(InputStream in, long maxBytes) throws IOException {
    return read(new ForeignInput(in, id, maxBytes));
  }

  /**
   * Reads a filter from a buffer and advances its position to the end of the filter; if it throws,
   * the position is unchanged.
   *
   * @throws FilterFormatException if the bytes are not a filter of this format
   */
  public ForeignFilter read(ByteBuffer buffer) throws FilterFormatException {
    return read(buffer, this::read);
  }

  /**
   * Reads an array, which must hold one filter and nothing else but, behind an object of JSON,
   * white space.
   *
   * @throws FilterFormatException if it does not
   */
  public ForeignFilter read(byte[] bytes) throws FilterFormatException {
    return read(ByteBuffer.wrap(bytes), this::readAll);
  }

  /** Reads a filter from a stream. */
  @FunctionalInterface
  private interface StreamReader {
    ForeignFilter read(InputStream in) throws IOException;
  }

  private static ForeignFilter read(ByteBuffer buffer, StreamReader reader)
      throws FilterFormatException {
    ByteBuffer rest = buffer.duplicate();
    ForeignFilter filter;
    try {
      filter = reader.read(new BufferStream(rest));
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new FilterFormatException(Reason.INVALID, 0, e.toString());
    }
    buffer.position(rest.position());
    return filter;
  }

  private ForeignFilter read(ForeignInput in) throws IOException {
    try {
      ForeignTable table = reader.read(in);
      return new ForeignFilter(table.labelled(this), table);
    } catch (OutOfMemoryError e) {
      // The bytes were there, or the filter would have been rejected: it is valid, but too large
      // for the heap.
      throw new IOException(
          id
              + ": a filter must fit into the heap, which is limited to "
              + Runtime.getRuntime().maxMemory()
              + " bytes; give Java more, by -Xmx, or refuse such filters by read(in, maxBytes)",
          e);
    }
  }

  /**
   * Creates the empty filter that the peer would create for a number of keys at a rate.
   *
   * @throws IllegalArgumentException if the peer creates no such filter
   */
  public ForeignFilter create(long keys, double rate) {
    return create(ForeignParameters.expect(keys, rate));
  }

  /**
   * Creates an empty filter.
   *
   * @throws IllegalArgumentException if the format has no such filter
   */
  public ForeignFilter create(ForeignParameters parameters) {
    ForeignTable table = creator.apply(parameters);
    table.checkWritable(this);
    return new ForeignFilter(this, table);
  }

  /**
   * Returns the rate to expect of a new filter once it has the keys it was made for. That can be
   * many times the rate that was asked for, where the table is small or the rate low. Takes up to
   * half a second.
   *
   * @throws IllegalArgumentException if the format has no such filter
   */
  public ForeignRate expectedRate(ForeignParameters parameters) {
    return ForeignRate.expected(() -> creator.apply(parameters), parameters.keys());
  }

  /**
   * Returns whether a filter of this format has a checksum of all its content, which is verified on
   * reading: only {@code dcso-gzip} does, by gzip. In all other formats a flipped bit of the table
   * is not detected.
   */
  public boolean hasChecksum() {
    return this == DCSO_GZIP;
  }

  /**
   * Returns whether an encoding is possible for items of this format: {@link
   * ItemEncoding#hiveLongs} only for ORC, Hive's BloomFilter and Paimon, all others for every
   * format.
   */
  public boolean takes(ItemEncoding<?> encoding) {
    return !encoding.needsLongs() || hashesLongs();
  }

  private boolean hashesLongs() {
    return switch (this) {
      case HIVE_2_4, HIVE_2_5, ORC, ORC_UTF8, PAIMON -> true;
      default -> false;
    };
  }

  /** Returns the first of the formats that have the same hashes and positions as this. */
  ForeignFormat likeness() {
    return switch (this) {
      case GUAVA_JAVA, PINOT -> GUAVA;
      case GUAVA_JAVA_MITZ_32 -> GUAVA_MITZ_32;
      case CASSANDRA_4 -> CASSANDRA_3;
      case PARQUET_BITSET -> PARQUET;
      case ORC, ORC_UTF8 -> HIVE_2_4;
      case DRUID -> HIVE_BLOOMK;
      case HUDI -> HADOOP;
      case HUDI_DYNAMIC -> HADOOP_DYNAMIC;
      case BITS_AND_BLOOMS_LITTLE_ENDIAN, BITS_AND_BLOOMS_JSON -> BITS_AND_BLOOMS;
      case DCSO_GZIP -> DCSO;
      default -> this;
    };
  }

  @Override
  public String toString() {
    return id;
  }
}
