package io.bloomery.benchmarks.report;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.SplittableRandom;
import org.openjdk.jol.info.GraphLayout;

/**
 * A measurement of the bits that a counting filter needs per distinct key, in a file and on the
 * heap. JOL adds up every object that belongs to the filter, so that figures are exact for the
 * running JVM.
 */
final class CountingMemory {

  private static final String VARIANT = "counting";

  private final FilterProvider provider = Bloomery.installed().providers().get(VARIANT);
  private final int keys;

  /** Prepares to measure filters of some number of distinct keys. */
  CountingMemory(int keys) {
    this.keys = keys;
  }

  /**
   * Bits per distinct key.
   *
   * @param plannedFile the planned size for keys that are put once
   * @param file the size written
   * @param plannedHeap the planned size for keys that are put once
   * @param heap the measured size
   */
  record Bits(double plannedFile, double file, double plannedHeap, double heap) {}

  /** Measures a filter in which each key was put once. */
  Bits atRate(double rate) {
    return bits(putOnce(rate));
  }

  /**
   * Measures a filter with a rate of 1 % in which each key was put {@code times} times: by merging
   * filters, which results in equal counts, and so equal bytes, with twice as many merges as the
   * number has binary digits.
   */
  Bits putTimes(int times) {
    MergeableFilter once = (MergeableFilter) putOnce(0.01);
    MergeableFilter sum = (MergeableFilter) create(0.01);
    for (int bit = Integer.highestOneBit(times); bit > 0; bit >>= 1) {
      sum.putAll(sum.copy());
      if ((times & bit) != 0) {
        sum.putAll(once);
      }
    }
    return bits(sum);
  }

  private Filter create(double rate) {
    return provider.create(FilterSpec.of(keys, rate), ThreadMode.SHARED);
  }

  private Filter putOnce(double rate) {
    Filter filter = create(rate);
    new SplittableRandom(keys).longs(keys).forEach(filter::put);
    return filter;
  }

  private Bits bits(Filter filter) {
    FilterPlan plan = provider.plan(filter.spec());
    return new Bits(
        plan.bitsPerKey(),
        perKey(filter.payloadSize()),
        perKey(plan.heapBytes()),
        perKey(GraphLayout.parseInstance(filter).totalSize()));
  }

  private double perKey(long bytes) {
    return (double) bytes * Byte.SIZE / keys;
  }
}
