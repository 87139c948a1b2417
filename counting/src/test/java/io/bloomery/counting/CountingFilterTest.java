package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import io.bloomery.internal.Batches;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what one filter promises its users. */
@ParameterizedClass(name = "{0}")
@EnumSource(CountingVariant.class)
class CountingFilterTest {

  private static final long HASH = 0x123456789abcdef0L;
  private static final long MAX = 1L << 62;

  /** As many as the numbers of pairs and of both rotations tell apart. */
  private static final int HASHES_OF_PAIRS = 1 << 17;

  private final CountingVariant variant;

  CountingFilterTest(CountingVariant variant) {
    this.variant = variant;
  }

  private CounterBlockFilter<?> filter(long keys, double rate, ThreadMode mode) {
    return variant.create(FilterSpec.of(keys, rate), mode);
  }

  private CounterBlockFilter<?> filter(long keys) {
    return filter(keys, 0.01, ThreadMode.SHARED);
  }

  private CounterBlockFilter<?> filterOf(int blocks, int probesPerWord) {
    return variant.filterOf(blocks, probesPerWord, variant.countBits);
  }

  @ParameterizedTest
  @EnumSource
  void everyPutOfAKeyCountsAndOnlyTheFirstIsNew(ThreadMode mode) {
    CounterBlockFilter<?> filter = filter(100, 0.01, mode);
    assertFalse(filter.mightContain(HASH));
    assertEquals(0, filter.approximateCount(HASH));
    assertTrue(filter.put(HASH));
    for (int count = 2; count <= 20; count++) {
      assertFalse(filter.put(HASH));
      assertTrue(filter.mightContain(HASH));
      assertEquals(count, filter.approximateCount(HASH));
    }
  }

  /** Small filters by one thread, large ones of both modes by each in its own way. */
  @ParameterizedTest
  @EnumSource
  void aParallelStreamIsCollectedWithAllItsCounts(ThreadMode mode) {
    // The smallest takes less than the hashes.
    for (int expected : new int[] {500, 50_000, 1_000_000}) {
      FilterBuilder<Long> asked =
          Bloomery.with(variant.provider())
              .<Long>keys(KeyHasher.longs())
              .expect(expected)
              .variant(variant.provider());
      FilterBuilder<Long> builder = mode == ThreadMode.CONFINED ? asked.confined() : asked;
      BloomFilter<Long> looped = builder.create();
      LongStream.range(0, 30_000).forEach(i -> looped.put(i % 500));
      BloomFilter<Long> collected =
          LongStream.range(0, 30_000).parallel().mapToObj(i -> i % 500).collect(builder.toFilter());
      assertArrayEquals(PayloadWords.of(looped.filter()), PayloadWords.of(collected.filter()));
    }
  }

  @ParameterizedTest(name = "{0} times")
  @ValueSource(ints = {1, 2, 3, 4, 5, 8, 16, 17, 255, 256, 70_000})
  void asManyRemovesAsPutsLeaveTheBytesOfAnEmptyFilter(int times) {
    for (ThreadMode mode : ThreadMode.values()) {
      CounterBlockFilter<?> filter = filter(100, 0.01, mode);
      long[] empty = PayloadWords.of(filter);
      for (int i = 0; i < times; i++) {
        filter.put(HASH);
      }
      assertEquals(times, filter.approximateCount(HASH));
      for (int left = times - 1; left >= 0; left--) {
        assertTrue(filter.remove(HASH));
        assertEquals(left > 0, filter.mightContain(HASH));
      }
      assertFalse(filter.remove(HASH));
      assertArrayEquals(empty, PayloadWords.of(filter));
    }
  }

  @Test
  void removingWhatIsAbsentChangesNoByte() {
    SplittableRandom random = new SplittableRandom(1);
    CounterBlockFilter<?> filter = filter(200);
    for (int i = 0; i < 200; i++) {
      filter.put(random.nextLong());
    }
    long[] before = PayloadWords.of(filter);
    int absent = 0;
    for (int i = 0; i < 5_000; i++) {
      long hash = random.nextLong();
      if (!filter.mightContain(hash)) {
        assertFalse(filter.remove(hash));
        absent++;
      }
    }
    assertTrue(absent > 4_800, "of 5,000 all but about 50 must be absent, not " + absent);
    assertArrayEquals(before, PayloadWords.of(filter));
  }

  @ParameterizedTest(name = "{0} in a word")
  @ValueSource(ints = {1, 2, 3, 4})
  void positionsAreWhereTheFormatSays(int probesPerWord) {
    SplittableRandom random = new SplittableRandom(2);
    for (int blocks : new int[] {1, 3, 1_000}) {
      CounterBlockFilter<?> filter = filterOf(blocks, probesPerWord);
      // Besides the words that queries read, counts of 1 are zeros.
      long[] expected = new long[(int) variant.layout(filter).bytesOfBlocks() / Long.BYTES];
      for (int i = 0; i < 50; i++) {
        long hash = random.nextLong();
        filter.clear();
        filter.put(hash);
        Arrays.fill(expected, 0);
        mark(expected, hash, blocks, probesPerWord);
        assertTrue(filter.mightContain(hash));
        assertArrayEquals(expected, PayloadWords.of(filter));
        long[] told = new long[expected.length];
        long[] positions =
            variant.provider().positions(hash, blocks * 128L, 2 * probesPerWord).orElseThrow();
        for (long at : positions) {
          told[(int) at / 64] |= 1L << at;
        }
        assertArrayEquals(expected, told);
      }
    }
  }

  /** All hashes of a block, but for bits that say nothing of their positions. */
  @Test
  void fourPositionsNeverCoincideAndNoTwoHashesHaveTheSame() {
    Set<List<Long>> all = new HashSet<>();
    for (int i = 0; i < HASHES_OF_PAIRS; i++) {
      long hash = hashOfPair(i);
      long first = BlockProbes.first(hash, 2);
      long second = BlockProbes.second(hash, 2);
      assertEquals(2, Long.bitCount(first));
      assertEquals(2, Long.bitCount(second));
      all.add(List.of(first, second));
    }
    // Two opposite bits are the same when rotated by half a word.
    assertEquals(31 * 64 * 64 + 32 * 32, all.size());
  }

  /** Returns hashes that differ in the number of a pair and in its rotations. */
  private static long hashOfPair(int number) {
    return (long) number >>> 12 << 59 | (number & 0xfffL) << 32;
  }

  /** Sets the bits of a hash, by the words of the format's description. */
  private static void mark(long[] words, long hash, int blocks, int probesPerWord) {
    BigInteger low = BigInteger.valueOf(hash & 0xffff_ffffL);
    int first = low.multiply(BigInteger.valueOf(2L * blocks)).shiftRight(32).intValueExact();
    int second = first % 2 == 0 ? first + 1 : first - 1;
    String own = bits(hash);
    String product = bits(hash * 0x9e3779b97f4a7c15L);
    for (int word = 0; word < 2; word++) {
      for (int i = 0; i < probesPerWord; i++) {
        int bit;
        if (probesPerWord == 2) {
          int distance = number(own, 59, 5) + 1;
          bit = (number(own, 32 + 6 * word, 6) + i * distance) % 64;
        } else {
          bit = number(i < 2 ? own : product, 58 - 12 * word - 6 * (i % 2), 6);
        }
        words[word == 0 ? first : second] |= 1L << bit;
      }
    }
  }

  /** Returns the number that some bits of a number are, by how many lie below them. */
  private static int number(String bits, int from, int length) {
    return Integer.parseInt(bits.substring(64 - from - length, 64 - from), 2);
  }

  /** Returns the bits of a number, the highest first. */
  private static String bits(long number) {
    return String.format("%64s", Long.toBinaryString(number)).replace(' ', '0');
  }

  /** With three positions in a word, one key in 11 has some that coincide. */
  @Test
  void aPositionThatAKeyHasTwiceCountsOnce() {
    // Of the upper 24 bits, and of those of the product: position 0 of each word, three times.
    long hash = 0x8cccc9;
    CounterBlockFilter<?> filter = filterOf(1, 3);
    for (int i = 1; i <= 4; i++) {
      filter.put(hash);
      assertEquals(i, filter.approximateCount(hash));
    }
    long[] expected =
        switch (variant) {
          // Three bits of each word: the second to the fourth level, of one position each.
          case SMALL -> new long[] {1, 1, 7 | 7L << 48, 0};
          // The two positions are counted twice, and have two of four entries each.
          case FAST -> new long[] {1, 1, 1, 1, 64 << 14 | 64 << 21 | 4 << 28};
        };
    assertArrayEquals(expected, PayloadWords.of(filter));
    for (int i = 0; i < 4; i++) {
      assertTrue(filter.remove(hash));
    }
    assertArrayEquals(new long[expected.length], PayloadWords.of(filter));
  }

  @Test
  void selectFindsWhatSingleQueriesFind() {
    SplittableRandom random = new SplittableRandom(3);
    CounterBlockFilter<?> filter = filter(500);
    long[] hashes = random.longs(1_000).toArray();
    filter.putAll(hashes, 250, 750);
    int[] hits = new int[900];
    int found = filter.select(hashes, 100, 1_000, hits);
    int next = 0;
    for (int i = 100; i < 1_000; i++) {
      if (filter.mightContain(hashes[i])) {
        assertEquals(i, hits[next++]);
      }
    }
    assertEquals(next, found);
    assertTrue(found >= 500);
  }

  /** More than 1 MiB in each plane, so that batches fetch; rates for each number of probes. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(doubles = {0.01, 0.002, 2e-4})
  void batchesOfAnyLengthAndOffsetAreSingleCalls(double rate) {
    for (ThreadMode mode : ThreadMode.values()) {
      SplittableRandom random = new SplittableRandom(5);
      CounterBlockFilter<?> singles = filter(800_000, rate, mode);
      CounterBlockFilter<?> batches = filter(800_000, rate, mode);
      assertTrue(batches.layout().get("bits") / Long.SIZE > Batches.CACHED_WORDS);
      long[] hashes = random.longs(1_000).toArray();
      int[] hits = new int[1_000];
      assertEquals(0, batches.select(hashes, 3, 999, hits));
      for (int size : new int[] {0, 1, 63, 64, 65, 127, 128, 129, 300}) {
        int from = random.nextInt(1_000 - size);
        int added = 0;
        for (int i = from; i < from + size; i++) {
          added += singles.put(hashes[i]) ? 1 : 0;
        }
        assertEquals(added, batches.putAll(hashes, from, from + size));
        int found = batches.select(hashes, 1, 998, hits);
        int next = 0;
        for (int i = 1; i < 998; i++) {
          if (singles.mightContain(hashes[i])) {
            assertEquals(i, hits[next++]);
          }
        }
        assertEquals(next, found);
      }
      assertArrayEquals(PayloadWords.of(singles), PayloadWords.of(batches));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCopySharesNothing(ThreadMode mode) {
    CounterBlockFilter<?> filter = filter(50, 0.01, mode);
    for (int i = 0; i < 10; i++) {
      filter.put(HASH);
    }
    CounterBlockFilter<?> copy = filter.copy();
    assertNotSame(filter, copy);
    assertEquals(filter.layout(), copy.layout());
    assertEquals(filter.spec(), copy.spec());
    long[] before = PayloadWords.of(filter);
    assertArrayEquals(before, PayloadWords.of(copy));
    copy.put(~HASH);
    copy.put(HASH);
    assertArrayEquals(before, PayloadWords.of(filter));
    assertEquals(11, copy.approximateCount(HASH));
    filter.remove(HASH);
    assertEquals(11, copy.approximateCount(HASH));
  }

  /** The compiler must not read once and wait for ever. */
  @Test
  void aReaderThatSpinsSeesAPut() throws InterruptedException {
    CounterBlockFilter<?> filter = filter(50);
    AtomicBoolean seen = new AtomicBoolean();
    Thread reader =
        new Thread(
            () -> {
              while (!filter.mightContain(HASH)) {
                // Nothing else, so that the loop is compiled with the query alone in it.
              }
              seen.set(true);
            });
    reader.setDaemon(true);
    reader.start();
    Thread.sleep(500); // long enough for the compiler; nothing tells when it is done
    filter.put(HASH);
    reader.join(600_000);
    assertTrue(seen.get());
  }

  @Test
  void aClearedFilterIsAsNew() {
    CounterBlockFilter<?> filter = filter(50);
    long[] empty = PayloadWords.of(filter);
    for (int i = 0; i < 10; i++) {
      filter.put(HASH);
    }
    filter.clear();
    assertFalse(filter.mightContain(HASH));
    assertArrayEquals(empty, PayloadWords.of(filter));
  }

  @Test
  void mergingAddsCountsExactlyAndLeavesTheOtherAlone() {
    CounterBlockFilter<?> one = filter(50);
    CounterBlockFilter<?> other = filter(50, 0.01, ThreadMode.CONFINED);
    for (int i = 0; i < 7; i++) {
      one.put(HASH);
    }
    for (int i = 0; i < 300; i++) {
      other.put(HASH);
    }
    other.put(~HASH);
    long[] others = PayloadWords.of(other);
    one.putAll(other);
    assertEquals(307, one.approximateCount(HASH));
    assertEquals(1, one.approximateCount(~HASH));
    assertArrayEquals(others, PayloadWords.of(other));
  }

  @Test
  void aFilterIsNotMergedWithItselfButWithItsCopy() {
    CounterBlockFilter<?> filter = filter(50);
    filter.put(HASH);
    long[] before = PayloadWords.of(filter);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> filter.putAll(filter));
    assertTrue(refused.getMessage().contains("copy"), refused.getMessage());
    assertTrue(filter.incompatibility(filter).isPresent());
    assertArrayEquals(before, PayloadWords.of(filter));
    filter.putAll(filter.copy());
    assertEquals(2, filter.approximateCount(HASH));
  }

  @Test
  void filtersThatDoNotFitAreRefusedAndSayWhy() {
    CounterBlockFilter<?> filter = filter(50);
    filter.put(HASH);
    long[] before = PayloadWords.of(filter);
    CounterBlockFilter<?> larger = filter(5_000);
    CounterBlockFilter<?> foreign =
        variant.create(FilterSpec.of(50, 0.01, "xxh3-64/utf8"), ThreadMode.SHARED);
    assertTrue(filter.incompatibility(larger).orElseThrow().contains("layout"));
    assertTrue(filter.incompatibility(foreign).orElseThrow().contains("hash id"));
    assertThrows(IllegalArgumentException.class, () -> filter.putAll(larger));
    assertThrows(IllegalArgumentException.class, () -> filter.putAll(foreign));
    assertArrayEquals(before, PayloadWords.of(filter));
    assertTrue(filter.incompatibility(filter(50)).isEmpty());
  }

  @Test
  void whatCannotBeCountedIsRefusedAndChangesNothing() throws IOException {
    CounterBlockFilter<?> filter = filterOf(1, 2);
    for (int i = 0; i < 5; i++) {
      filter.put(HASH);
    }
    // A spilled block of 62 planes, all of whose counts are the largest that there can be.
    int planesAt = (int) variant.layout(filter).bytesOfBlocks() / Long.BYTES;
    long[] words = new long[planesAt + 2 * 62];
    System.arraycopy(PayloadWords.of(filter), 0, words, 0, 2);
    switch (variant) {
      case SMALL -> words[2] = (1L << 48) - 1 | 62L << 48;
      case FAST -> {
        words[2] = -1;
        words[3] = -1;
        words[4] = 1L << 31 | 62;
      }
    }
    for (int i = 0; i < 2 * 62; i++) {
      words[planesAt + i] = words[i % 2];
    }
    CounterBlockFilter<?> full = variant.read(filter, words, ThreadMode.SHARED);
    assertThrows(FilterFullException.class, () -> full.put(HASH));
    assertArrayEquals(words, PayloadWords.of(full));
    FilterFullException inBatch =
        assertThrows(FilterFullException.class, () -> full.putAll(new long[] {7, HASH}, 1, 2));
    assertTrue(inBatch.getMessage().contains("first 0 of 1"), inBatch.getMessage());
    assertTrue(full.incompatibility(filter).isEmpty());
    assertThrows(FilterFullException.class, () -> full.putAll(filter));
    assertArrayEquals(words, PayloadWords.of(full));
    assertThrows(FilterFullException.class, () -> filter.putAll(full));
    assertThrows(FilterFullException.class, () -> full.putAll(full.copy()));
    assertArrayEquals(words, PayloadWords.of(full));
    assertEquals(5, filter.approximateCount(HASH));
    assertEquals(MAX, full.approximateCount(HASH));
    assertTrue(full.remove(HASH));
    assertFalse(full.put(HASH));
    assertArrayEquals(words, PayloadWords.of(full));
  }

  @Test
  void aFilterMeasuresItself() {
    CounterBlockFilter<?> filter = filterOf(1, 2);
    assertEquals(
        FilterStats.of(filter.spec()).sizeInBits(128).approximateKeys(0).build(), filter.stats());
    filter.put(HASH);
    filter.put(HASH);
    FilterStats stats = filter.stats();
    assertEquals(4, stats.setBits());
    assertEquals(1 / (32 * 64 * 64.0), stats.falsePositiveRate());
    assertEquals(OptionalLong.of(1), stats.approximateKeys());
  }

  /** All hashes of a block are asked, so that there is nothing to chance. */
  @ParameterizedTest(name = "{0} keys")
  @ValueSource(ints = {1, 2, 5, 10, 20, 50, 150})
  void theRateOfABlockOfPairsIsTheShareOfItsHashesThatAreFound(int keys) {
    SplittableRandom random = new SplittableRandom(10 + keys);
    CounterBlockFilter<?> filter = filterOf(1, 2);
    for (int i = 0; i < keys; i++) {
      filter.put(random.nextLong());
    }
    int found = 0;
    for (int i = 0; i < HASHES_OF_PAIRS; i++) {
      found += filter.mightContain(hashOfPair(i)) ? 1 : 0;
    }
    assertEquals((double) found / HASHES_OF_PAIRS, filter.stats().falsePositiveRate());
  }

  @Test
  void theRateOfABlockOfSinglePositionsIsThatOfItsSetBits() {
    for (int probesPerWord : new int[] {3, 4}) {
      CounterBlockFilter<?> filter = filterOf(1, probesPerWord);
      filter.put(HASH);
      long[] words = PayloadWords.of(filter);
      int first = Long.bitCount(words[0]);
      int second = Long.bitCount(words[1]);
      double rate = Math.pow(first / 64.0 * second / 64.0, probesPerWord);
      FilterStats stats = filter.stats();
      assertEquals(first + second, stats.setBits());
      assertEquals(rate, stats.falsePositiveRate(), 1e-12 * rate);
      assertEquals(OptionalLong.of(1), stats.approximateKeys());
    }
  }

  @Test
  void theRateIsTheMeanOfTheBlocksAndNotThatOfTheWhole() throws IOException {
    CounterBlockFilter<?> empty =
        variant.filterOf(4, 2, variant.mostCountBits); // enough for all positions of a word
    long[] words = PayloadWords.of(empty);
    words[0] = -1;
    words[1] = -1;
    FilterStats stats = variant.read(empty, words, ThreadMode.SHARED).stats();
    assertEquals(0.25, stats.falsePositiveRate());
    assertEquals(0.25, stats.fill());
  }

  @Test
  void whereEveryBitIsSetNoNumberOfKeysIsGiven() {
    SplittableRandom random = new SplittableRandom(4);
    CounterBlockFilter<?> filter = filter(1);
    for (int i = 0; i < 2_000; i++) {
      filter.put(random.nextLong());
    }
    assertEquals(
        FilterStats.of(filter.spec()).sizeInBits(128).setBits(128).falsePositiveRate(1).build(),
        filter.stats());
  }

  /** Six standard errors as documented; the chance of more is 2e-9, and the seeds are fixed. */
  @ParameterizedTest(name = "{0} keys")
  @ValueSource(ints = {100, 1_000, 10_000, 200_000})
  void keysAreEstimatedFromBlocksAsWellAsDocumented(int keys) {
    SplittableRandom random = new SplittableRandom(keys);
    CounterBlockFilter<?> filter = filter(keys);
    double blocks = filter.layout().get("bits") / 128.0;
    int n = 0;
    for (double share : new double[] {0.25, 1, 2}) {
      for (; n < share * keys; n++) {
        long hash = random.nextLong();
        filter.put(hash);
        filter.put(hash); // puts of one key are one key
      }
      double c = n / 32.0 / blocks;
      double error = Math.sqrt(blocks) * Math.sqrt(128 * (Math.exp(c) - c - 1)) / 4;
      double estimate = filter.stats().approximateKeys().orElseThrow();
      assertEquals(n, estimate, 6 * error + 1, n + " keys");
    }
  }

  /** At all of these most blocks have a count in every position. */
  @ParameterizedTest
  @CsvSource({"0.9, 2", "0.99, 1", "0.99, 2", "0.3, 12", "0.05, 15"})
  void keysOfOverfullBlocksAreEstimated(double rate, int times) {
    int keys = 50_000;
    CounterBlockFilter<?> filter = variant.create(FilterSpec.of(keys, rate), ThreadMode.CONFINED);
    new SplittableRandom(5).longs((long) times * keys).forEach(filter::put);
    double estimate = filter.stats().approximateKeys().orElseThrow();
    assertEquals(times * keys, estimate, 0.1 * times * keys, filter::toString);
  }

  @Test
  void filtersOfTheOtherVariantAreNotMerged() {
    for (CountingVariant other : CountingVariant.values()) {
      CounterBlockFilter<?> foreign = other.create(FilterSpec.of(50, 0.01), ThreadMode.SHARED);
      CounterBlockFilter<?> filter = filter(50);
      Optional<String> reason = filter.incompatibility(foreign);
      assertEquals(other == variant, reason.isEmpty());
      if (other != variant) {
        assertTrue(reason.orElseThrow().contains("variant"), reason::toString);
        assertThrows(IllegalArgumentException.class, () -> filter.putAll(foreign));
      }
    }
  }

  @Test
  void itsNameIsShortAndShowsNoKey() {
    CounterBlockFilter<?> filter = filter(100);
    String before = filter.toString();
    filter.put(HASH);
    assertEquals(before, filter.toString());
    assertTrue(before.startsWith(variant.provider().variant() + "{"), before);
    assertTrue(before.length() < 200, before);
  }
}
