package io.bloomery.scalable;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.partitioned.SplitBlockProvider;
import io.bloomery.standard.StandardProvider;
import java.util.List;

/**
 * The slices that a scalable filter has or will have, by their numbers 0, 1, 2 and so on.
 *
 * <p>p is the rate asked, n the keys of the first slice, s the growth and r the tightening. Slice i
 * takes {@code n s^i} keys and keeps the rate {@code p (1-r) r^i}. An absent key is found if any
 * slice finds it, so that the rate of all is at most the sum of theirs, {@code p (1 - r^slices)}:
 * below p however many there are, and however alike their probes may be. Source: Almeida, Baquero,
 * Preguica, Hutchison, 2007, doi.org/10.1016/j.ipl.2006.10.007.
 *
 * <p>A slice is closed by counting the keys that changed it, none of which is inserted twice. That
 * alone would let it overshoot: more insertions are attempted than it counts, since some change
 * nothing because all of their bits were set, and those it counts are the ones that set most bits.
 * So its table is sized for the insertions attempted, not those counted. A slice that keeps the
 * rate f absorbs at most that share of them, so that {@code k / (1 - f)} insertions attempted are
 * enough for k changes, and a table for so many keys keeps f. The other way, to watch the set bits,
 * needs a count of bits in every put, and says little of a split-block filter, whose rate depends
 * on how bits are spread over its blocks.
 *
 * <p>Slices with a rate of at least {@value #LOWEST_BLOCK_RATE} are split-block filters, which are
 * faster; below, their blocks take too many bits, and slices are standard filters.
 */
record SlicePlan(FilterSpec spec, ScalableLayout layout) {

  private static final double LOWEST_BLOCK_RATE = 2e-4;

  /** Providers of slices. A file says which one by its position here. */
  static final List<FilterProvider> PROVIDERS =
      List.of(new StandardProvider(), new SplitBlockProvider());

  private static final int STANDARD = 0;
  private static final int SPLIT_BLOCK = 1;

  /** Returns whether a slice's filter is of blocks; it is a standard one otherwise. */
  static boolean isSplitBlock(Filter filter) {
    return filter.variant().equals(PROVIDERS.get(SPLIT_BLOCK).variant());
  }

  /** Returns whether a provider makes slices of blocks; they are standard ones otherwise. */
  static boolean isSplitBlock(FilterProvider provider) {
    return provider == PROVIDERS.get(SPLIT_BLOCK);
  }

  /**
   * Returns how many keys a slice takes, or {@link Long#MAX_VALUE} if they are more; either way no
   * rate is high enough for so many, so that there is no such slice.
   */
  long keys(int slice) {
    long keys = layout.firstSliceKeys();
    for (int i = 0; i < slice; i++) {
      if (keys > Long.MAX_VALUE / layout.growth()) {
        return Long.MAX_VALUE;
      }
      keys *= layout.growth();
    }
    return keys;
  }

  /** Returns the rate that a slice keeps. */
  double rate(int slice) {
    double rate =
        spec.falsePositiveRate()
            * (ScalableLayout.MILLION - layout.tightening())
            / ScalableLayout.MILLION;
    double tightening = (double) layout.tightening() / ScalableLayout.MILLION;
    // Multiplied one by one, as every language can: readers refuse slices by this number.
    for (int i = 0; i < slice; i++) {
      rate *= tightening;
    }
    return rate;
  }

  /**
   * Returns what is asked of a slice: its rate, for as many insertions as may be attempted.
   *
   * <p>Whether there is such a slice follows from its keys alone, {@code rate * 2^63 >= keys},
   * which every reader can decide exactly. Where more insertions than keys would be too many for
   * 64-bit hashes, they are as many as the rate allows: a share of {@code rate} fewer at most.
   *
   * @throws IllegalArgumentException if its rate is lower than 64-bit hashes allow
   */
  FilterSpec spec(int slice) {
    double rate = rate(slice);
    long keys = keys(slice);
    double attempted = Math.min(StrictMath.ceil(keys / (1 - rate)), rate * 0x1p63);
    return FilterSpec.of(Math.max(keys, (long) attempted), rate, spec.hashId());
  }

  /**
   * Describes a filter of so many slices.
   *
   * @param first the description of the first of them
   */
  FilterDescription description(FilterDescription first, int slices) {
    return layout
        .describe(
            FilterDescription.of(
                "slices, each larger and stricter than the one before; grows when all are full",
                first.queryCost() + " a slice"))
        .part("slices", slices, "tables that a query asks")
        .part("room-keys", room(slices), "keys that these slices take, before one more is added");
  }

  /** Returns how many keys so many slices take, or {@link Long#MAX_VALUE} if they are more. */
  private long room(int slices) {
    long room = 0;
    for (int i = 0; i < slices; i++) {
      long more = keys(i);
      room = more > Long.MAX_VALUE - room ? Long.MAX_VALUE : room + more;
    }
    return room;
  }

  /** Returns the provider of a slice. */
  FilterProvider provider(int slice) {
    return PROVIDERS.get(rate(slice) >= LOWEST_BLOCK_RATE ? SPLIT_BLOCK : STANDARD);
  }

  /**
   * Plans a slice.
   *
   * @throws IllegalArgumentException if there can be no such slice
   */
  FilterPlan plan(int slice) {
    return provider(slice).plan(spec(slice));
  }
}
