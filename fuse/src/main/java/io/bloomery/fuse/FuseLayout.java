package io.bloomery.fuse;

import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.Sizing;
import java.util.Locale;
import java.util.Set;

/**
 * The sizes of a table of cells.
 *
 * @param segments the number of segments
 * @param segment the number of cells of each, a power of two
 * @param width the number of bits of each cell
 */
record FuseLayout(int segments, int segment, int width) {
  // decisions.md#a-fuse-table-is-sized-by-trial-and-small-ones-try-many-seeds
  // decisions.md#only-four-cells-a-key-never-three

  /** The number of cells of a hash, in as many consecutive segments. */
  static final int ARITY = 4;

  static final int MAX_WIDTH = 32;
  static final int MAX_SEGMENT = 1 << 18;

  /** The largest number of bytes of a table, which is one array. */
  static final int MAX_BYTES = Integer.MAX_VALUE - 15;

  private static final int MAX_CELLS = Integer.MAX_VALUE - 15;

  /**
   * Returns the smallest layout of a spec.
   *
   * @throws IllegalArgumentException if there is none
   */
  static FuseLayout of(FilterSpec spec) {
    long keys = spec.expectedKeys();
    int width = 1;
    while (rate(keys, width) > spec.falsePositiveRate()) {
      if (++width > MAX_WIDTH) {
        throw new IllegalArgumentException(
            "rate must be at least "
                + rate(keys, MAX_WIDTH)
                + " for "
                + keys
                + " keys in a fuse filter, whose cells have at most "
                + MAX_WIDTH
                + " bits, but was "
                + spec.falsePositiveRate()
                + "; ask for a higher one, or for variant 'standard'");
      }
    }
    double log = StrictMath.log((double) keys);
    int exponent = (int) StrictMath.floor(log / StrictMath.log(2.91) - 0.5);
    int segment = (int) Math.min(MAX_SEGMENT, 1L << Math.max(0, exponent));
    double cells = keys * cellsPerKey(StrictMath.max(log, StrictMath.log(2)));
    double segments = Math.max(ARITY, StrictMath.ceil(cells / segment));
    if (segments * segment > MAX_CELLS || segments * segment * width / Byte.SIZE > MAX_BYTES - 16) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d keys at a rate of %s must fit into one table of %d cells and %d bytes, but need"
                  + " %.0f cells of %d bits; ask for fewer keys or a higher rate, or spread the keys"
                  + " over several filters",
              keys,
              spec.falsePositiveRate(),
              MAX_CELLS,
              MAX_BYTES,
              segments * segment,
              width));
    }
    return new FuseLayout((int) segments, segment, width);
  }

  /** Returns the least number of cells that one of few seeds suffices for, by trial. */
  private static double cellsPerKey(double logOfKeys) {
    return StrictMath.max(1.06, StrictMath.min(0.815 + 3.4 / logOfKeys, 1.14 + 1.107 / logOfKeys));
  }

  /**
   * Returns the layout of numbers from a file.
   *
   * @throws IllegalArgumentException if no filter has it, or content of this size with it
   */
  static FuseLayout of(FilterLayout numbers, long payloadSize) {
    Set<String> names = Set.of("segment", "segments", "width");
    if (!numbers.toMap().keySet().equals(names)) {
      throw new IllegalArgumentException(
          "layout must have segment, segments and width, but has " + numbers.toMap().keySet());
    }
    long segment = numbers.get("segment");
    long segments = numbers.get("segments");
    long width = numbers.get("width");
    if (segment < 1 || segment > MAX_SEGMENT || Long.bitCount(segment) != 1) {
      throw new IllegalArgumentException(
          "segment must be a power of two up to " + MAX_SEGMENT + ", but was " + segment);
    }
    if (segments < ARITY || segments > MAX_CELLS / segment) {
      throw new IllegalArgumentException(
          "segments must be from "
              + ARITY
              + " to "
              + MAX_CELLS / segment
              + " if each has "
              + segment
              + " cells, but were "
              + segments);
    }
    if (width < 1 || width > MAX_WIDTH) {
      throw new IllegalArgumentException(
          "width must be from 1 to " + MAX_WIDTH + ", but was " + width);
    }
    FuseLayout layout = new FuseLayout((int) segments, (int) segment, (int) width);
    if (payloadSize != layout.bytes() || payloadSize > MAX_BYTES) {
      throw new IllegalArgumentException(
          "payload must have "
              + layout.bytes()
              + " bytes, at most "
              + MAX_BYTES
              + ", for "
              + layout.cells()
              + " cells of "
              + width
              + " bits, but has "
              + payloadSize);
    }
    return layout;
  }

  int cells() {
    return segments * segment;
  }

  /** Returns the number of words that have cells. */
  long cellWords() {
    return ((long) cells() * width + Long.SIZE - 1) / Long.SIZE;
  }

  /** Returns the number of bytes of the words of cells and of the {@link FuseTail} behind them. */
  long bytes() {
    return (cellWords() + 1) * Long.BYTES;
  }

  /** Returns twice the number of cells that may be the first of a hash. */
  long twiceFirsts() {
    return 2L * (segments - ARITY + 1) * segment;
  }

  /** Returns the false-positive probability of a filter of a number of distinct hashes. */
  double rate(long keys) {
    return keys == 0 ? 0 : Math.min(1, rate(keys, width));
  }

  private static double rate(long keys, int width) {
    return StrictMath.scalb(1.0, -width) + Sizing.collisionRate(keys);
  }

  FilterLayout toLayout() {
    return FilterLayout.of("segment", segment).with("segments", segments).with("width", width);
  }
}
