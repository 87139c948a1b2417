package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;

/** The variants of this module, for tests of what is the same in both. */
enum CountingVariant {
  SMALL(48, 64),
  FAST(CountingLayout.FAST_COUNT_BITS, CountingLayout.FAST_COUNT_BITS);

  /** Bits for the counts of a word, as at a rate of 1 %. */
  final int countBits;

  /** The most bits, which are enough for any word whose counts are 1. */
  final int mostCountBits;

  CountingVariant(int countBits, int mostCountBits) {
    this.countBits = countBits;
    this.mostCountBits = mostCountBits;
  }

  BlockProvider provider() {
    return this == SMALL ? new CountingProvider() : new FastCountingProvider();
  }

  CountingSizing sizing() {
    return provider().sizing();
  }

  CounterBlockFilter<?> create(FilterSpec spec, ThreadMode mode) {
    return create(spec, mode, FilterLimits.HEAP);
  }

  CounterBlockFilter<?> create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    return (CounterBlockFilter<?>) provider().create(spec, mode, limits);
  }

  /** Returns the layout of a filter of this variant. */
  CountingLayout layout(Filter filter) {
    return CountingLayout.of(filter.layout(), sizing().countBits());
  }

  /** Reads words as the content of a filter with the spec and layout of {@code like}. */
  CounterBlockFilter<?> read(Filter like, long[] words, ThreadMode mode) throws IOException {
    return (CounterBlockFilter<?>)
        provider()
            .read(
                like.spec(), like.layout(), new PayloadWords.Input(words), mode, FilterLimits.HEAP);
  }

  /** Returns whether {@link #read} takes words, in which case the same must be written. */
  boolean readsAsItIs(Filter like, long[] words) throws IOException {
    Filter read;
    try {
      read = read(like, words, ThreadMode.SHARED);
    } catch (FilterFormatException e) {
      return false;
    }
    assertArrayEquals(words, PayloadWords.of(read));
    return true;
  }

  /** Returns an empty filter of a layout. */
  CounterBlockFilter<?> filterOf(int blocks, int probesPerWord, int countBits) {
    return provider()
        .make(
            FilterSpec.of(1, 0.01),
            new CountingLayout(blocks, probesPerWord, countBits),
            ThreadMode.CONFINED,
            FilterLimits.HEAP);
  }
}
