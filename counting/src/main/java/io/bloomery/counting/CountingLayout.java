package io.bloomery.counting;

import io.bloomery.FilterDescription;
import io.bloomery.spi.BitTable;
import java.util.Map;

/**
 * The layout of a counting filter.
 *
 * @param blocks from 1 to {@link #MAX_BLOCKS}
 * @param probesPerWord from {@link #MIN_PROBES_PER_WORD} to {@link #MAX_PROBES_PER_WORD}
 */
record CountingLayout(int blocks, int probesPerWord) {

  static final int BLOCK_WORDS = 2;

  /** Positions in a block, and so bits of a block in each plane. */
  static final int BLOCK_BITS = BLOCK_WORDS * Long.SIZE;

  /** One for "at least one", two for how many. */
  static final int PLANES = 3;

  static final int MIN_PROBES_PER_WORD = 2;
  static final int MAX_PROBES_PER_WORD = 4;

  /** As many as the larger of the two tables, which holds two planes, has room for. */
  static final int MAX_BLOCKS = (int) (BitTable.MAX_BITS / ((PLANES - 1) * BLOCK_BITS));

  private static final String BITS = "bits";
  private static final String PLANE_COUNT = "planes";
  private static final String PROBE_COUNT = "probes";

  /**
   * Returns how many positions a key has, of which some may coincide if they are more than four.
   */
  int probes() {
    return BLOCK_WORDS * probesPerWord;
  }

  /** Returns the bits of one plane. */
  long bits() {
    return (long) blocks * BLOCK_BITS;
  }

  long bitsOfAllPlanes() {
    return bits() * PLANES;
  }

  long bytesOfAllPlanes() {
    return bitsOfAllPlanes() / Byte.SIZE;
  }

  FilterDescription description() {
    return new FilterDescription(
            "a counter for each bit, all of a key in one block; every put counts", "1 block")
        .meaning("bits", "bits that queries choose from")
        .meaning(PLANE_COUNT, "tables of so many bits: one says 'some', others how many more")
        .meaning(PROBE_COUNT, "bits that a query looks at, at most")
        .part("blocks", blocks, "parts, of which each key has one")
        .part("block-bits", BLOCK_BITS, "bits of each block");
  }

  Map<String, Long> toMap() {
    return Map.of(BITS, bits(), PLANE_COUNT, (long) PLANES, PROBE_COUNT, (long) probes());
  }

  /**
   * Makes a layout of the numbers in a file.
   *
   * @throws IllegalArgumentException if they are not those of a counting filter
   */
  static CountingLayout of(Map<String, Long> numbers) {
    long bits = numbers.getOrDefault(BITS, 0L);
    if (bits < BLOCK_BITS || bits % BLOCK_BITS != 0 || bits / BLOCK_BITS > MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "bits must be a multiple of 128 from 128 to "
              + (long) MAX_BLOCKS * BLOCK_BITS
              + ", but is "
              + bits);
    }
    long probes = numbers.getOrDefault(PROBE_COUNT, 0L);
    if (probes < BLOCK_WORDS * MIN_PROBES_PER_WORD || probes > BLOCK_WORDS * MAX_PROBES_PER_WORD) {
      throw new IllegalArgumentException("probes must be 4, 6 or 8, but are " + probes);
    }
    CountingLayout layout =
        new CountingLayout((int) (bits / BLOCK_BITS), (int) probes / BLOCK_WORDS);
    if (!layout.toMap().equals(numbers)) {
      throw new IllegalArgumentException(
          "layout must be " + layout.toMap() + " for so many bits, but is " + numbers);
    }
    return layout;
  }
}
