package io.bloomery.standard;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableProvider;
import io.bloomery.spi.WordProbes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/** A Bloom filter whose k probes fall anywhere in one table. */
final class StandardFilter extends TableFilter {

  // Beyond the second-level cache a read costs more than a mispredicted branch, within it less.
  static final int NEAR_WORDS = 1 << 17;

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
    return words.length <= NEAR_WORDS
        ? testNear(words, hash, probes)
        : testFar(words, hash, probes);
  }

  /** Returns whether all bits of a hash are set: asks all of them, since branches cost more. */
  private static boolean testNear(long[] words, long hash, int probes) {
    long all = 1;
    long state = hash;
    int left = probes;
    for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
      all &= bits(words, state, WordProbes.PER_STATE);
      state = WordProbes.next(state);
    }
    // The compiler unrolls loops whose length it knows; three is what 1 % leaves.
    all &= left == 3 ? bits(words, state, 3) : bits(words, state, left);
    return ((int) all & 1) != 0;
  }

  /**
   * Returns whether all bits of a hash are set: leaves with the first that is clear. The processor
   * foresees that a bit is set and reads on, so that only one wait in seven is for a wrong guess.
   */
  private static boolean testFar(long[] words, long hash, int probes) {
    long state = hash;
    int left = probes;
    for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
      if (!allSet(words, state, WordProbes.PER_STATE)) {
        return false;
      }
      state = WordProbes.next(state);
    }
    return left == 3 ? allSet(words, state, 3) : allSet(words, state, left);
  }

  /**
   * Returns the bits of {@code count} probes from one state on, all in one: its lowest bit is 1 if
   * all of them are set; the others are noise.
   */
  private static long bits(long[] words, long state, int count) {
    long all = 1;
    long probe = state;
    for (int i = 0; i < count; i++) {
      all &= words[WordProbes.word(probe, words.length)] >>> probe;
      probe = WordProbes.turn(probe);
    }
    return all;
  }

  private static boolean allSet(long[] words, long state, int count) {
    long probe = state;
    for (int i = 0; i < count; i++) {
      if ((words[WordProbes.word(probe, words.length)] >>> probe & 1) == 0) {
        return false;
      }
      probe = WordProbes.turn(probe);
    }
    return true;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = this.words;
    long missing = 0;
    long state = hash;
    int left = probes;
    for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
      missing |= set(words, state, WordProbes.PER_STATE);
      state = WordProbes.next(state);
    }
    missing |= left == 3 ? set(words, state, 3) : set(words, state, left);
    return missing != 0;
  }

  /** Sets the bits of {@code count} probes; returns what is not 0 if one of them was clear. */
  private static long set(long[] words, long state, int count) {
    long missing = 0;
    long probe = state;
    for (int i = 0; i < count; i++) {
      int index = WordProbes.word(probe, words.length);
      long mask = 1L << probe;
      long word = words[index];
      missing |= mask & ~word;
      words[index] = word | mask;
      probe = WordProbes.turn(probe);
    }
    return missing;
  }

  private boolean putShared(long hash) {
    if (mightContain(hash)) {
      return false;
    }
    long[] words = this.words;
    long missing = 0;
    int stripe = table().claim(hash);
    try {
      long state = hash;
      int left = probes;
      for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
        missing |= or(words, state, WordProbes.PER_STATE);
        state = WordProbes.next(state);
      }
      missing |= left == 3 ? or(words, state, 3) : or(words, state, left);
    } finally {
      table().release(stripe);
    }
    return missing != 0;
  }

  /** As {@link #set}, beside other threads that set bits of the same words. */
  private static long or(long[] words, long state, int count) {
    long missing = 0;
    long probe = state;
    for (int i = 0; i < count; i++) {
      int index = WordProbes.word(probe, words.length);
      long mask = 1L << probe;
      missing |= mask & ~(long) WORDS.getAndBitwiseOr(words, index, mask);
      probe = WordProbes.turn(probe);
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
        long state = hashes[i];
        int left = probes;
        for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
          any |= fetch(words, state, WordProbes.PER_STATE);
          state = WordProbes.next(state);
        }
        any |= left == 3 ? fetch(words, state, 3) : fetch(words, state, left);
      }
    }
    return any;
  }

  /**
   * Reads the words of {@code count} probes: loads that wait for nothing, so that many of them are
   * under way at a time. Opaque reads are made even if nobody uses what they return.
   */
  private static long fetch(long[] words, long state, int count) {
    long any = 0;
    long probe = state;
    for (int i = 0; i < count; i++) {
      any |= (long) WORDS.getOpaque(words, WordProbes.word(probe, words.length));
      probe = WordProbes.turn(probe);
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

  // Asks two probes of every hash, then two more of those that are left, then all others of what
  // is most likely contained: the loads of one round do not wait for each other.
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
        left += two(words, WordProbes.turn(WordProbes.turn(hashes[i])), probes - 2);
      }
    }
    if (probes > WordProbes.PER_STATE) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        long next = WordProbes.next(hashes[i]);
        left += testNear(words, next, probes - WordProbes.PER_STATE) ? 1 : 0;
      }
    }
    return left;
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private static int two(long[] words, long probe, int left) {
    return (int) (left == 1 ? bits(words, probe, 1) : bits(words, probe, 2)) & 1;
  }
}
