package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Checks that spilled blocks take no more room than whoever created the filter allows. */
class LimitsTest {

  private static final CountingProvider PROVIDER = new CountingProvider();
  private static final FilterSpec SPEC = FilterSpec.of(200, 0.01);
  private static final long A = 0x9e3779b97f4a7c15L;
  private static final long B = 0xbf58476d1ce4e5b9L;

  private static Filter filter(long bytesForCounts, ThreadMode mode) {
    long blocks = CountingSizing.smallest(SPEC).bytesOfBlocks();
    return PROVIDER.create(SPEC, mode, FilterLimits.ofBytes(blocks + bytesForCounts));
  }

  private static long[] hashes(long seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  @Property(seed = "9", tries = 100)
  void anySequenceOfPutsAndRemovesStaysWithinTheLimit(
      @ForAll long seed, @ForAll @IntRange(max = 400) int bytes, @ForAll ThreadMode mode) {
    Filter filter = filter(bytes, mode);
    RemovableFilter unlimited = (RemovableFilter) PROVIDER.create(SPEC, mode);
    SplittableRandom random = new SplittableRandom(seed);
    long[] hashes = hashes(seed, 20);
    for (int i = 0; i < 1_500; i++) {
      long hash = hashes[random.nextInt(hashes.length)];
      if (random.nextInt(3) == 0) {
        assertEquals(unlimited.remove(hash), ((RemovableFilter) filter).remove(hash));
      } else {
        try {
          filter.put(hash);
          unlimited.put(hash);
        } catch (FilterFullException e) {
          assertTrue(e.getMessage().contains("at most"), e::getMessage);
        }
      }
      assertTrue(filter.payloadSize() <= filter.limits().maxBytes());
    }
    assertArrayEquals(Words.of(unlimited), Words.of(filter));
  }

  /** Of the 48 bits of a word, a key takes 2 each time. */
  @Test
  void aPutBeyondTheLimitChangesNothingAndRoomComesBack() {
    Filter filter = filter(5 * 16, ThreadMode.SHARED); // for counts up to 32
    for (int i = 0; i < 32; i++) {
      filter.put(A);
    }
    for (int i = 0; i < 24; i++) {
      filter.put(B); // of another block
    }
    long[] before = Words.of(filter);
    assertThrows(FilterFullException.class, () -> filter.put(A));
    assertThrows(FilterFullException.class, () -> filter.put(B));
    assertArrayEquals(before, Words.of(filter));
    for (int i = 32; i > 24; i--) {
      assertTrue(((RemovableFilter) filter).remove(A));
    }
    filter.put(B);
    Filter copy = filter.copy();
    assertThrows(FilterFullException.class, () -> copy.put(A));
    filter.clear();
    for (int i = 0; i < 32; i++) {
      filter.put(A);
    }
    assertThrows(FilterFullException.class, () -> filter.put(A));
  }

  @Test
  void aMergeBeyondTheLimitChangesNothing() {
    MergeableFilter limited = (MergeableFilter) filter(9 * 16, ThreadMode.SHARED);
    Filter many = PROVIDER.create(SPEC, ThreadMode.SHARED);
    for (long hash : new long[] {A, B}) {
      for (int i = 0; i < 13; i++) {
        limited.put(hash);
        many.put(hash);
      }
    }
    long[] before = Words.of(limited);
    assertThrows(FilterFullException.class, () -> limited.putAll(many));
    assertArrayEquals(before, Words.of(limited));
    MergeableFilter roomy = (MergeableFilter) filter(12 * 16, ThreadMode.SHARED);
    roomy.putAll(many);
    roomy.putAll(many);
    assertEquals(26, ((RemovableFilter) roomy).approximateCount(A));
    roomy.putAll(many);
    assertEquals(12 * 16, roomy.payloadSize() - CountingSizing.smallest(SPEC).bytesOfBlocks());
    assertThrows(FilterFullException.class, () -> roomy.putAll(roomy.copy()));
    assertEquals(39, ((RemovableFilter) roomy).approximateCount(B));
  }
}
