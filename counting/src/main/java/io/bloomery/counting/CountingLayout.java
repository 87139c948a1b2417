package io.bloomery.counting;

import io.bloomery.spi.BitTable;
import java.util.Map;

/**
 * The layout of a counting filter.
 *
 * @param blocks from 1 to {@link #MOST_BLOCKS}
 */
record CountingLayout(int blocks) {

  static final int BLOCK_WORDS = 2;

  /** Positions in a block, and so bits of a block in each plane. */
  static final int BLOCK_BITS = BLOCK_WORDS * Long.SIZE;

  /** One for "at least one", two for how many. */
  static final int PLANES = 3;

  static final int PROBES_PER_WORD = 4;

  /** Positions of a key. */
  static final int PROBES = BLOCK_WORDS * PROBES_PER_WORD;

  /** As many as the larger of the two tables, which holds two planes, has room for. */
  static final int MOST_BLOCKS = (int) (BitTable.MAX_BITS / ((PLANES - 1) * BLOCK_BITS));

  private static final String BITS = "bits";
  private static final String PLANE_COUNT = "planes";
  private static final String PROBE_COUNT = "probes";

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

  Map<String, Long> toMap() {
    return Map.of(BITS, bits(), PLANE_COUNT, (long) PLANES, PROBE_COUNT, (long) PROBES);
  }

  /**
   * Makes a layout of the numbers in a file.
   *
   * @throws IllegalArgumentException if they are not those of a counting filter
   */
  static CountingLayout of(Map<String, Long> numbers) {
    long bits = numbers.getOrDefault(BITS, 0L);
    if (bits < BLOCK_BITS || bits % BLOCK_BITS != 0 || bits / BLOCK_BITS > MOST_BLOCKS) {
      throw new IllegalArgumentException(
          "bits must be a multiple of 128 from 128 to "
              + (long) MOST_BLOCKS * BLOCK_BITS
              + ", but is "
              + bits);
    }
    CountingLayout layout = new CountingLayout((int) (bits / BLOCK_BITS));
    if (!layout.toMap().equals(numbers)) {
      throw new IllegalArgumentException(
          "layout must be " + layout.toMap() + " for so many bits, but is " + numbers);
    }
    return layout;
  }
}
