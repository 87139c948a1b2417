package io.bloomery.counting;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.spi.BitTable;
import java.util.SortedSet;

/**
 * The layout of a counting filter.
 *
 * @param blocks from 1 to {@link #maxBlocks}
 * @param probesPerWord from 1 to {@link #MAX_PROBES_PER_WORD}
 * @param countBits the number of bits for the counts of a word's 64 positions: 32, 48, 64 or {@link
 *     #FAST_COUNT_BITS}
 */
record CountingLayout(int blocks, int probesPerWord, int countBits) {

  static final int BLOCK_WORDS = 2;

  /** The number of positions in a block, and of its bits that queries read. */
  static final int BLOCK_BITS = BLOCK_WORDS * Long.SIZE;

  static final int BLOCK_BYTES = BLOCK_BITS / Byte.SIZE;

  /** The {@link #countBits} of {@link FastCounters}: a word, and half a {@link CountList}. */
  static final int FAST_COUNT_BITS = Long.SIZE + Integer.SIZE / 2;

  static final int MAX_PROBES_PER_WORD = 4;

  private static final String BITS = "bits";
  private static final String COUNT_BITS = "count-bits";
  private static final String PROBE_COUNT = "probes";

  /** The largest array length that every JVM supports. */
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 8;

  /** Returns the largest number of blocks for which arrays have room. */
  static int maxBlocks(int countBits) {
    // No array of fast counters is longer than that of the words that queries read.
    int ints = countBits == FAST_COUNT_BITS ? 1 : countInts(countBits);
    return (int) Math.min(BitTable.MAX_BITS / BLOCK_BITS, MAX_ARRAY / ints);
  }

  private static int countInts(int countBits) {
    return BLOCK_WORDS * countBits / Integer.SIZE;
  }

  /**
   * Returns the number of positions of a key, some of which may coincide if there are more than
   * four.
   */
  int probes() {
    return BLOCK_WORDS * probesPerWord;
  }

  /** Returns the number of counters, and of bits that queries read. */
  long bits() {
    return (long) blocks * BLOCK_BITS;
  }

  /** Returns the number of ints for the counts of a block. */
  int countInts() {
    return countInts(countBits);
  }

  /** Returns the number of 64-bit words for the counts of all blocks in a file. */
  long countWords() {
    return ((long) blocks * countInts() + 1) / 2;
  }

  /** Returns the size in bytes of a filter without spilled blocks. */
  long bytesOfBlocks() {
    return (long) blocks * BLOCK_BYTES + countWords() * Long.BYTES;
  }

  FilterDescription description() {
    return FilterDescription.of(
            countBits == FAST_COUNT_BITS
                ? "a counter for each bit, all of a key in one block; counts change in few steps"
                : "a counter for each bit, all of a key in one block; every put counts",
            "1 block")
        .meaning(BITS, "bits that queries choose from, each with a counter")
        .meaning(COUNT_BITS, "bits for the counts of 64 counters; what needs more, spills")
        .meaning(PROBE_COUNT, "bits that a query looks at, at most")
        .part("blocks", blocks, "parts, of which each key has one")
        .part("block-bits", BLOCK_BITS, "bits of each block");
  }

  FilterLayout toLayout() {
    return FilterLayout.of(BITS, bits()).with(COUNT_BITS, countBits).with(PROBE_COUNT, probes());
  }

  /**
   * Creates a layout from the numbers in a file.
   *
   * @param allowedCountBits the values of {@code count-bits} that the variant supports
   * @throws IllegalArgumentException if the numbers are not a layout of this variant
   */
  static CountingLayout of(FilterLayout numbers, SortedSet<Integer> allowedCountBits) {
    long countBits = numbers.get(COUNT_BITS);
    if (countBits != (int) countBits || !allowedCountBits.contains((int) countBits)) {
      throw new IllegalArgumentException(
          "count-bits must be one of " + allowedCountBits + ", but is " + countBits);
    }
    int maxBlocks = maxBlocks((int) countBits);
    long bits = numbers.get(BITS);
    if (bits < BLOCK_BITS || bits % BLOCK_BITS != 0 || bits / BLOCK_BITS > maxBlocks) {
      throw new IllegalArgumentException(
          "bits must be a multiple of 128 from 128 to "
              + (long) maxBlocks * BLOCK_BITS
              + ", but is "
              + bits);
    }
    long probes = numbers.get(PROBE_COUNT);
    if (probes < BLOCK_WORDS
        || probes > BLOCK_WORDS * MAX_PROBES_PER_WORD
        || probes % BLOCK_WORDS != 0) {
      throw new IllegalArgumentException("probes must be 2, 4, 6 or 8, but are " + probes);
    }
    CountingLayout layout =
        new CountingLayout((int) (bits / BLOCK_BITS), (int) probes / BLOCK_WORDS, (int) countBits);
    if (!layout.toLayout().equals(numbers)) {
      throw new IllegalArgumentException(
          "layout must have no numbers but " + layout.toLayout() + ", but is " + numbers);
    }
    return layout;
  }
}
