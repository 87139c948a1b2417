package io.bloomery.guard;

import static io.bloomery.FilterBuilder.DEFAULT_VARIANT;

import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a guard's next filter: for the expected keys or, once the source has more, for half
 * as many again as it had when it was last read. If memory is refused for that, by {@code maxBytes}
 * or by the heap, it is the largest filter that memory is granted for, at a higher rate: a guard
 * never stops refreshing its filter.
 *
 * <p>Planned and created by one thread at a time.
 */
final class NextFilter<K> {

  private static final double ROOM_TO_GROW = 1.5;

  // Bits are proportional to the logarithm of the rate: each attempt takes a sixth less.
  private static final double SMALLER = Math.pow(0.5, 0.25);
  private static final double USEFUL_RATE = 0.5;

  private final FilterStore<K> store;
  private final FilterBuilder<K> builder;
  private final boolean removes;
  private final long expectedKeys;
  private final double rate;
  private final GuardLog log;
  private volatile long lastKeys;
  private long planned;
  private volatile boolean shortOfMemory;
  private int timesFull; // since there were fewer keys
  private long fullAt;
  private boolean toldOfKeys;
  private boolean toldOfMemory;

  /**
   * Creates a plan.
   *
   * @param store where the filters are
   * @param builder makes shared filters
   * @param spec what is asked of them
   * @param removes whether they should support removal
   */
  NextFilter(
      FilterStore<K> store,
      FilterBuilder<K> builder,
      FilterSpec spec,
      boolean removes,
      GuardLog log) {
    this.store = store;
    this.builder = builder;
    this.removes = removes;
    this.expectedKeys = spec.expectedKeys();
    this.rate = spec.falsePositiveRate();
    this.log = log;
  }

  /** Returns where the filters are. */
  FilterStore<K> store() {
    return store;
  }

  /** Returns the number of keys that the next filter is planned for. */
  long keys() {
    long last = lastKeys;
    return isMore(last, expectedKeys) ? (long) (ROOM_TO_GROW * last) : expectedKeys;
  }

  /** Returns whether the last filter was made for fewer keys than the source has. */
  boolean wasTooSmall() {
    return isMore(lastKeys, planned);
  }

  /** Returns whether memory was refused for the last filter, so that another gains nothing. */
  boolean isShortOfMemory() {
    return shortOfMemory;
  }

  // By more than a hundredth, which raises the rate by a twentieth.
  private static boolean isMore(long keys, long planned) {
    return keys - planned > planned / 100;
  }

  /** Plans for a number of distinct keys that the source has, after they found room. */
  void plan(long keys) {
    if (keys < fullAt / 4 * 3) {
      timesFull = 0;
    }
    planFor(keys);
  }

  /**
   * Plans after a filter of this plan had no room for all keys.
   *
   * @param keys the number of keys that the source has
   */
  void planAfterFull(long keys) {
    timesFull++;
    fullAt = keys;
    planFor(Math.max(keys, keys() + keys() / 50 + 1));
  }

  private void planFor(long keys) {
    lastKeys = keys;
    if (isMore(keys, expectedKeys) && !toldOfKeys) {
      toldOfKeys = true;
      log.warning(
          ": more keys came than were expected, about "
              + keys
              + " in place of "
              + expectedKeys
              + "; its filters are planned for them from now on. Expect as many, so that the first"
              + " one has room for them");
    }
  }

  /**
   * Creates the filter.
   *
   * @throws IllegalArgumentException if memory is refused for any filter
   * @throws IOException if it cannot be stored
   */
  FilledFilter<K> create() throws IOException {
    planned = keys();
    FilterBuilder<K> next = builder.expect(planned);
    if (timesFull > 1) {
      // It was planned for all keys: its counts or layers take more than they may.
      return tellOfMemory(createStandard(next), "it was full twice");
    }
    try {
      FilledFilter<K> filter = store.create(next.fpp(rate), removes);
      shortOfMemory = false;
      toldOfMemory = false;
      return filter;
    } catch (IllegalArgumentException e) {
      return tellOfMemory(createSmaller(next), e.getMessage());
    }
  }

  private FilledFilter<K> createSmaller(FilterBuilder<K> next) throws IOException {
    try {
      return createLargest(next, removes, higher(rate), USEFUL_RATE);
    } catch (IllegalArgumentException e) {
      return createStandard(next);
    }
  }

  // The smallest of all, which never is full. Keys that cannot be removed from it may stay.
  private FilledFilter<K> createStandard(FilterBuilder<K> next) throws IOException {
    FilterBuilder<K> standard = next.variant(DEFAULT_VARIANT);
    try {
      return createLargest(standard, false, rate, 1);
    } catch (IllegalArgumentException e) {
      // Whatever the rate, their bits would not do: every key will pass.
      return store.create(standard.expect(1).fpp(USEFUL_RATE), false);
    }
  }

  private FilledFilter<K> createLargest(
      FilterBuilder<K> next, boolean removable, double from, double highest) throws IOException {
    double granted = from;
    while (true) {
      try {
        return store.create(next.fpp(granted), removable);
      } catch (IllegalArgumentException e) {
        double higher = higher(granted);
        if (higher > highest || higher == granted) { // no double is nearer to 1
          throw e;
        }
        granted = higher;
      }
    }
  }

  private static double higher(double rate) {
    return Math.pow(rate, SMALLER);
  }

  private FilledFilter<K> tellOfMemory(FilledFilter<K> granted, @Nullable String reason) {
    shortOfMemory = true;
    if (!toldOfMemory) {
      toldOfMemory = true;
      log.warning(
          ": its filter is of "
              + granted.spec()
              + " until there is memory for "
              + keys()
              + " keys at a rate of "
              + rate
              + ": "
              + reason);
    }
    return granted;
  }
}
