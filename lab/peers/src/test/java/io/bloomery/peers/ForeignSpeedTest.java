package io.bloomery.peers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomery.BloomFilterView;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ItemEncoding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Queries of one and the same filter, by the library that it is of and by {@code interop}, in
 * turns: the median of the ratios of 61 rounds. On a quiet machine they lie within 5 % of each
 * other from run to run; the limit leaves a quarter to a busy one.
 */
class ForeignSpeedTest {

  private static final int KEYS = 100_000;
  private static final int ASKED = 20_000;
  private static final int ROUNDS = 61;
  private static final double LIMIT = 1.25;

  private static final List<String> TEXTS =
      IntStream.range(0, 2 * KEYS).mapToObj(i -> "https://example.org/item/" + i).toList();
  private static final List<Long> LONGS =
      LongStream.range(0, 2 * KEYS).map(i -> i * 0x9E3779B97F4A7C15L).boxed().toList();
  private static final List<byte[]> BYTES =
      TEXTS.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();

  private static int found; // so that no answer is left out

  private static <K> long nanos(Predicate<K> filter, List<K> keys, int from) {
    long start = System.nanoTime();
    for (int i = 0; i < ASKED; i++) {
      // A member, then one that is none, and so on.
      found += filter.test(keys.get((from + i * 7_919) % (2 * KEYS))) ? 1 : 0;
    }
    return System.nanoTime() - start;
  }

  private static <K> void compare(
      String name, Predicate<K> theirs, BloomFilterView<K> ours, List<K> keys) {
    double[] ratios = new double[ROUNDS];
    for (int round = -20; round < ROUNDS; round++) {
      int from = Math.floorMod(round * 104_729, 2 * KEYS);
      long first = nanos(theirs, keys, from);
      long second = nanos(ours, keys, from);
      if (round >= 0) {
        ratios[round] = (double) second / first;
      }
    }
    Arrays.sort(ratios);
    double median = ratios[ROUNDS / 2];
    System.out.println(name + ": " + median + " of theirs");
    assertTrue(found > ASKED, found + " found");
    assertTrue(median <= LIMIT, () -> name + ": " + median);
  }

  private static <K> ForeignFilter filled(
      ForeignFormat format, List<K> keys, ItemEncoding<K> encoding) {
    ForeignFilter filter = format.create(KEYS, 0.01);
    for (int i = 0; i < 2 * KEYS; i += 2) {
      filter.put(keys.get(i), encoding);
    }
    return filter;
  }

  private static ItemEncoding<String> texts() {
    return ItemEncoding.utf8().compose(text -> text);
  }

  @Test
  @Tag("nightly")
  void queriesAreNotSlowerThanThoseOfTheLibraryItself() throws IOException {
    ForeignFilter texts = filled(ForeignFormat.GUAVA, TEXTS, texts());
    BloomFilter<CharSequence> guavaTexts =
        BloomFilter.readFrom(
            new ByteArrayInputStream(texts.toBytes()),
            Funnels.stringFunnel(StandardCharsets.UTF_8));
    compare("guava, texts", guavaTexts::mightContain, texts.view(texts()), TEXTS);

    ForeignFilter bytes = filled(ForeignFormat.GUAVA, BYTES, ItemEncoding.bytes());
    BloomFilter<byte[]> guavaBytes =
        BloomFilter.readFrom(new ByteArrayInputStream(bytes.toBytes()), Funnels.byteArrayFunnel());
    compare("guava, bytes", guavaBytes::mightContain, bytes.view(ItemEncoding.bytes()), BYTES);

    ForeignFilter longs = filled(ForeignFormat.GUAVA, LONGS, ItemEncoding.longsLittleEndian());
    BloomFilter<Long> guavaLongs =
        BloomFilter.readFrom(new ByteArrayInputStream(longs.toBytes()), Funnels.longFunnel());
    compare(
        "guava, longs",
        guavaLongs::mightContain,
        longs.view(ItemEncoding.longsLittleEndian()),
        LONGS);

    for (ForeignFormat format : List.of(ForeignFormat.SPARK_V1, ForeignFormat.SPARK_V2)) {
      ForeignFilter sparkTexts = filled(format, TEXTS, texts());
      var theirs = org.apache.spark.util.sketch.BloomFilter.readFrom(sparkTexts.toBytes());
      compare(format + ", texts", theirs::mightContainString, sparkTexts.view(texts()), TEXTS);
      ForeignFilter sparkLongs = filled(format, LONGS, ItemEncoding.longsLittleEndian());
      var theirLongs = org.apache.spark.util.sketch.BloomFilter.readFrom(sparkLongs.toBytes());
      compare(
          format + ", longs",
          theirLongs::mightContainLong,
          sparkLongs.view(ItemEncoding.longsLittleEndian()),
          LONGS);
    }

    ForeignFilter parquet = filled(ForeignFormat.PARQUET_BITSET, TEXTS, texts());
    BlockSplitBloomFilter blocks = new BlockSplitBloomFilter(parquet.toBytes());
    compare(
        "parquet, texts",
        text -> blocks.findHash(blocks.hash(Binary.fromString(text))),
        parquet.view(texts()),
        TEXTS);
  }
}
