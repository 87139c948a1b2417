package io.bloomery.golden;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import com.google.common.hash.PrimitiveSink;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.BloomMapFile;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapFile;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;
import org.apache.hive.common.util.BloomKFilter;
import org.apache.hudi.common.bloom.BloomFilterFactory;
import org.apache.hudi.common.bloom.BloomFilterTypeCode;
import org.apache.paimon.data.BinaryString;
import org.apache.paimon.fileindex.FileIndexFormat;
import org.apache.paimon.fileindex.FileIndexWriter;
import org.apache.paimon.fileindex.FileIndexer;
import org.apache.paimon.fs.ByteArraySeekableStream;
import org.apache.paimon.options.Options;
import org.apache.paimon.predicate.FieldRef;
import org.apache.paimon.types.DataType;
import org.apache.paimon.types.DataTypes;
import org.apache.pinot.segment.local.segment.creator.impl.bloom.OnHeapGuavaBloomFilterCreator;
import org.apache.pinot.spi.config.table.BloomFilterConfig;
import org.apache.pinot.spi.data.FieldSpec;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;

/** Writes golden files of other systems, by their libraries, into the resources of interop. */
public final class WriteForeignGoldenFiles {

  private WriteForeignGoldenFiles() {}

  /** Writes all of them. */
  public static void main(String... args) throws IOException {
    hadoop();
    guavaJava();
    pinot();
    druid();
    hudi();
    sparkXxHash64();
    paimon();
  }

  private static void paimon() throws IOException {
    Folder folder = new Folder("paimon", "org.apache.paimon:paimon-common:1.3.1");
    for (int keys : new int[] {1, 33, 500}) {
      paimon(folder, "string-n" + keys, "string", keys, DataTypes.STRING());
    }
    paimon(folder, "bytes-n90", "bytes-sha512", 90, DataTypes.BYTES());
    paimon(folder, "long-n90", "long-mixed", 90, DataTypes.BIGINT());
    paimon(folder, "int-n90", "int-mixed", 90, DataTypes.INT());
    paimon(folder, "file-of-one", "string", 120, DataTypes.STRING());
    paimon(folder, "file-of-one-and-others", "string", 70, DataTypes.STRING());
    ByteArrayOutputStream several = new ByteArrayOutputStream();
    try (FileIndexFormat.Writer writer = FileIndexFormat.createWriter(several)) {
      writer.writeColumnIndexes(
          Map.of(
              "a", Map.of("bloom-filter", folder.bytes("string-n33")),
              "b", Map.of("bloom-filter", folder.bytes("long-n90"), "other", new byte[40])));
    }
    folder.writeUnlisted("file-of-two", several.toByteArray());
    folder.finish();
  }

  private static void paimon(Folder folder, String file, String kind, int keys, DataType type)
      throws IOException {
    Options options = new Options();
    options.set("items", "" + keys);
    options.set("fpp", "0.02");
    FileIndexer indexer = FileIndexer.create("bloom-filter", type, options);
    FileIndexWriter writer = indexer.createWriter();
    FieldRef field = new FieldRef(0, "a", type);
    Folder.Filter<Object> filter =
        new Folder.Filter<>(
            key ->
                writer.writeRecord(
                    key instanceof String text ? BinaryString.fromString(text) : key),
            key -> {
              byte[] bytes = writer.serializedBytes();
              return indexer
                  .createReader(new ByteArraySeekableStream(bytes), 0, bytes.length)
                  .visitEqual(
                      field, key instanceof String text ? BinaryString.fromString(text) : key)
                  .remain();
            },
            () -> {
              if (!file.startsWith("file")) {
                return writer.serializedBytes();
              }
              ByteArrayOutputStream bytes = new ByteArrayOutputStream();
              try (FileIndexFormat.Writer out = FileIndexFormat.createWriter(bytes)) {
                Map<String, Map<String, byte[]>> indexes = new TreeMap<>();
                indexes.put("a", Map.of("bloom-filter", writer.serializedBytes()));
                if (file.endsWith("others")) {
                  indexes.put("0", Map.of("bitmap", new byte[50]));
                  indexes.put("z", Map.of("bsi", new byte[30]));
                }
                out.writeColumnIndexes(indexes);
              }
              return bytes.toByteArray();
            });
    if (file.startsWith("file")) {
      folder.add(file, kind, keys, filter);
    } else {
      folder.add(file, kind, keys, keys, "0.02", filter);
    }
  }

  private static void sparkXxHash64() throws IOException {
    Folder folder = new Folder("spark-xxhash64", "org.apache.spark:spark-catalyst_2.13:4.2.0");
    for (var version : org.apache.spark.util.sketch.BloomFilter.Version.values()) {
      String name = version.name().toLowerCase(Locale.ROOT);
      folder.<String>add(
          name + "-string",
          "string",
          300,
          spark(version, key -> xxHash64(key.getBytes(StandardCharsets.UTF_8))));
      folder.<byte[]>add(
          name + "-bytes", "bytes-sha512", 300, spark(version, WriteForeignGoldenFiles::xxHash64));
      folder.<Long>add(
          name + "-long", "long-mixed", 300, spark(version, key -> XXH64.hashLong(key, 42)));
      folder.<Integer>add(
          name + "-int", "int-mixed", 300, spark(version, key -> XXH64.hashInt(key, 42)));
    }
    folder.finish();
  }

  private static long xxHash64(byte[] key) {
    return XXH64.hashUnsafeBytes(key, Platform.BYTE_ARRAY_OFFSET, key.length, 42);
  }

  private static <K> Folder.Filter<K> spark(
      org.apache.spark.util.sketch.BloomFilter.Version version, ToLongFunction<K> hash) {
    var filter = org.apache.spark.util.sketch.BloomFilter.create(version, 300, 2400, 0);
    return new Folder.Filter<>(
        key -> filter.putLong(hash.applyAsLong(key)),
        key -> filter.mightContainLong(hash.applyAsLong(key)),
        () -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          filter.writeTo(bytes);
          return bytes.toByteArray();
        });
  }

  private static void pinot() throws IOException {
    Folder folder = new Folder("pinot", "org.apache.pinot:pinot-segment-local:1.5.0");
    for (int keys : new int[] {1, 40, 900}) {
      Path indexes = Files.createTempDirectory("pinot");
      OnHeapGuavaBloomFilterCreator creator =
          new OnHeapGuavaBloomFilterCreator(
              indexes.toFile(),
              "column",
              keys,
              new BloomFilterConfig(0.01, 0, false),
              FieldSpec.DataType.STRING);
      for (int i = 0; i < keys; i++) {
        creator.add((String) Folder.key("string", i, keys, true));
      }
      creator.seal();
      Path file = indexes.resolve("column.bloom");
      try (InputStream in = Files.newInputStream(file)) {
        in.skipNBytes(8); // as Pinot's reader on the heap does
        var reader = BloomFilter.readFrom(in, Funnels.stringFunnel(StandardCharsets.UTF_8));
        folder.<String>add(
            "n" + keys,
            "string",
            keys,
            keys,
            "0.01",
            new Folder.Filter<>(key -> {}, reader::mightContain, () -> Files.readAllBytes(file)));
      }
    }
    // The header of its sources after 1.5.0, which no release writes.
    BloomFilter<CharSequence> filter =
        BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), 60, 0.05);
    folder.<String>add(
        "version-2-n60",
        "string",
        60,
        new Folder.Filter<>(
            filter::put,
            filter::mightContain,
            () -> {
              ByteArrayOutputStream bytes = new ByteArrayOutputStream();
              DataOutputStream out = new DataOutputStream(bytes);
              out.writeInt(1);
              out.writeInt(2);
              out.writeDouble(0.05);
              filter.writeTo(out);
              return bytes.toByteArray();
            }));
    folder.finish();
  }

  private static void druid() throws IOException {
    Folder folder = new Folder("druid", "org.apache.hive:hive-storage-api:2.7.0, in Base64");
    for (int keys : new int[] {1, 55, 400}) {
      BloomKFilter texts = new BloomKFilter(keys);
      folder.<String>add(
          "string-n" + keys,
          "string",
          keys,
          keys,
          "0.05",
          new Folder.Filter<>(texts::addString, texts::testString, () -> base64(texts)));
      BloomKFilter longs = new BloomKFilter(keys);
      folder.<Long>add(
          "long-n" + keys,
          "long-mixed",
          keys,
          keys,
          "0.05",
          new Folder.Filter<>(longs::addLong, longs::testLong, () -> base64(longs)));
    }
    BloomKFilter ints = new BloomKFilter(70);
    folder.<Integer>add(
        "int-n70",
        "int-mixed",
        70,
        70,
        "0.05",
        new Folder.Filter<>(ints::addInt, ints::testInt, () -> base64(ints)));
    folder.finish();
  }

  private static byte[] base64(BloomKFilter filter) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BloomKFilter.serialize(bytes, filter);
    return Base64.getEncoder().encode(bytes.toByteArray());
  }

  private static void hudi() throws IOException {
    Folder folder = new Folder("hudi", "org.apache.hudi:hudi-common:1.0.2");
    for (int keys : new int[] {1, 30, 300}) {
      for (BloomFilterTypeCode type : BloomFilterTypeCode.values()) {
        var filter = BloomFilterFactory.createBloomFilter(keys, 0.001, 5 * keys, type.name());
        folder.<String>add(
            type.name().toLowerCase(Locale.ROOT) + "-n" + keys,
            "string",
            type == BloomFilterTypeCode.SIMPLE ? keys : 4 * keys,
            keys,
            "0.001",
            new Folder.Filter<>(
                filter::add,
                filter::mightContain,
                () -> filter.serializeToString().getBytes(StandardCharsets.US_ASCII)));
      }
    }
    folder.finish();
  }

  /** A funnel of an application, with parents, strings, arrays, maps, and references to these. */
  private static final class OwnFunnel extends ArrayList<Object> implements Funnel<String> {

    private final Map<String, int[]> unused = new TreeMap<>(Map.of("a", new int[] {1, 2}));
    private final Object[] shared = {
      unused, "a", String.class, 1.5, Thread.State.NEW, null, unused
    };
    private final long number = 1;

    OwnFunnel() {
      add("a");
      add(shared);
    }

    @Override
    public void funnel(String from, PrimitiveSink into) {
      into.putString(from, StandardCharsets.UTF_8);
    }
  }

  private static void guavaJava() throws IOException {
    Folder folder = new Folder("guava-java", "com.google.guava:guava:33.8.0-jre");
    folder.add(
        "string-n700",
        "string",
        700,
        700,
        "0.01",
        java(BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), 700, 0.01)));
    folder.add(
        "unencodedchars-n20",
        "string",
        20,
        java(BloomFilter.create(Funnels.unencodedCharsFunnel(), 20, 0.001)));
    folder.add(
        "bytes-n30",
        "bytes-sha512",
        30,
        java(BloomFilter.create(Funnels.byteArrayFunnel(), 30, 0.1)));
    folder.add(
        "long-n99", "long-mixed", 99, java(BloomFilter.create(Funnels.longFunnel(), 99, 0.02)));
    folder.add(
        "int-n5", "int-mixed", 5, java(BloomFilter.create(Funnels.integerFunnel(), 5, 0.02)));
    folder.add("own-funnel", "string", 50, java(BloomFilter.create(new OwnFunnel(), 50, 0.02)));
    folder.add("mitz32-n40", "bytes-sha512", 40, java(mitz32(40, 0.01)));
    Funnel<String> lambda =
        (Funnel<String> & Serializable)
            (text, into) -> into.putString(text, StandardCharsets.UTF_8);
    folder.add("lambda", "string", 50, java(BloomFilter.create(lambda, 50, 0.02)));
    folder.finish();
  }

  /** Returns a filter as Guava 12 to 16 make it, which later ones read but do not make. */
  @SuppressWarnings("unchecked")
  private static BloomFilter<byte[]> mitz32(long keys, double rate) {
    try {
      Class<?> strategy = Class.forName("com.google.common.hash.BloomFilter$Strategy");
      Method create =
          BloomFilter.class.getDeclaredMethod(
              "create", Funnel.class, long.class, double.class, strategy);
      create.setAccessible(true);
      Class<?> strategies = Class.forName("com.google.common.hash.BloomFilterStrategies");
      return (BloomFilter<byte[]>)
          create.invoke(
              null, Funnels.byteArrayFunnel(), keys, rate, strategies.getEnumConstants()[0]);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <K> Folder.Filter<K> java(BloomFilter<K> filter) {
    return new Folder.Filter<>(
        filter::put,
        filter::mightContain,
        () -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(filter);
          }
          return bytes.toByteArray();
        });
  }

  private static void hadoop() throws IOException {
    Folder folder = new Folder("hadoop", "org.apache.hadoop:hadoop-client-api:3.4.3");
    for (int hash : new int[] {Hash.JENKINS_HASH, Hash.MURMUR_HASH}) {
      String name = hash == Hash.JENKINS_HASH ? "jenkins" : "murmur";
      for (int bits : new int[] {70, 9585, 13}) {
        folder.add(
            "bloom-" + name + "-m" + bits,
            "bytes-sha512",
            bits / 10,
            hadoop(new org.apache.hadoop.util.bloom.BloomFilter(bits, 7, hash)));
      }
      folder.add("counting-" + name, "string", 100, hadoop(new CountingBloomFilter(963, 5, hash)));
      folder.add(
          "dynamic-" + name,
          "bytes-sha512",
          500,
          hadoop(new DynamicBloomFilter(1201, 4, hash, 120)));
    }
    folder.add("counting-full", "string", 400, hadoop(new CountingBloomFilter(67, 3, 1)));
    mapFile(folder, "dynamic-map-file", 300, 200, "0.005");
    mapFile(folder, "dynamic-map-file-n1", 1, 1, "0.3");
    mapFile(folder, "dynamic-map-file-text", 300, 1000, "0.01");
    folder.finish();
  }

  /** Writes the file {@code bloom} of a BloomMapFile of longs, or of texts that are as long. */
  private static void mapFile(Folder folder, String file, int keys, int expected, String rate)
      throws IOException {
    boolean isText = file.endsWith("text");
    Configuration conf = new Configuration();
    conf.setInt("io.mapfile.bloom.size", expected);
    conf.set("io.mapfile.bloom.error.rate", rate);
    Path path = Files.createTempDirectory("map");
    org.apache.hadoop.fs.Path map = new org.apache.hadoop.fs.Path(path.toUri());
    try (BloomMapFile.Writer writer =
        new BloomMapFile.Writer(
            conf,
            map,
            MapFile.Writer.keyClass(isText ? Text.class : LongWritable.class),
            MapFile.Writer.valueClass(NullWritable.class),
            SequenceFile.Writer.compression(SequenceFile.CompressionType.NONE))) {
      for (long key = 0; key < keys; key++) {
        writer.append(
            isText ? new Text(Folder.text("key-", (int) key)) : new LongWritable(key),
            NullWritable.get());
      }
    }
    try (BloomMapFile.Reader reader = new BloomMapFile.Reader(map, conf)) {
      folder.<Object>add(
          file,
          isText ? "text-of-any-length" : "long",
          keys,
          expected,
          rate,
          new Folder.Filter<>(
              key -> {},
              key -> {
                try {
                  return reader.probablyHasKey(
                      key instanceof Long number
                          ? new LongWritable(number)
                          : new Text((String) key));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              },
              () -> Files.readAllBytes(path.resolve("bloom"))));
    }
  }

  private static Folder.Filter<Object> hadoop(org.apache.hadoop.util.bloom.Filter filter) {
    return new Folder.Filter<>(
        key -> filter.add(key(key)), key -> filter.membershipTest(key(key)), () -> bytes(filter));
  }

  private static Key key(Object key) {
    return new Key(
        key instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : (byte[]) key);
  }

  private static byte[] bytes(Writable writable) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writable.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
