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
import java.util.Arrays;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that spilled blocks take no more room than whoever created the filter allows. */
class LimitsTest {

  private static final FilterSpec SPEC = FilterSpec.of(200, 0.01);
  private static final long A = 0x9e3779b97f4a7c15L;
  private static final long B = 0xbf58476d1ce4e5b9L;

  private static Filter filter(CountingVariant variant, long bytesForCounts, ThreadMode mode) {
    long blocks = variant.sizing().smallest(SPEC).bytesOfBlocks();
    return variant.create(SPEC, mode, FilterLimits.ofBytes(blocks + bytesForCounts));
  }

  private static long[] hashes(long seed, int count) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  @Property(seed = "9", tries = 200)
  void anySequenceOfPutsAndRemovesStaysWithinTheLimit(
      @ForAll CountingVariant variant,
      @ForAll long seed,
      @ForAll @IntRange(max = 400) int bytes,
      @ForAll ThreadMode mode) {
    Filter filter = filter(variant, bytes, mode);
    RemovableFilter unlimited = (RemovableFilter) variant.create(SPEC, mode);
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
    assertArrayEquals(PayloadWords.of(unlimited), PayloadWords.of(filter));
  }

  /** Of the 48 bits of a word, a key takes 2 each time, or of four entries 4 from the third on. */
  @ParameterizedTest
  @EnumSource
  void aPutBeyondTheLimitChangesNothingAndRoomComesBack(CountingVariant variant) {
    Filter filter = filter(variant, 5 * 16, ThreadMode.SHARED); // for counts up to 32
    for (int i = 0; i < 32; i++) {
      filter.put(A);
    }
    int unspilled = variant == CountingVariant.SMALL ? 24 : 3; // of a key alone in its block
    for (int i = 0; i < unspilled; i++) {
      filter.put(B); // of another block
    }
    long[] before = PayloadWords.of(filter);
    assertThrows(FilterFullException.class, () -> filter.put(A));
    assertThrows(FilterFullException.class, () -> filter.put(B));
    assertArrayEquals(before, PayloadWords.of(filter));
    for (int i = 32; i > unspilled; i--) {
      assertTrue(((RemovableFilter) filter).remove(A));
    }
    filter.put(B);
    Filter copy = filter.copy();
    long[] often = new long[32];
    Arrays.fill(often, A);
    assertThrows(FilterFullException.class, () -> copy.putAll(often, 0, often.length));
    filter.clear();
    for (int i = 0; i < 32; i++) {
      filter.put(A);
    }
    assertThrows(FilterFullException.class, () -> filter.put(A));
  }

  @ParameterizedTest
  @EnumSource
  void aMergeBeyondTheLimitChangesNothing(CountingVariant variant) {
    MergeableFilter limited = (MergeableFilter) filter(variant, 9 * 16, ThreadMode.SHARED);
    Filter many = variant.create(SPEC, ThreadMode.SHARED);
    for (long hash : new long[] {A, B}) {
      for (int i = 0; i < 13; i++) {
        limited.put(hash);
        many.put(hash);
      }
    }
    long[] before = PayloadWords.of(limited);
    assertThrows(FilterFullException.class, () -> limited.putAll(many));
    assertArrayEquals(before, PayloadWords.of(limited));
    MergeableFilter roomy = (MergeableFilter) filter(variant, 12 * 16, ThreadMode.SHARED);
    roomy.putAll(many);
    roomy.putAll(many);
    assertEquals(26, ((RemovableFilter) roomy).approximateCount(A));
    roomy.putAll(many);
    assertEquals(12 * 16, roomy.payloadSize() - variant.sizing().smallest(SPEC).bytesOfBlocks());
    assertThrows(FilterFullException.class, () -> roomy.putAll(roomy.copy()));
    assertEquals(39, ((RemovableFilter) roomy).approximateCount(B));
  }
}
