package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.FilterFullException;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what one filter promises its users. */
class CountingFilterTest {

  private static final long HASH = 0x123456789abcdef0L;
  private static final long MOST = 1L << 62;

  private static CountingFilter filter(long keys, double rate, ThreadMode mode) {
    return (CountingFilter) new CountingProvider().create(new FilterSpec(keys, rate), mode);
  }

  private static CountingFilter filter(long keys) {
    return filter(keys, 0.01, ThreadMode.SHARED);
  }

  private static CountingFilter filterOf(int blocks) {
    CountingLayout layout = new CountingLayout(blocks);
    return CountingFilter.over(
        new FilterSpec(1, 0.01),
        layout,
        stripes -> new Counters(layout, stripes),
        ThreadMode.CONFINED);
  }

  @ParameterizedTest
  @EnumSource
  void everyPutOfAKeyCountsAndOnlyTheFirstIsNew(ThreadMode mode) {
    CountingFilter filter = filter(100, 0.01, mode);
    assertFalse(filter.mightContain(HASH));
    assertEquals(0, filter.approximateCount(HASH));
    assertTrue(filter.put(HASH));
    for (int count = 2; count <= 20; count++) {
      assertFalse(filter.put(HASH));
      assertTrue(filter.mightContain(HASH));
      assertEquals(count, filter.approximateCount(HASH));
    }
  }

  @ParameterizedTest(name = "{0} times")
  @ValueSource(ints = {1, 2, 3, 4, 5, 8, 16, 17, 255, 256, 1_000_000})
  void asManyRemovesAsPutsLeaveTheBytesOfAnEmptyFilter(int times) {
    for (ThreadMode mode : ThreadMode.values()) {
      CountingFilter filter = filter(100, 0.01, mode);
      long[] empty = Words.of(filter);
      for (int i = 0; i < times; i++) {
        filter.put(HASH);
      }
      assertEquals(times, filter.approximateCount(HASH));
      for (int left = times - 1; left >= 0; left--) {
        assertTrue(filter.remove(HASH));
        assertEquals(left > 0, filter.mightContain(HASH));
      }
      assertFalse(filter.remove(HASH));
      assertArrayEquals(empty, Words.of(filter));
    }
  }

  @Test
  void removingWhatIsAbsentChangesNoByte() {
    SplittableRandom random = new SplittableRandom(1);
    CountingFilter filter = filter(200);
    for (int i = 0; i < 200; i++) {
      filter.put(random.nextLong());
    }
    long[] before = Words.of(filter);
    int absent = 0;
    for (int i = 0; i < 5_000; i++) {
      long hash = random.nextLong();
      if (!filter.mightContain(hash)) {
        assertFalse(filter.remove(hash));
        absent++;
      }
    }
    assertTrue(absent > 4_800, "of 5,000 all but about 50 must be absent, not " + absent);
    assertArrayEquals(before, Words.of(filter));
  }

  @Test
  void positionsAreWhereTheFormatSays() {
    SplittableRandom random = new SplittableRandom(2);
    for (int blocks : new int[] {1, 3, 1_000}) {
      CountingFilter filter = filterOf(blocks);
      long[] expected = new long[blocks * 6];
      for (int i = 0; i < 50; i++) {
        long hash = random.nextLong();
        filter.clear();
        filter.put(hash);
        Arrays.fill(expected, 0);
        mark(expected, hash, blocks);
        assertArrayEquals(expected, Words.of(filter));
      }
    }
  }

  /** Sets the bits of a hash, by the words of the format's description. */
  private static void mark(long[] words, long hash, int blocks) {
    BigInteger upper = new BigInteger(Long.toUnsignedString(hash)).shiftRight(1);
    int block = upper.multiply(BigInteger.valueOf(blocks)).shiftRight(63).intValueExact();
    String pattern =
        String.format("%64s", Long.toBinaryString(hash * 0x9e3779b97f4a7c15L)).replace(' ', '0');
    for (int i = 0; i < 8; i++) {
      int bit = Integer.parseInt(pattern.substring(6 * i, 6 * i + 6), 2);
      words[block * 2 + i / 4] |= 1L << bit;
    }
  }

  /** A quarter of all keys have positions that coincide; some have only one in each word. */
  @Test
  void aPositionThatAKeyHasTwiceCountsOnce() {
    // The upper 48 bits of hash * multiplier are zero: position 0 of each word, four times.
    BigInteger two64 = BigInteger.ONE.shiftLeft(64);
    BigInteger inverse =
        new BigInteger(Long.toUnsignedString(0x9e3779b97f4a7c15L)).modInverse(two64);
    long hash = inverse.multiply(BigInteger.valueOf(0x1234)).longValue();
    CountingFilter filter = filter(1);
    for (int i = 1; i <= 6; i++) {
      filter.put(hash);
      assertEquals(i, filter.approximateCount(hash));
    }
    assertArrayEquals(new long[] {1, 1, 1, 1, 1, 1, 0, 2, 64, 2}, Words.of(filter));
    for (int i = 0; i < 6; i++) {
      assertTrue(filter.remove(hash));
    }
    assertArrayEquals(new long[6], Words.of(filter));
  }

  @Test
  void selectFindsWhatSingleQueriesFind() {
    SplittableRandom random = new SplittableRandom(3);
    CountingFilter filter = filter(500);
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

  @ParameterizedTest
  @EnumSource
  void aCopySharesNothing(ThreadMode mode) {
    CountingFilter filter = filter(50, 0.01, mode);
    for (int i = 0; i < 10; i++) {
      filter.put(HASH);
    }
    CountingFilter copy = filter.copy();
    assertNotSame(filter, copy);
    assertEquals(filter.layout(), copy.layout());
    assertEquals(filter.spec(), copy.spec());
    long[] before = Words.of(filter);
    assertArrayEquals(before, Words.of(copy));
    copy.put(~HASH);
    copy.put(HASH);
    assertArrayEquals(before, Words.of(filter));
    assertEquals(11, copy.approximateCount(HASH));
    filter.remove(HASH);
    assertEquals(11, copy.approximateCount(HASH));
  }

  @Test
  void aClearedFilterIsAsNew() {
    CountingFilter filter = filter(50);
    long[] empty = Words.of(filter);
    for (int i = 0; i < 10; i++) {
      filter.put(HASH);
    }
    filter.clear();
    assertFalse(filter.mightContain(HASH));
    assertArrayEquals(empty, Words.of(filter));
  }

  @Test
  void mergingAddsCountsExactlyAndLeavesTheOtherAlone() {
    CountingFilter one = filter(50);
    CountingFilter other = filter(50, 0.01, ThreadMode.CONFINED);
    for (int i = 0; i < 7; i++) {
      one.put(HASH);
    }
    for (int i = 0; i < 300; i++) {
      other.put(HASH);
    }
    other.put(~HASH);
    long[] others = Words.of(other);
    one.putAll(other);
    assertEquals(307, one.approximateCount(HASH));
    assertEquals(1, one.approximateCount(~HASH));
    assertArrayEquals(others, Words.of(other));
  }

  @Test
  void aFilterIsNotMergedWithItselfButWithItsCopy() {
    CountingFilter filter = filter(50);
    filter.put(HASH);
    long[] before = Words.of(filter);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> filter.putAll(filter));
    assertTrue(refused.getMessage().contains("copy"), refused.getMessage());
    assertTrue(filter.mismatch(filter).isPresent());
    assertArrayEquals(before, Words.of(filter));
    filter.putAll(filter.copy());
    assertEquals(2, filter.approximateCount(HASH));
  }

  @Test
  void filtersThatDoNotFitAreRefusedAndSayWhy() {
    CountingFilter filter = filter(50);
    filter.put(HASH);
    long[] before = Words.of(filter);
    CountingFilter larger = filter(5_000);
    CountingFilter foreign =
        (CountingFilter)
            new CountingProvider()
                .create(new FilterSpec(50, 0.01, "xxh3-64/utf8"), ThreadMode.SHARED);
    assertTrue(filter.mismatch(larger).orElseThrow().contains("layout"));
    assertTrue(filter.mismatch(foreign).orElseThrow().contains("hash id"));
    assertThrows(IllegalArgumentException.class, () -> filter.putAll(larger));
    assertThrows(IllegalArgumentException.class, () -> filter.putAll(foreign));
    assertArrayEquals(before, Words.of(filter));
    assertTrue(filter.mismatch(filter(50)).isEmpty());
  }

  @Test
  void whatCannotBeCountedIsRefusedAndChangesNothing() throws IOException {
    CountingFilter filter = filter(1);
    for (int i = 0; i < 5; i++) {
      filter.put(HASH);
    }
    long[] words = Words.of(filter);
    words[words.length - 1] = MOST; // the last of its positions
    CountingFilter full = Words.read(filter, words, ThreadMode.SHARED);
    assertThrows(FilterFullException.class, () -> full.put(HASH));
    assertArrayEquals(words, Words.of(full));
    assertThrows(IllegalArgumentException.class, () -> full.putAll(filter));
    assertArrayEquals(words, Words.of(full));
    assertThrows(IllegalArgumentException.class, () -> filter.putAll(full));
    assertEquals(5, filter.approximateCount(HASH));
    assertTrue(full.remove(HASH));
    assertFalse(full.put(HASH));
  }

  @Test
  void aFilterMeasuresItself() {
    CountingFilter filter = filter(1);
    assertEquals(new FilterStats(128, 0, 0, OptionalLong.of(0)), filter.stats());
    filter.put(HASH);
    filter.put(HASH);
    long first = Words.of(filter)[0];
    long second = Words.of(filter)[1];
    double rate =
        Math.pow(Long.bitCount(first) / 64.0, 4) * Math.pow(Long.bitCount(second) / 64.0, 4);
    FilterStats stats = filter.stats();
    assertEquals(Long.bitCount(first) + Long.bitCount(second), stats.setBits());
    assertEquals(rate, stats.falsePositiveRate(), 1e-12 * rate);
    assertEquals(OptionalLong.of(1), stats.approximateKeys());
  }

  @Test
  void theRateIsTheMeanOfTheBlocksAndNotThatOfTheWhole() throws IOException {
    CountingFilter empty = filterOf(4);
    long[] words = Words.of(empty);
    words[0] = -1;
    words[1] = -1;
    FilterStats stats = Words.read(empty, words, ThreadMode.SHARED).stats();
    assertEquals(0.25, stats.falsePositiveRate());
    assertEquals(0.25, stats.fill());
  }

  @Test
  void whereEveryBitIsSetNoNumberOfKeysIsGiven() {
    SplittableRandom random = new SplittableRandom(4);
    CountingFilter filter = filter(1);
    for (int i = 0; i < 2_000; i++) {
      filter.put(random.nextLong());
    }
    assertEquals(new FilterStats(128, 128, 1, OptionalLong.empty()), filter.stats());
  }

  /** Six standard errors as documented; the chance of more is 2e-9, and the seeds are fixed. */
  @ParameterizedTest(name = "{0} keys")
  @ValueSource(ints = {100, 1_000, 10_000, 1_000_000})
  void keysAreEstimatedFromBlocksAsWellAsDocumented(int keys) {
    SplittableRandom random = new SplittableRandom(keys);
    CountingFilter filter = filter(keys);
    double blocks = filter.layout().get("bits") / 128.0;
    int n = 0;
    for (double share : new double[] {0.25, 1, 2}) {
      for (; n < share * keys; n++) {
        long hash = random.nextLong();
        filter.put(hash);
        filter.put(hash); // puts of one key are one key
      }
      double c = n / 16.0 / blocks;
      double error = Math.sqrt(blocks) * Math.sqrt(128 * (Math.exp(c) - c - 1)) / 8;
      double estimate = filter.stats().approximateKeys().orElseThrow();
      assertEquals(n, estimate, 6 * error + 1, n + " keys");
    }
  }

  @Test
  void itsNameIsShortAndShowsNoKey() {
    CountingFilter filter = filter(100);
    String before = filter.toString();
    filter.put(HASH);
    assertEquals(before, filter.toString());
    assertTrue(before.startsWith("counting"), before);
    assertTrue(before.length() < 200, before);
  }
}
