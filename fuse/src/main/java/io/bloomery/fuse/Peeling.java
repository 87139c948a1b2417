package io.bloomery.fuse;

import io.bloomery.internal.SortedHashes;
import java.util.Arrays;

/**
 * The construction of tables, one after the other. A hash that is alone in one of its cells is
 * removed from its others, which leaves further ones alone, until none is left. In reverse order,
 * each gets its fingerprint by the cell that it was alone in, which no later one reads. Source:
 * Graf, Lemire, 2022, doi.org/10.1145/3510449.
 *
 * <p>Hashes come sorted by their first cell, so that those in the caches serve the next ones too.
 */
final class Peeling {

  /** The bytes that a construction takes for each cell of a part, beside the tables. */
  static final int BYTES_PER_CELL = Byte.BYTES + Long.BYTES + Integer.BYTES + Long.BYTES;

  // From this many cells on half of the seeds succeed, at least, and each takes a millisecond.
  private static final int MANY_CELLS = 1 << 13;
  private static final int SEEDS_OF_MANY = 64;

  // From this many on fewer than one in 40 fails, 0 of 840 that were tried, and each takes up to a
  // second. So chance lets all of these fail with a probability below 2^-63, as all 64 above: who
  // tries more waits for hashes that were chosen.
  private static final int MOST_CELLS = 1 << 21;
  private static final int SEEDS_OF_MOST = 12;

  // A count that stays: a cell of so many hashes is never the last of one.
  private static final byte TOO_MANY = Byte.MAX_VALUE;

  private final FuseLayout layout;
  private final long twiceFirsts;
  private final byte[] counts;
  private final long[] xors;
  private final int[] order;
  private final int[] cells = new int[FuseLayout.ARITY];
  private final SortedHashes hashes;
  private long[] mixed; // of the part
  private int count;
  private long firstOfPart;
  private long key;

  private Peeling(FuseLayout layout, SortedHashes hashes) {
    this.hashes = hashes;
    this.layout = layout;
    this.twiceFirsts = layout.twiceFirsts();
    this.counts = new byte[layout.cells()];
    this.xors = new long[layout.cells()];
    this.order = new int[layout.cells()];
    long share = hashes.size() / layout.parts();
    this.mixed = new long[(int) Math.min(layout.cells(), share + share / 64 + 64)];
  }

  /**
   * Fills the arrays of a filter, which are all zero.
   *
   * @throws IllegalArgumentException if no seed succeeds
   */
  static void build(FuseLayout layout, SortedHashes hashes, byte[][] arrays) {
    if (hashes.size() == 0) {
      return;
    }
    Peeling peeling = new Peeling(layout, hashes);
    int bytes = (int) layout.partBytes();
    int part = 0;
    for (byte[] array : arrays) {
      for (int from = 0; from < array.length; from += bytes) {
        peeling.build(part++, array, from);
      }
    }
  }

  private void build(int part, byte[] content, int from) {
    firstOfPart = part * layout.firsts();
    take(part);
    if (count == 0) {
      return;
    }
    int seeds = seeds(layout.cells());
    key = 0;
    for (int seed = 0; seed < seeds; seed++) {
      if (layout.parts() > 1) {
        key = FuseHash.key(seed);
      } else if (seed > 0) {
        mixAgain(seed);
      }
      if (peel()) {
        fill(content, from);
        int tail = from + (int) layout.partBytes() - Long.BYTES;
        FuseFilter.WORDS.set(content, tail, new FuseTail(count, seed).word());
        return;
      }
    }
    throw inseparable("none of " + seeds + " seeds separates these " + count);
  }

  private static int seeds(int cells) {
    if (cells < MANY_CELLS) {
      return FuseTail.SEEDS;
    }
    return cells < MOST_CELLS ? SEEDS_OF_MANY : SEEDS_OF_MOST;
  }

  /** Takes the hashes of a part. */
  private void take(int part) {
    count = 0;
    while (hashes.hasNext() && layout.part(hashes.peekMixed()) == part) {
      if (count == mixed.length) {
        if (count == layout.cells()) {
          throw inseparable("there are more of one part than its " + count + " cells");
        }
        mixed = Arrays.copyOf(mixed, (int) Math.min(layout.cells(), 2L * count));
      }
      mixed[count++] = hashes.nextMixed();
    }
  }

  private static IllegalArgumentException inseparable(String reason) {
    return new IllegalArgumentException(
        "hashes must be ones that chance could give, but "
            + reason
            + "; if others choose the keys, hash them with a secret");
  }

  private void mixAgain(int seed) {
    long before = FuseHash.key(seed - 1);
    long now = FuseHash.key(seed);
    for (int i = 0; i < count; i++) {
      mixed[i] = FuseHash.mix(FuseHash.unmix(mixed[i], before), now);
    }
    Arrays.sort(mixed, 0, count);
  }

  /**
   * Puts all hashes into their cells, and removes them one by one; returns whether none is left.
   * The cell that each is removed by is then in the order, and the hash still in it.
   */
  private boolean peel() {
    Arrays.fill(counts, (byte) 0);
    Arrays.fill(xors, 0);
    for (int i = 0; i < count; i++) {
      locate(mixed[i]);
      for (int cell : cells) {
        xors[cell] ^= mixed[i];
        if (counts[cell] != TOO_MANY) {
          counts[cell]++;
        }
      }
    }
    int found = 0;
    for (int cell = 0; cell < counts.length; cell++) {
      if (counts[cell] == 1) {
        order[found++] = cell;
      }
    }
    int removed = 0;
    for (int next = 0; next < found; next++) {
      int alone = order[next];
      if (counts[alone] != 1) {
        continue; // removed by another of its cells
      }
      order[removed++] = alone;
      long hash = xors[alone];
      locate(hash);
      for (int cell : cells) {
        if (cell != alone) {
          xors[cell] ^= hash;
        }
        if (counts[cell] != TOO_MANY && --counts[cell] == 1) {
          order[found++] = cell;
        }
      }
    }
    return removed == count;
  }

  private void fill(byte[] content, int from) {
    long before = (long) from * Byte.SIZE;
    int width = layout.width();
    long mask = (1L << width) - 1;
    for (int i = count - 1; i >= 0; i--) {
      long hash = xors[order[i]];
      locate(hash);
      long value = hash;
      for (int cell : cells) {
        value ^= FuseFilter.cell(content, before + (long) cell * width);
      }
      long bit = before + (long) order[i] * width;
      int at = (int) (bit >>> 3);
      long bits = (long) FuseFilter.WORDS.get(content, at) | ((value & mask) << (bit & 7));
      FuseFilter.WORDS.set(content, at, bits);
    }
  }

  private void locate(long mixed) {
    int segment = layout.segment();
    int mask = segment - 1;
    long spread = FuseHash.spread(mixed ^ key);
    int first = (int) (FuseHash.first(mixed, twiceFirsts) - firstOfPart);
    cells[0] = first;
    cells[1] = (first + segment) ^ ((int) (spread >>> FuseHash.SECOND) & mask);
    cells[2] = (first + 2 * segment) ^ ((int) (spread >>> FuseHash.THIRD) & mask);
    cells[3] = (first + 3 * segment) ^ ((int) (spread >>> FuseHash.FOURTH) & mask);
  }
}
