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
import java.util.Objects;

/** A Bloom filter whose k probes fall anywhere in one table. */
final class StandardFilter extends TableFilter {

  // Beyond the second-level cache a read costs more than a mispredicted branch, within it less.
  private static final int NEAR_WORDS = 1 << 17;
  static final long NEAR_BITS = (long) NEAR_WORDS * Long.SIZE;

  // Most absent keys are found out by three probes. Fewer leave too many for a second look; more
  // touch memory for nothing.
  static final int FIRST = 3;

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  static final int BATCH = 64;

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
    int probes = this.probes;
    if (words.length <= NEAR_WORDS || probes <= FIRST) {
      return allOf(words, hash, probes) != 0;
    }
    return all(words, hash, FIRST) != 0 && allOf(words, probe(hash, FIRST), probes - FIRST) != 0;
  }

  // The compiler unrolls loops whose length it knows: a quarter faster than one loop for all.
  private static int allOf(long[] words, long probe, int count) {
    if (count == 7) {
      return all(words, probe, 7); // at 1 %
    }
    if (count == 4) {
      return all(words, probe, 4); // at 1 %, after three
    }
    if (count == 3) {
      return all(words, probe, 3); // at 1 %, after four
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

  private static long bits(long[] words) {
    return (long) words.length << 6;
  }

  private static int word(long position) {
    return (int) (position >>> 6);
  }

  /** Returns a hash's probe after so many others. */
  static long probe(long hash, int number) {
    long probe = hash;
    for (int i = 0; i < number; i++) {
      probe = Probes.next(probe);
    }
    return probe;
  }

  /**
   * Returns the bit at a probe's position as the lowest bit of the result; the others are noise.
   */
  private static long bit(long[] words, long probe) {
    long position = Probes.position(probe, bits(words));
    return words[word(position)] >>> position;
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
      long position = Probes.position(probe, bits(words));
      int index = word(position);
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
      return (probes == 7 ? orAll(words, hash, 7) : orAll(words, hash, probes)) != 0;
    } finally {
      table().release(stripe);
    }
  }

  /** As {@link #setAll}, beside other threads that set bits of the same words. */
  private static long orAll(long[] words, long probe, int count) {
    long missing = 0;
    for (int i = 0; i < count; i++) {
      long position = Probes.position(probe, bits(words));
      long mask = 1L << position;
      missing |= mask & ~(long) WORDS.getAndBitwiseOr(words, word(position), mask);
      probe = Probes.next(probe);
    }
    return missing;
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      fetch(hashes, i, end);
      for (int j = i; j < end; j++) {
        added += put(hashes[j]) ? 1 : 0;
      }
    }
    return added;
  }

  /** Brings all words of a batch into the cache, unless the whole table fits there. */
  private long fetch(long[] hashes, int from, int to) {
    long[] words = this.words;
    long any = 0;
    if (words.length > NEAR_WORDS) {
      for (int i = from; i < to; i++) {
        any |= probes == 7 ? fetch(words, hashes[i], 7) : fetch(words, hashes[i], probes);
      }
    }
    return any;
  }

  /**
   * Reads the words of {@code count} probes: loads that wait for nothing, so that many of them are
   * under way at a time. Opaque reads are made even if nobody uses what they return.
   */
  private static long fetch(long[] words, long probe, int count) {
    long any = 0;
    for (int i = 0; i < count; i++) {
      any |= (long) WORDS.getOpaque(words, word(Probes.position(probe, bits(words))));
      probe = Probes.next(probe);
    }
    return any;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      found = selectBatch(hashes, i, end, hits, found);
    }
    return found;
  }

  // Asks two probes of every hash, then the next two of those that are left, then all others of
  // what is most likely contained: the loads of one round do not wait for each other.
  private int selectBatch(long[] hashes, int from, int to, int[] hits, int found) {
    VarHandle.loadLoadFence(); // as in mightContain
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
        left += two(words, probe(hashes[i], 2), probes - 2);
      }
    }
    if (probes > 4) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += allOf(words, probe(hashes[i], 4), probes - 4);
      }
    }
    return left;
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
