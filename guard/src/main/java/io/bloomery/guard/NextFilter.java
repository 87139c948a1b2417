package io.bloomery.guard;

import static io.bloomery.FilterBuilder.DEFAULT_VARIANT;

import io.bloomery.BloomFilter;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterSpec;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * The plan of a guard's next filter: for the expected keys or, once the source has more, for half
 * as many again as it had when it was last read. If memory is refused for that, the filter is
 * created with the lowest rate for which it is granted, so that the guard's filter never stops
 * being refreshed.
 */
final class NextFilter<K> {

  private static final double ROOM_TO_GROW = 1.5;

  // Each attempt is smaller than the one before by a factor of 2^(1/4).
  private static final double SMALLER = Math.pow(0.5, 0.25);
  private static final double HIGHEST = 0.99999;

  private final FilterBuilder<K> builder;
  private final boolean removes;
  private final long expectedKeys;
  private final double rate;
  private final GuardLog log;
  private volatile long lastKeys;
  private volatile boolean toldOfKeys;
  private volatile boolean shortOfMemory;

  /**
   * Creates a plan.
   *
   * @param builder makes shared filters
   * @param spec what is asked of them
   * @param removes whether they must support removal
   */
  NextFilter(FilterBuilder<K> builder, FilterSpec spec, boolean removes, GuardLog log) {
    this.builder = builder;
    this.removes = removes;
    this.expectedKeys = spec.expectedKeys();
    this.rate = spec.falsePositiveRate();
    this.log = log;
  }

  /** Returns the number of keys that the next filter is planned for. */
  long keys() {
    long last = lastKeys;
    return isMoreThanExpected(last) ? (long) (ROOM_TO_GROW * last) : expectedKeys;
  }

  private boolean isMoreThanExpected(long keys) {
    return (double) (keys - expectedKeys) > deviation(expectedKeys);
  }

  /** Returns by how much an estimate of so many keys hardly ever exceeds them. */
  private static double deviation(long keys) {
    return 4 * Math.sqrt((double) keys);
  }

  /** Plans for more keys than a filter of this plan has found room for. */
  void planForMore(long keys) {
    long planned = keys();
    plan(Math.max(keys, planned + (long) deviation(planned) + 1));
  }

  /** Plans for a number of distinct keys that the source has. */
  void plan(long keys) {
    lastKeys = keys;
    if (isMoreThanExpected(keys) && !toldOfKeys) {
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

  /** Returns whether memory was refused for the last filter, so that another gains nothing. */
  boolean isShortOfMemory() {
    return shortOfMemory;
  }

  /**
   * Creates the filter. Called by one thread at a time.
   *
   * @throws IllegalArgumentException if memory is refused for any filter
   */
  BloomFilter<K> create() {
    FilterBuilder<K> planned = builder.expect(keys());
    try {
      BloomFilter<K> filter = create(planned.fpp(rate));
      shortOfMemory = false;
      return filter;
    } catch (IllegalArgumentException e) {
      return createSmaller(planned, e);
    }
  }

  private BloomFilter<K> createSmaller(FilterBuilder<K> planned, IllegalArgumentException refused) {
    BloomFilter<K> filter =
        atHigherRate(planned)
            // Some variants have a lower bound on the bits of a key.
            .or(() -> removes ? forFewerKeys() : ofDefaultVariant(planned))
            .orElseThrow(() -> refused);
    if (!shortOfMemory) {
      shortOfMemory = true;
      log.warning(
          ": its filter is of "
              + filter.spec()
              + " until there is memory for "
              + keys()
              + " keys at a rate of "
              + rate
              + ": "
              + refused.getMessage());
    }
    return filter;
  }

  private Optional<BloomFilter<K>> atHigherRate(FilterBuilder<K> planned) {
    // The number of bits is proportional to the logarithm of the rate.
    return first(
        DoubleStream.iterate(Math.pow(rate, SMALLER), r -> r < HIGHEST, r -> Math.pow(r, SMALLER))
            .mapToObj(planned::fpp));
  }

  private Optional<BloomFilter<K>> ofDefaultVariant(FilterBuilder<K> planned) {
    try {
      return atHigherRate(planned.variant(DEFAULT_VARIANT));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // it is not installed
    }
  }

  private Optional<BloomFilter<K>> forFewerKeys() {
    return first(
        DoubleStream.iterate((double) keys(), n -> n >= 1, n -> n * SMALLER)
            .mapToObj(n -> builder.expect((long) n).fpp(HIGHEST)));
  }

  /** Creates the first filter that memory is granted for. */
  private Optional<BloomFilter<K>> first(Stream<FilterBuilder<K>> smaller) {
    return smaller.map(this::tryCreate).flatMap(Optional::stream).findFirst();
  }

  private Optional<BloomFilter<K>> tryCreate(FilterBuilder<K> planned) {
    try {
      return Optional.of(create(planned));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private BloomFilter<K> create(FilterBuilder<K> planned) {
    return removes ? planned.createRemovable() : planned.create();
  }
}
