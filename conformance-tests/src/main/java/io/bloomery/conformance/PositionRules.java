package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongHashSet;
import io.bloomery.filter.Filter;
import io.bloomery.spi.TableLayout;
import java.util.Arrays;
import java.util.List;

/** Where bits lie, in tables that are too large to build. */
final class PositionRules extends Topic {

  /** So many bits are whole words and blocks, and whole regions of those that are counted. */
  private static final long UNIT = 1L << 12;

  /**
   * Sizes around which arithmetic goes wrong, in bits. Tables have the next multiple of {@link
   * #UNIT} bits for each probe, so that no part of one is left unused.
   */
  private static final List<Long> SIZES =
      List.of(
          1L,
          1L << 20,
          (1L << 31) - UNIT * TableLayout.MAX_PROBES,
          (1L << 31) + 1,
          1L << 32,
          3L << 31,
          (1L << 33) + 1,
          1L << 37,
          137_000_000_000L,
          1L << 40);

  PositionRules(RuleContext context) {
    super(context);
  }

  private long[] positions(long hash, long bits, int probes) {
    return subject().provider().positions(hash, bits, probes).orElseThrow();
  }

  void positionsAreEvenAtEverySize() {
    for (int size : new int[] {1, 100, 3_000}) {
      for (double rate : new double[] {0.5, 0.1, 0.01, 1e-3}) {
        checkNamed(size, rate);
      }
    }
    int probes = subject().plan(10_000, 0.01).probes();
    long multiple = UNIT * probes;
    for (long size : SIZES) {
      checkEven((size + multiple - 1) / multiple * multiple, probes);
    }
  }

  // If the positions named are those in use, they tell exactly which hashes are found.
  private void checkNamed(int size, double rate) {
    int probes = subject().plan(size, rate).probes();
    Filter filter = subject().create(size, rate);
    long bits = filter.stats().sizeInBits();
    LongHashSet set = new LongHashSet();
    Hashes hashes = hashes("r71/" + size);
    for (long hash : hashes.next(size)) {
      filter.put(hash);
      set.addAll(positions(hash, bits, probes));
    }
    assertEquals(set.size(), filter.stats().setBits(), () -> "bits set by " + filter);
    for (long hash : hashes.next(2_000)) {
      boolean found = Arrays.stream(positions(hash, bits, probes)).allMatch(set::contains);
      assertEquals(found, filter.mightContain(hash), () -> "is " + hash + " in " + filter);
    }
  }

  private void checkEven(long bits, int probes) {
    int hashes = tier().choose(200_000, 5_000_000, 20_000_000);
    long[] regions = new long[1_024];
    long[] bitsOfWords = new long[Long.SIZE];
    long highest = 0;
    Hashes random = hashes("r71/" + bits);
    for (int i = 0; i < hashes; i++) {
      long hash = random.next();
      long[] positions = positions(hash, bits, probes);
      assertEquals(probes, positions.length, "positions of a hash");
      for (long position : positions) {
        assertTrue(
            position >= 0 && position < bits,
            () -> "position " + position + " of " + hash + " must be below " + bits);
        highest = Math.max(highest, position);
      }
      // One for each hash: those of one hash need not be independent of each other.
      long one = positions[i % probes];
      regions[(int) (one / (bits / regions.length))]++;
      bitsOfWords[(int) (one % Long.SIZE)]++;
    }
    long found = highest;
    // The highest of N positions falls short by a share of 28/N with a probability of 1e-12.
    assertTrue(
        found >= bits - Long.SIZE - bits / (hashes / 32),
        () -> "the highest position is " + found + " of " + bits);
    uniformity().even(regions, "positions in a table of " + bits + " bits");
    uniformity().even(bitsOfWords, "positions within words of a table of " + bits + " bits");
  }
}
