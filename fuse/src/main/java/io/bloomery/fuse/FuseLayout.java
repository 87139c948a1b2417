package io.bloomery.fuse;

import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.Sizing;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Set;

/**
 * The sizes of tables of cells, of which each hash has one.
 *
 * @param parts the number of tables, all of one size
 * @param segments the number of segments of a table
 * @param segment the number of cells of each, a power of two
 * @param width the number of bits of each cell
 */
record FuseLayout(int parts, int segments, int segment, int width) {
  // decisions.md#a-fuse-table-is-sized-by-trial-and-small-ones-try-many-seeds
  // decisions.md#more-than-16-million-keys-of-fuse-are-in-parts-each-with-its-own-seed
  // decisions.md#only-four-cells-a-key-never-three

  /** The number of cells of a hash, in as many consecutive segments. */
  static final int ARITY = 4;

  static final int MAX_WIDTH = 32;
  static final int MAX_SEGMENT = 1 << 18;

  /**
   * The most keys that are planned for one of several tables; a single one has up to twice that.
   */
  static final int KEYS_PER_PART = 1 << 23;

  static final int MAX_PARTS = 1 << 20;

  /** The largest number of bytes of an array, which a part is in. */
  static final int MAX_BYTES = Integer.MAX_VALUE - 15;

  /** Of a rate, so that the same holds for any number of keys up to 10^8. */
  private static final MathContext UP = new MathContext(2, RoundingMode.CEILING);

  private static final int MAX_CELLS = Integer.MAX_VALUE - 15;

  /**
   * Returns the smallest layout of a spec.
   *
   * @param keysPerPart the most keys that are planned for one of several tables
   * @throws IllegalArgumentException if there is none
   */
  static FuseLayout of(FilterSpec spec, int keysPerPart) {
    long keys = spec.expectedKeys();
    int width = 1;
    while (rate(keys, width) > spec.falsePositiveRate()) {
      if (++width > MAX_WIDTH) {
        throw new IllegalArgumentException(
            "rate must be at least "
                + new BigDecimal(rate(keys, MAX_WIDTH)).round(UP)
                + " for "
                + keys
                + " keys in a fuse filter, whose cells have at most "
                + MAX_WIDTH
                + " bits, but was "
                + spec.falsePositiveRate()
                + "; ask for a higher one, or for variant 'standard'");
      }
    }
    long parts = keys <= 2L * keysPerPart ? 1 : (keys - 1) / keysPerPart + 1;
    if (parts > MAX_PARTS) {
      throw new IllegalArgumentException(
          "keys of a fuse filter must be at most "
              + (long) keysPerPart * MAX_PARTS
              + ", but were "
              + keys
              + "; ask for fewer, or spread the keys over several filters");
    }
    double share = (double) keys / parts;
    if (parts > 1) {
      share += 6 * StrictMath.sqrt(share); // of 10^9 parts, one gets more
    }
    double log = StrictMath.log(share);
    int exponent = (int) StrictMath.floor(log / StrictMath.log(2.91) - 0.5);
    int segment = (int) Math.min(MAX_SEGMENT, 1L << Math.max(0, exponent));
    double cells = share * cellsPerKey(StrictMath.max(log, StrictMath.log(2)));
    double segments = Math.max(ARITY, StrictMath.ceil(cells / segment));
    return new FuseLayout((int) parts, (int) segments, segment, width);
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
    Set<String> names = numbers.toMap().keySet();
    boolean several = names.contains("parts");
    if (!names.containsAll(Set.of("segment", "segments", "width"))
        || names.size() != (several ? 4 : 3)) {
      throw new IllegalArgumentException(
          "layout must have segment, segments and width, and parts if there are several, but has "
              + names);
    }
    long parts = several ? numbers.get("parts") : 1;
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
    if (several && (parts < 2 || parts > MAX_PARTS)) {
      throw new IllegalArgumentException(
          "parts must be from 2 to " + MAX_PARTS + ", but were " + parts);
    }
    FuseLayout layout = new FuseLayout((int) parts, (int) segments, (int) segment, (int) width);
    if (payloadSize != layout.bytes() || layout.partBytes() > MAX_BYTES) {
      throw new IllegalArgumentException(
          "payload must have "
              + layout.bytes()
              + " bytes, at most "
              + MAX_BYTES
              + " for each part, for "
              + parts
              + " times "
              + layout.cells()
              + " cells of "
              + width
              + " bits, but has "
              + payloadSize);
    }
    return layout;
  }

  /** Returns the number of cells of each part. */
  int cells() {
    return segments * segment;
  }

  /** Returns the number of words of each part that have cells. */
  long cellWords() {
    return ((long) cells() * width + Long.SIZE - 1) / Long.SIZE;
  }

  /** Returns the number of words of a part: those of cells and the {@link FuseTail} behind them. */
  long partWords() {
    return cellWords() + 1;
  }

  long partBytes() {
    return partWords() * Long.BYTES;
  }

  /** Returns the number of bytes of all parts. */
  long bytes() {
    return parts * partBytes();
  }

  /**
   * Returns the number of parts in one array: all, or else a power of two.
   *
   * @param maxBytes the largest number of bytes of an array of several parts
   */
  int partsOfArray(int maxBytes) {
    return bytes() <= maxBytes
        ? parts
        : Integer.highestOneBit((int) Math.max(1, maxBytes / partBytes()));
  }

  /** Returns the part of a mixed hash. */
  int part(long mixed) {
    return (int) FuseHash.first(mixed, 2L * parts);
  }

  /** Returns the number of cells of a part that may be the first of a hash. */
  long firsts() {
    return (segments - ARITY + 1L) * segment;
  }

  /** Returns twice the number of cells of all parts that may be the first of a hash. */
  long twiceFirsts() {
    return 2L * parts * firsts();
  }

  /** Returns the false-positive probability of a filter of a number of distinct hashes. */
  double rate(long keys) {
    return keys == 0 ? 0 : Math.min(1, rate(keys, width));
  }

  private static double rate(long keys, int width) {
    return StrictMath.scalb(1.0, -width) + Sizing.collisionRate(keys);
  }

  FilterLayout toLayout() {
    FilterLayout one =
        FilterLayout.of("segment", segment).with("segments", segments).with("width", width);
    return parts == 1 ? one : one.with("parts", parts);
  }
}
