package io.bloomery.internal;

import io.bloomery.filter.FilterSpec;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was found for the specs that came last: a fixed number of them, so that a filter like the
 * one before is not planned anew. Any number of threads may use it; two may find the same twice.
 */
public final class RecentSpecs<V> {

  private static final int SIZE = 16; // a power of two

  private final Function<FilterSpec, V> finder;

  // Entries do not change, so that one which another thread has written is whole or not there.
  private final @Nullable Entry[] entries = new Entry[SIZE];

  /**
   * Remembers nothing yet.
   *
   * @param finder finds a value that depends on the spec alone and does not change; what it throws
   *     is not remembered
   */
  public RecentSpecs(Function<FilterSpec, V> finder) {
    this.finder = finder;
  }

  private record Entry(FilterSpec spec, Object value) {}

  /** Returns the value of a spec. */
  @SuppressWarnings("unchecked") // entries are made here alone
  public V get(FilterSpec spec) {
    int index = index(spec);
    Entry entry = entries[index];
    if (entry == null || !entry.spec.equals(spec)) {
      entry = new Entry(spec, finder.apply(spec));
      entries[index] = entry;
    }
    return (V) entry.value;
  }

  private static int index(FilterSpec spec) {
    long mixed =
        (spec.expectedKeys() ^ Double.doubleToLongBits(spec.falsePositiveRate()))
            * 0x9e37_79b9_7f4a_7c15L;
    return (int) (mixed >>> 32) & (SIZE - 1);
  }
}
