package io.bloomery.standard;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A Bloom filter whose k probes fall anywhere in one table. */
final class StandardFilter extends TableFilter {

  // Beyond the second-level cache a read costs more than a mispredicted branch, within it less.
  private static final int NEAR_WORDS = 1 << 17;

  // Most absent keys are found out by three probes. Fewer leave too many for a second look; more
  // touch memory for nothing.
  private static final int FIRST = 3;

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  private static final int BATCH = 64;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final int probes;
  private final boolean shared;

  StandardFilter(TableProvider provider, FilterSpec spec, BitTable table, int probes) {
    super(provider, spec, table, probes);
    this.words = table.words();

    this.probes = probes;
    this.shared = table.mode() == ThreadMode.SHARED;
  }

  @Override
  public boolean mightContain(long hash) {
    // What other threads wrote is read anew in each call, even by a caller that spins: a fence for
    // all reads costs half of what opaque reads do, since the compiler may still arrange them.
    VarHandle.loadLoadFence();
    long[] words = this.words;
    int left = probes;
    long probe = hash;
    if (words.length > NEAR_WORDS && left > FIRST) {
      if (all(words, probe, FIRST) == 0) {
        return false;
      }
      left -= FIRST;
      probe = fourthProbe(hash);
    }
    return allOf(words, probe, left) != 0;
  }

  // The compiler unrolls loops whose length it knows: a quarter faster than one loop for all.
  private static int allOf(long[] words, long probe, int count) {
    if (count == 7) {
      return all(words, probe, 7); // at 1 %
    }
    if (count == 4) {
      return all(words, probe, 4); // at 1 %, after three
    }
    if (count == 10) {
      return all(words, probe, 10); // at 0.1 %
    }
    return all(words, probe, count);
  }

  /** Returns 1 if the bits of {@code count} probes, from {@code probe} on, are set, else 0. */
  private static int all(long[] words, long probe, int count) {
    long all = 1;
    for (int i = 0; i < count; i++) {
      all &= bit(words, probe);
      probe = Probes.next(probe);
    }
    return (int) all & 1;
  }

  /**
   * Returns the bit at a probe's position as the lowest bit of the result; the others are noise.
   */
  private static long bit(long[] words, long probe) {
    long position = Probes.position(probe, (long) words.length << 6);
    return words[(int) (position >>> 6)] >>> position;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = this.words;
    return (probes == 7 ? setAll(words, hash, 7) : setAll(words, hash, probes)) != 0;
  }

  /** Sets the bits of {@code count} probes; returns what is not 0 if one of them was clear. */
  private static long setAll(long[] words, long probe, int count) {
    long missing = 0;
    for (int i = 0; i < count; i++) {
      long position = Probes.position(probe, (long) words.length << 6);
      int index = (int) (position >>> 6);
      long mask = 1L << position;
      long word = words[index];
      missing |= mask & ~word;
      words[index] = word | mask;
      probe = Probes.next(probe);
    }
    return missing;
  }

  private boolean putShared(long hash) {
    if (mightContain(hash)) {
      return false;
    }
    long[] words = this.words;
    int stripe = table().claim(hash);
    try {
      long probe = hash;
      long missing = 0;
      for (int i = 0; i < probes; i++) {
        long position = Probes.position(probe, (long) words.length << 6);
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

  // Asks two probes of every hash, then the next two of those that are left, then all others of
  // what is most likely contained: the loads of one round do not wait for each other.
  private int selectBatch(long[] hashes, int from, int to, int[] hits, int found) {
    long[] words = this.words;
    int probes = this.probes;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += two(words, hashes[i], probes);
    }
    if (probes > 2) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += two(words, thirdProbe(hashes[i]), probes - 2);
      }
    }
    if (probes > 4) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += allOf(words, thirdProbe(thirdProbe(hashes[i])), probes - 4);
      }
    }
    return left;
  }

  private static long fourthProbe(long first) {
    return Probes.next(thirdProbe(first));
  }

  private static long thirdProbe(long first) {
    return Probes.next(Probes.next(first));
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private static int two(long[] words, long probe, int left) {
    long both = bit(words, probe);
    if (left > 1) {
      both &= bit(words, Probes.next(probe));
    }
    return (int) both & 1;
  }
}
