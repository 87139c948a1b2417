package io.bloomery.standard;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A Bloom filter whose k probes fall anywhere in one table. */
final class StandardFilter extends TableFilter {

  // Most absent keys are found out by three probes. Fewer leave too many for a second look; more
  // touch memory for nothing.
  private static final int FIRST = 3;

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  private static final int BATCH = 64;

  // Probe i of a hash is hash * SCALE[i] + SHIFT[i]: a batch comes back to a hash without
  // remembering its last probe.
  private static final long[] SCALE = new long[TableLayout.MAX_PROBES + 1];
  private static final long[] SHIFT = new long[TableLayout.MAX_PROBES + 1];

  static {
    SCALE[0] = 1;
    for (int i = 0; i < TableLayout.MAX_PROBES; i++) {
      SHIFT[i + 1] = Probes.next(SHIFT[i]);
      SCALE[i + 1] = Probes.next(SCALE[i] + SHIFT[i]) - SHIFT[i + 1];
    }
  }

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final long bits;
  private final int probes;
  private final boolean shared;

  StandardFilter(TableProvider provider, FilterSpec spec, BitTable table, int probes) {
    super(provider, spec, table, probes);
    this.words = table.words();
    this.bits = table.sizeInBits();
    this.probes = probes;
    this.shared = table.mode() == ThreadMode.SHARED;
  }

  @Override
  public boolean mightContain(long hash) {
    long[] words = this.words;
    long bits = this.bits;
    long probe = hash;
    int left = probes;
    if (left > FIRST) {
      long second = Probes.next(probe);
      long third = Probes.next(second);
      if ((bit(words, bits, probe) & bit(words, bits, second) & bit(words, bits, third) & 1) == 0) {
        return false;
      }
      probe = Probes.next(third);
      left -= FIRST;
    }
    // No early exit from here on: what came so far is most likely contained.
    long all = 1;
    for (; left >= 4; left -= 4) {
      long b = Probes.next(probe);
      long c = Probes.next(b);
      long d = Probes.next(c);
      all &= bit(words, bits, probe) & bit(words, bits, b);
      all &= bit(words, bits, c) & bit(words, bits, d);
      probe = Probes.next(d);
    }
    for (; left > 0; left--) {
      all &= bit(words, bits, probe);
      probe = Probes.next(probe);
    }
    return ((int) all & 1) != 0;
  }

  /**
   * Returns the bit at a probe's position as the lowest bit of the result; the others are noise.
   */
  private static long bit(long[] words, long bits, long probe) {
    long position = Probes.position(probe, bits);
    return (long) WORDS.getOpaque(words, (int) (position >>> 6)) >>> position;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = this.words;
    long bits = this.bits;
    long probe = hash;
    long missing = 0;
    for (int i = 0; i < probes; i++) {
      long position = Probes.position(probe, bits);
      int index = (int) (position >>> 6);
      long mask = 1L << position;
      long word = words[index];
      missing |= ~word & mask;
      words[index] = word | mask;
      probe = Probes.next(probe);
    }
    return missing != 0;
  }

  private boolean putShared(long hash) {
    if (mightContain(hash)) {
      return false;
    }
    int stripe = table().claim(hash);
    try {
      long probe = hash;
      long missing = 0;
      for (int i = 0; i < probes; i++) {
        long position = Probes.position(probe, bits);
        long mask = 1L << position;
        missing |= ~(long) WORDS.getAndBitwiseOr(words, (int) (position >>> 6), mask) & mask;
        probe = Probes.next(probe);
      }
      return missing != 0;
    } finally {
      table().release(stripe);
    }
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from; i < to; i += BATCH) {
      found = selectBatch(hashes, i, Math.min(i + BATCH, to), hits, found);
    }
    return found;
  }

  // Asks two probes of every hash, then the next two of those that are left, and so on: the loads
  // of
  // one round do not wait for each other.
  private int selectBatch(long[] hashes, int from, int to, int[] hits, int found) {
    int kept = found;
    for (int i = from; i < to; i++) {
      hits[kept] = i;
      kept += two(hashes[i], 0);
    }
    for (int done = 2; done < probes && kept > found; done += 2) {
      int left = kept;
      kept = found;
      for (int j = found; j < left; j++) {
        int i = hits[j];
        hits[kept] = i;
        kept += two(hashes[i], done);
      }
    }
    return kept;
  }

  /** Returns 1 if the bits of probe {@code i} and the one after it, if any, are set, else 0. */
  private int two(long hash, int i) {
    long probe = hash * SCALE[i] + SHIFT[i];
    long both = bit(words, bits, probe);
    if (i + 1 < probes) {
      both &= bit(words, bits, Probes.next(probe));
    }
    return (int) both & 1;
  }
}
