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
    long bits = bits(words);
    if (probes <= FIRST) {
      return all(words, bits, hash, probes) != 0;
    }
    long second = Probes.next(hash);
    long third = Probes.next(second);
    if ((bit(words, bits, hash) & bit(words, bits, second) & bit(words, bits, third) & 1) == 0) {
      return false;
    }
    // No early exit from here on: what came so far is most likely contained.
    return rest(words, bits, Probes.next(third), probes - FIRST) != 0;
  }

  private static long bits(long[] words) {
    return (long) words.length << 6;
  }

  // The compiler unrolls loops whose length it knows: a quarter faster than one loop for all.
  private static int rest(long[] words, long bits, long probe, int left) {
    return switch (left) {
      case 4 -> all(words, bits, probe, 4); // of 7 probes: 1 %
      case 7 -> all(words, bits, probe, 7); // of 10 probes: 0.1 %
      case 10 -> all(words, bits, probe, 10); // of 13 probes: 0.01 %
      default -> all(words, bits, probe, left);
    };
  }

  /** Returns 1 if the bits of {@code count} probes, from {@code probe} on, are set, else 0. */
  private static int all(long[] words, long bits, long probe, int count) {
    long all = 1;
    for (int i = 0; i < count; i++) {
      all &= bit(words, bits, probe);
      probe = Probes.next(probe);
    }
    return (int) all & 1;
  }

  /**
   * Returns the bit at a probe's position as the lowest bit of the result; the others are noise.
   */
  private static long bit(long[] words, long bits, long probe) {
    long position = Probes.position(probe, bits);
    return words[(int) (position >>> 6)] >>> position;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = this.words;
    long bits = bits(words);
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
    long[] words = this.words;
    long bits = bits(words);
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

  // Asks two probes of every hash, then the next two of those that are left, then all others of
  // what is most likely contained: the loads of one round do not wait for each other.
  private int selectBatch(long[] hashes, int from, int to, int[] hits, int found) {
    long[] words = this.words;
    long bits = bits(words);
    int probes = this.probes;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += two(words, bits, hashes[i], probes);
    }
    if (probes > 2) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += two(words, bits, thirdProbe(hashes[i]), probes - 2);
      }
    }
    if (probes > 4) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += rest(words, bits, thirdProbe(thirdProbe(hashes[i])), probes - 4);
      }
    }
    return left;
  }

  private static long thirdProbe(long first) {
    return Probes.next(Probes.next(first));
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private static int two(long[] words, long bits, long probe, int left) {
    long both = bit(words, bits, probe);
    if (left > 1) {
      both &= bit(words, bits, Probes.next(probe));
    }
    return (int) both & 1;
  }
}
