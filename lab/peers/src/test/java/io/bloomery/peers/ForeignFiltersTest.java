package io.bloomery.peers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ForeignParameters;
import io.bloomery.interop.ItemEncoding;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.datasketches.memory.Memory;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.bloom.Filter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hive.common.util.BloomKFilter;
import org.apache.orc.OrcFile;
import org.apache.orc.OrcProto;
import org.apache.orc.TypeDescription;
import org.apache.orc.util.BloomFilterIO;
import org.apache.orc.util.BloomFilterUtf8;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.format.BloomFilterHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;

/**
 * What {@code interop} makes for drawn keys, numbers and rates is, to the byte, what the libraries
 * themselves make, and they read it.
 */
class ForeignFiltersTest {

  private static final int DRAWS = 12;

  /** Empty filters, of which only the sizes are compared. */
  private static final int SIZES = 150;

  /** Keys of every kind, for a filter of this size. */
  private record Draw(
      long keys, double rate, List<byte[]> bytes, List<String> texts, List<Long> longs) {

    static List<Draw> some() {
      SplittableRandom random = new SplittableRandom(28);
      List<Draw> draws = new ArrayList<>();
      for (int i = 0; i < DRAWS; i++) {
        int keys = 1 + random.nextInt(i == 0 ? 1 : 700);
        List<byte[]> bytes = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (int j = 0; j < keys; j++) {
          byte[] key = new byte[random.nextInt(70)];
          random.nextBytes(key);
          bytes.add(key);
          texts.add(text(random));
        }
        draws.add(new Draw(keys, rate(random), bytes, texts, random.longs(keys).boxed().toList()));
      }
      return draws;
    }

    // Letters of one to four bytes, and surrogates without their partner.
    private static String text(SplittableRandom random) {
      StringBuilder text = new StringBuilder();
      for (int i = 1 + random.nextInt(20); i > 0; i--) {
        switch (random.nextInt(5)) {
          case 0 -> text.append((char) (0x80 + random.nextInt(0x700)));
          case 1 -> text.append((char) (0x800 + random.nextInt(0xd000)));
          case 2 -> text.appendCodePoint(0x10000 + random.nextInt(0x100000));
          case 3 -> text.append((char) (0xd800 + random.nextInt(0x800)));
          default -> text.append((char) (' ' + random.nextInt(90)));
        }
      }
      return text.toString();
    }

    static double rate(SplittableRandom random) {
      return Math.pow(10, -5 * random.nextDouble()) * 0.9;
    }
  }

  /** Writes what a library has. */
  private interface Writing {
    void to(ByteArrayOutputStream out) throws IOException;
  }

  private static byte[] written(Writing writing) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writing.to(out);
    return out.toByteArray();
  }

  /** Makes the empty filter of a library. */
  private interface Creation {
    byte[] of(long keys, double rate) throws IOException;
  }

  private static void assertSizesAreEqual(ForeignFormat format, Creation peer) throws IOException {
    SplittableRandom random = new SplittableRandom(2800);
    for (int i = 0; i < SIZES; i++) {
      long keys = 1 + (long) Math.pow(10, 5 * random.nextDouble());
      double rate = Draw.rate(random);
      byte[] theirs = peer.of(keys, rate);
      assertArrayEquals(
          theirs, format.create(keys, rate).toBytes(), format + ", " + keys + " at " + rate);
    }
  }

  private static <K> void assertAll(Predicate<K> peer, List<K> keys) {
    assertTrue(keys.stream().allMatch(peer));
  }

  @Test
  void guava() throws IOException {
    assertSizesAreEqual(
        ForeignFormat.GUAVA,
        (keys, rate) ->
            written(BloomFilter.create(Funnels.byteArrayFunnel(), keys, rate)::writeTo));
    for (Draw draw : Draw.some()) {
      guava(draw, draw.bytes, Funnels.byteArrayFunnel(), ItemEncoding.bytes());
      guava(draw, draw.texts, Funnels.stringFunnel(UTF_8), ItemEncoding.utf8());
      guava(draw, draw.texts, Funnels.unencodedCharsFunnel(), ItemEncoding.utf16LittleEndian());
      guava(draw, draw.longs, Funnels.longFunnel(), ItemEncoding.longsLittleEndian());
      List<Integer> ints = draw.longs.stream().map(Long::intValue).toList();
      guava(draw, ints, Funnels.integerFunnel(), ItemEncoding.intsLittleEndian());
    }
  }

  private static <K> void guava(
      Draw draw, List<K> keys, Funnel<? super K> funnel, ItemEncoding<? super K> encoding)
      throws IOException {
    BloomFilter<K> theirs = BloomFilter.create(funnel, draw.keys, draw.rate);
    keys.forEach(theirs::put);
    ForeignFilter ours = ForeignFormat.GUAVA.create(draw.keys, draw.rate);
    ours.putAll(keys, encoding);
    assertArrayEquals(written(theirs::writeTo), ours.toBytes());
    assertAll(BloomFilter.readFrom(new ByteArrayInputStream(ours.toBytes()), funnel), keys);
  }

  @Test
  void unionsAreThoseOfTheLibraries() throws Exception {
    Draw some = Draw.some().get(1);
    List<String> one = some.texts.subList(0, some.texts.size() / 2);
    List<String> two = some.texts.subList(some.texts.size() / 3, some.texts.size());

    BloomFilter<CharSequence> guava =
        BloomFilter.create(Funnels.stringFunnel(UTF_8), some.keys, some.rate);
    BloomFilter<CharSequence> guavas = guava.copy();
    one.forEach(guava::put);
    two.forEach(guavas::put);
    guava.putAll(guavas);
    assertArrayEquals(written(guava::writeTo), union(ForeignFormat.GUAVA, some, one, two));

    for (ForeignFormat format : List.of(ForeignFormat.SPARK_V1, ForeignFormat.SPARK_V2)) {
      var spark = spark(format, some.keys, some.rate, 0);
      var sparks = spark(format, some.keys, some.rate, 0);
      one.forEach(spark::putString);
      two.forEach(sparks::putString);
      spark.mergeInPlace(sparks);
      assertArrayEquals(written(spark::writeTo), union(format, some, one, two));
    }

    BlockSplitBloomFilter parquet = parquet(some.keys, some.rate);
    BlockSplitBloomFilter parquets = parquet(some.keys, some.rate);
    one.forEach(key -> parquet.insertHash(parquet.hash(Binary.fromString(key))));
    two.forEach(key -> parquets.insertHash(parquets.hash(Binary.fromString(key))));
    parquet.merge(parquets);
    assertArrayEquals(
        written(parquet::writeTo), union(ForeignFormat.PARQUET_BITSET, some, one, two));

    var orc = new BloomFilterUtf8(some.keys, some.rate);
    var orcs = new BloomFilterUtf8(some.keys, some.rate);
    one.forEach(orc::addString);
    two.forEach(orcs::addString);
    orc.merge(orcs);
    assertArrayEquals(written(orc), union(ForeignFormat.ORC_UTF8, some, one, two));

    BloomKFilter hive = BloomKFilter.build(some.keys);
    BloomKFilter hives = BloomKFilter.build(some.keys);
    one.forEach(hive::addString);
    two.forEach(hives::addString);
    hive.merge(hives);
    Draw blocks = new Draw(some.keys, 0.05, some.bytes, some.texts, some.longs);
    assertArrayEquals(
        written(out -> BloomKFilter.serialize(out, hive)),
        union(ForeignFormat.HIVE_BLOOMK, blocks, one, two));
  }

  private static byte[] union(ForeignFormat format, Draw draw, List<String> one, List<String> two) {
    ForeignFilter union = format.create(draw.keys, draw.rate);
    union.putAll(one, ItemEncoding.utf8());
    ForeignFilter other = format.create(draw.keys, draw.rate);
    other.putAll(two, ItemEncoding.utf8());
    union.putAll(other);
    return union.toBytes();
  }

  @Test
  @SuppressWarnings("unchecked")
  void guavaByJavaSerialization() throws Exception {
    for (Draw draw : Draw.some()) {
      BloomFilter<CharSequence> theirs =
          BloomFilter.create(Funnels.stringFunnel(UTF_8), draw.keys, draw.rate);
      draw.texts.forEach(theirs::put);
      ForeignFilter ours = ForeignFormat.GUAVA_JAVA.create(draw.keys, draw.rate);
      ours.putAll(draw.texts, ItemEncoding.utf8());
      byte[] stream = written(out -> new ObjectOutputStream(out).writeObject(theirs));
      assertArrayEquals(stream, ours.toBytes());
      assertArrayEquals(stream, ForeignFormat.GUAVA_JAVA.read(stream).toBytes());
      assertEquals(
          theirs, new ObjectInputStream(new ByteArrayInputStream(ours.toBytes())).readObject());
    }
  }

  @Test
  void spark() throws IOException {
    for (ForeignFormat format : List.of(ForeignFormat.SPARK_V1, ForeignFormat.SPARK_V2)) {
      assertSizesAreEqual(format, (keys, rate) -> written(spark(format, keys, rate, 0)::writeTo));
      for (Draw draw : Draw.some()) {
        int seed = format == ForeignFormat.SPARK_V2 ? draw.longs.get(0).intValue() : 0;
        org.apache.spark.util.sketch.BloomFilter theirs = spark(format, draw.keys, draw.rate, seed);
        ForeignParameters parameters = ForeignParameters.expect(draw.keys, draw.rate);
        ForeignFilter ours =
            format.create(format == ForeignFormat.SPARK_V2 ? parameters.seed(seed) : parameters);
        draw.texts.forEach(theirs::putString);
        ours.putAll(draw.texts, ItemEncoding.utf8());
        draw.bytes.forEach(theirs::putBinary);
        ours.putAll(draw.bytes, ItemEncoding.bytes());
        for (long key : draw.longs) {
          theirs.putLong(key);
          theirs.put((int) key);
        }
        ours.putAll(draw.longs, ItemEncoding.longsLittleEndian());
        ours.putAll(
            draw.longs.stream().map(Long::intValue).toList(),
            ItemEncoding.longsLittleEndian().compose(Integer::longValue));
        assertArrayEquals(written(theirs::writeTo), ours.toBytes());
        org.apache.spark.util.sketch.BloomFilter read =
            org.apache.spark.util.sketch.BloomFilter.readFrom(ours.toBytes());
        assertAll(read::mightContainString, draw.texts);
        assertAll(read::mightContainBinary, draw.bytes);
      }
    }
  }

  private static org.apache.spark.util.sketch.BloomFilter spark(
      ForeignFormat format, long keys, double rate, int seed) {
    return org.apache.spark.util.sketch.BloomFilter.create(
        format == ForeignFormat.SPARK_V1
            ? org.apache.spark.util.sketch.BloomFilter.Version.V1
            : org.apache.spark.util.sketch.BloomFilter.Version.V2,
        keys,
        org.apache.spark.util.sketch.BloomFilter.optimalNumOfBits(keys, rate),
        seed);
  }

  private static BlockSplitBloomFilter parquet(long keys, double rate) {
    return new BlockSplitBloomFilter(BlockSplitBloomFilter.optimalNumOfBits(keys, rate) / 8);
  }

  @Test
  void parquet() throws IOException {
    assertSizesAreEqual(
        ForeignFormat.PARQUET_BITSET, (keys, rate) -> written(parquet(keys, rate)::writeTo));
    for (Draw draw : Draw.some()) {
      BlockSplitBloomFilter theirs = parquet(draw.keys, draw.rate);
      ForeignFilter ours = ForeignFormat.PARQUET.create(draw.keys, draw.rate);
      draw.texts.forEach(text -> theirs.insertHash(theirs.hash(Binary.fromString(text))));
      ours.putAll(draw.texts, ItemEncoding.utf8());
      draw.bytes.forEach(key -> theirs.insertHash(theirs.hash(Binary.fromConstantByteArray(key))));
      ours.putAll(draw.bytes, ItemEncoding.bytes());
      for (long key : draw.longs) {
        theirs.insertHash(theirs.hash(key));
        theirs.insertHash(theirs.hash((int) key));
        theirs.insertHash(theirs.hash(Double.longBitsToDouble(key & ~(1L << 62))));
        ours.put(key, ItemEncoding.longsLittleEndian());
        ours.put((int) key, ItemEncoding.intsLittleEndian());
        ours.put(key & ~(1L << 62), ItemEncoding.longsLittleEndian());
      }
      assertArrayEquals(written(theirs::writeTo), ours.as(ForeignFormat.PARQUET_BITSET).toBytes());

      ByteArrayInputStream framed = new ByteArrayInputStream(ours.toBytes());
      BloomFilterHeader header = Util.readBloomFilterHeader(framed);
      assertTrue(header.getAlgorithm().isSetBLOCK());
      assertTrue(header.getHash().isSetXXHASH());
      assertTrue(header.getCompression().isSetUNCOMPRESSED());
      byte[] blocks = framed.readAllBytes();
      assertEquals(header.getNumBytes(), blocks.length);
      BlockSplitBloomFilter read = new BlockSplitBloomFilter(blocks);
      assertAll(text -> read.findHash(read.hash(Binary.fromString(text))), draw.texts);
      byte[] theirFrame =
          written(
              out -> {
                Util.writeBloomFilterHeader(header, out);
                theirs.writeTo(out);
              });
      assertArrayEquals(theirFrame, ours.toBytes());
    }
  }

  private static byte[] written(org.apache.orc.util.BloomFilter filter) {
    OrcProto.BloomFilter.Builder message = OrcProto.BloomFilter.newBuilder();
    BloomFilterIO.serialize(message, filter);
    return message.build().toByteArray();
  }

  @Test
  void orc() throws IOException {
    assertSizesAreEqual(
        ForeignFormat.ORC_UTF8, (keys, rate) -> written(new BloomFilterUtf8(keys, rate)));
    assertSizesAreEqual(
        ForeignFormat.ORC,
        (keys, rate) -> written(new org.apache.orc.util.BloomFilter(keys, rate)));
    for (Draw draw : Draw.some()) {
      org.apache.orc.util.BloomFilter theirs = new BloomFilterUtf8(draw.keys, draw.rate);
      ForeignFilter ours = ForeignFormat.ORC_UTF8.create(draw.keys, draw.rate);
      draw.texts.forEach(theirs::addString);
      ours.putAll(draw.texts, ItemEncoding.utf8());
      draw.bytes.forEach(theirs::add);
      ours.putAll(draw.bytes, ItemEncoding.bytes());
      for (long key : draw.longs) {
        theirs.addLong(key);
        ours.put(key, ItemEncoding.hiveLongs());
      }
      assertArrayEquals(written(theirs), ours.toBytes());
      org.apache.orc.util.BloomFilter read =
          BloomFilterIO.deserialize(
              OrcProto.Stream.Kind.BLOOM_FILTER_UTF8,
              OrcProto.ColumnEncoding.newBuilder()
                  .setKind(OrcProto.ColumnEncoding.Kind.DIRECT)
                  .setBloomEncoding(1)
                  .build(),
              OrcFile.WriterVersion.ORC_135,
              TypeDescription.Category.STRING,
              OrcProto.BloomFilter.parseFrom(ours.toBytes()));
      assertAll(read::testString, draw.texts);
      assertAll(read::test, draw.bytes);
      assertAll(read::testLong, draw.longs);
    }
  }

  @Test
  void hive() throws IOException {
    assertSizesAreEqual(
        ForeignFormat.HIVE_2_5,
        (keys, rate) -> {
          var empty = org.apache.hive.common.util.BloomFilter.build(keys, rate);
          return written(out -> org.apache.hive.common.util.BloomFilter.serialize(out, empty));
        });
    for (long keys = 1; keys < 20_000; keys += 1 + keys / 50) {
      BloomKFilter empty = BloomKFilter.build(keys);
      assertArrayEquals(
          written(out -> BloomKFilter.serialize(out, empty)),
          ForeignFormat.HIVE_BLOOMK.create(keys, 0.05).toBytes(),
          keys + " keys");
    }
    for (Draw draw : Draw.some()) {
      var theirs = org.apache.hive.common.util.BloomFilter.build(draw.keys, draw.rate);
      BloomKFilter theirBlocks = BloomKFilter.build(draw.keys);
      ForeignFilter ours = ForeignFormat.HIVE_2_5.create(draw.keys, draw.rate);
      ForeignFilter ourBlocks = ForeignFormat.HIVE_BLOOMK.create(draw.keys, 0.05);
      for (String text : draw.texts) {
        theirs.addString(text);
        theirBlocks.addString(text);
      }
      ours.putAll(draw.texts, ItemEncoding.utf8());
      ourBlocks.putAll(draw.texts, ItemEncoding.utf8());
      for (byte[] key : draw.bytes) {
        theirs.add(key);
        theirBlocks.add(key);
      }
      ours.putAll(draw.bytes, ItemEncoding.bytes());
      ourBlocks.putAll(draw.bytes, ItemEncoding.bytes());
      for (long key : draw.longs) {
        theirs.addLong(key);
        theirBlocks.addLong(key);
        theirBlocks.addInt((int) key);
        ours.put(key, ItemEncoding.hiveLongs());
        ourBlocks.put(key, ItemEncoding.longsBigEndian());
        ourBlocks.put((int) key, ItemEncoding.intsBigEndian());
      }
      assertArrayEquals(
          written(out -> org.apache.hive.common.util.BloomFilter.serialize(out, theirs)),
          ours.toBytes());
      assertArrayEquals(
          written(out -> BloomKFilter.serialize(out, theirBlocks)), ourBlocks.toBytes());
      var read =
          org.apache.hive.common.util.BloomFilter.deserialize(
              new ByteArrayInputStream(ours.toBytes()));
      assertAll(read::testString, draw.texts);
      assertAll(read::testLong, draw.longs);
      BloomKFilter readBlocks =
          BloomKFilter.deserialize(new ByteArrayInputStream(ourBlocks.toBytes()));
      assertAll(readBlocks::testString, draw.texts);
      assertAll(readBlocks::testLong, draw.longs);
    }
  }

  @Test
  void hadoop() throws IOException {
    hadoop(ForeignFormat.HADOOP, org.apache.hadoop.util.bloom.BloomFilter::new);
    hadoop(ForeignFormat.HADOOP_JENKINS, org.apache.hadoop.util.bloom.BloomFilter::new);
    hadoop(ForeignFormat.HADOOP_COUNTING, CountingBloomFilter::new);
    hadoop(ForeignFormat.HADOOP_DYNAMIC, DynamicBloomFilter::new);
  }

  private static void hadoop(ForeignFormat format, Supplier<? extends Filter> unread)
      throws IOException {
    for (Draw draw : Draw.some()) {
      ForeignFilter ours = format.create(draw.keys, draw.rate);
      Filter theirs = read(unread, ours);
      List<byte[]> keys = draw.bytes.stream().filter(key -> key.length > 0).toList();
      keys.forEach(key -> theirs.add(new Key(key)));
      ours.putAll(keys, ItemEncoding.bytes());
      for (String text : draw.texts) { // in a dynamic filter, of more rows than one
        byte[] utf8 = text.getBytes(UTF_8);
        theirs.add(
            new Key(
                written(
                    out -> {
                      WritableUtils.writeVInt(new DataOutputStream(out), utf8.length);
                      out.write(utf8);
                    })));
      }
      ours.putAll(draw.texts, ItemEncoding.hadoopTexts());
      assertArrayEquals(
          written(out -> theirs.write(new DataOutputStream(out))), ours.toBytes(), format::id);
      Filter read = read(unread, ours);
      assertAll(key -> read.membershipTest(new Key(key)), keys);
    }
  }

  private static Filter read(Supplier<? extends Filter> unread, ForeignFilter filter)
      throws IOException {
    Filter read = unread.get();
    read.readFields(new DataInputStream(new ByteArrayInputStream(filter.toBytes())));
    return read;
  }

  @Test
  void dataSketches() throws IOException {
    assumeTrue(new DataSketchesPeer().runsHere());
    assertSizesAreEqual(
        ForeignFormat.DATASKETCHES,
        (keys, rate) -> BloomFilterBuilder.createByAccuracy(keys, rate, 9001).toByteArray());
    for (Draw draw : Draw.some()) {
      long seed = draw.longs.get(0);
      var theirs = BloomFilterBuilder.createByAccuracy(draw.keys, draw.rate, seed);
      ForeignFilter ours =
          ForeignFormat.DATASKETCHES.create(
              ForeignParameters.expect(draw.keys, draw.rate).seed(seed));
      draw.texts.forEach(theirs::queryAndUpdate);
      ours.putAll(draw.texts, ItemEncoding.utf8UnlessEmpty());
      theirs.queryAndUpdate("");
      ours.put("", ItemEncoding.utf8UnlessEmpty());
      for (byte[] key : draw.bytes) {
        theirs.queryAndUpdate(key);
      }
      ours.putAll(draw.bytes, ItemEncoding.bytes());
      for (long key : draw.longs) {
        theirs.queryAndUpdate(key);
        ours.put(key, ItemEncoding.longsLittleEndian());
      }
      assertArrayEquals(theirs.toByteArray(), ours.toBytes());
      var read =
          org.apache.datasketches.filters.bloomfilter.BloomFilter.heapify(
              Memory.wrap(ours.toBytes()));
      assertAll(read::query, draw.texts);
      assertAll(read::query, draw.longs);
    }
  }
}
