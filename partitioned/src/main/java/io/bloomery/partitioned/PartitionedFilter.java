package io.bloomery.partitioned;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableProvider;
import io.bloomery.spi.WordProbes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/**
 * A Bloom filter of k slices, where probe i falls into slice i.
 *
 * <p>Slice i is the words from {@code i s} to {@code (i + 1) s - 1} of the table, where s is the
 * k-th part of its words, rounded down; what is left over behind the last slice, less than k words,
 * stays clear.
 */
final class PartitionedFilter extends TableFilter {

  // Beyond the second-level cache a read costs more than a mispredicted branch, within it less.
  static final int NEAR_WORDS = 1 << 17;

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  static final int BATCH = 64;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final int slices;
  private final int sliceWords;
  private final boolean shared;

  PartitionedFilter(TableProvider provider, FilterSpec spec, BitTable table, int slices) {
    super(provider, spec, table, slices);
    this.words = table.words();
    this.slices = slices;
    this.sliceWords = (int) PartitionedProvider.sliceWords(table.sizeInBits(), slices);
    this.shared = table.mode() == ThreadMode.SHARED;
  }

  @Override
  public boolean mightContain(long hash) {
    // What other threads wrote is read anew in each call, even by a caller that spins: a fence for
    // all reads costs half of what opaque reads do, since the compiler may still arrange them.
    VarHandle.loadLoadFence();
    long[] words = this.words;
    return words.length <= NEAR_WORDS
        ? testNear(words, sliceWords, hash, 0, slices)
        : testFar(words, sliceWords, hash, slices);
  }

  /**
   * Returns whether all bits of a hash are set from a slice on, which is the first of a state: asks
   * all of them, since branches cost more.
   */
  private static boolean testNear(long[] words, int sliceWords, long hash, int first, int slices) {
    long all = 1;
    long state = hash;
    int start = first * sliceWords;
    int left = slices - first;
    for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
      all &= bits(words, sliceWords, state, start, WordProbes.PER_STATE);
      state = WordProbes.next(state);
      start += WordProbes.PER_STATE * sliceWords;
    }
    // The compiler unrolls loops whose length it knows; three is what 1 % leaves.
    all &=
        left == 3
            ? bits(words, sliceWords, state, start, 3)
            : bits(words, sliceWords, state, start, left);
    return ((int) all & 1) != 0;
  }

  /**
   * Returns whether all bits of a hash are set: leaves with the first that is clear. The processor
   * foresees that a bit is set and reads on, so that only one wait in seven is for a wrong guess.
   */
  private static boolean testFar(long[] words, int sliceWords, long hash, int slices) {
    long state = hash;
    int start = 0;
    int left = slices;
    for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
      if (!allSet(words, sliceWords, state, start, WordProbes.PER_STATE)) {
        return false;
      }
      state = WordProbes.next(state);
      start += WordProbes.PER_STATE * sliceWords;
    }
    return left == 3
        ? allSet(words, sliceWords, state, start, 3)
        : allSet(words, sliceWords, state, start, left);
  }

  /**
   * Returns the bits of {@code count} probes from one state on, all in one: its lowest bit is 1 if
   * all of them are set; the others are noise.
   *
   * @param start the first word of the first probe's slice
   */
  private static long bits(long[] words, int sliceWords, long state, int start, int count) {
    long all = 1;
    long probe = state;
    int slice = start;
    for (int i = 0; i < count; i++) {
      all &= words[slice + WordProbes.word(probe, sliceWords)] >>> probe;
      probe = WordProbes.turn(probe);
      slice += sliceWords;
    }
    return all;
  }

  private static boolean allSet(long[] words, int sliceWords, long state, int start, int count) {
    long probe = state;
    int slice = start;
    for (int i = 0; i < count; i++) {
      if ((words[slice + WordProbes.word(probe, sliceWords)] >>> probe & 1) == 0) {
        return false;
      }
      probe = WordProbes.turn(probe);
      slice += sliceWords;
    }
    return true;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = this.words;
    int sliceWords = this.sliceWords;
    long missing = 0;
    long state = hash;
    int start = 0;
    int left = slices;
    for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
      missing |= set(words, sliceWords, state, start, WordProbes.PER_STATE);
      state = WordProbes.next(state);
      start += WordProbes.PER_STATE * sliceWords;
    }
    missing |=
        left == 3
            ? set(words, sliceWords, state, start, 3)
            : set(words, sliceWords, state, start, left);
    return missing != 0;
  }

  /** Sets the bits of {@code count} probes; returns what is not 0 if one of them was clear. */
  private static long set(long[] words, int sliceWords, long state, int start, int count) {
    long missing = 0;
    long probe = state;
    int slice = start;
    for (int i = 0; i < count; i++) {
      int index = slice + WordProbes.word(probe, sliceWords);
      long mask = 1L << probe;
      long word = words[index];
      missing |= mask & ~word;
      words[index] = word | mask;
      probe = WordProbes.turn(probe);
      slice += sliceWords;
    }
    return missing;
  }

  private boolean putShared(long hash) {
    if (mightContain(hash)) {
      return false;
    }
    long[] words = this.words;
    int sliceWords = this.sliceWords;
    long missing = 0;
    int stripe = table().claim(hash);
    try {
      long state = hash;
      int start = 0;
      for (int left = slices; left > 0; left -= WordProbes.PER_STATE) {
        missing |= or(words, sliceWords, state, start, Math.min(left, WordProbes.PER_STATE));
        state = WordProbes.next(state);
        start += WordProbes.PER_STATE * sliceWords;
      }
    } finally {
      table().release(stripe);
    }
    return missing != 0;
  }

  /** As {@link #set}, beside other threads that set bits of the same words. */
  private static long or(long[] words, int sliceWords, long state, int start, int count) {
    long missing = 0;
    long probe = state;
    int slice = start;
    for (int i = 0; i < count; i++) {
      int index = slice + WordProbes.word(probe, sliceWords);
      long mask = 1L << probe;
      missing |= mask & ~(long) WORDS.getAndBitwiseOr(words, index, mask);
      probe = WordProbes.turn(probe);
      slice += sliceWords;
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
    int sliceWords = this.sliceWords;
    long any = 0;
    if (words.length > NEAR_WORDS) {
      for (int i = from; i < to; i++) {
        long state = hashes[i];
        int start = 0;
        int left = slices;
        for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
          any |= fetch(words, sliceWords, state, start, WordProbes.PER_STATE);
          state = WordProbes.next(state);
          start += WordProbes.PER_STATE * sliceWords;
        }
        any |=
            left == 3
                ? fetch(words, sliceWords, state, start, 3)
                : fetch(words, sliceWords, state, start, left);
      }
    }
    return any;
  }

  /**
   * Reads the words of {@code count} probes: loads that wait for nothing, so that many of them are
   * under way at a time. Opaque reads are made even if nobody uses what they return.
   */
  private static long fetch(long[] words, int sliceWords, long state, int start, int count) {
    long any = 0;
    long probe = state;
    int slice = start;
    for (int i = 0; i < count; i++) {
      any |= (long) WORDS.getOpaque(words, slice + WordProbes.word(probe, sliceWords));
      probe = WordProbes.turn(probe);
      slice += sliceWords;
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
    int sliceWords = this.sliceWords;
    int slices = this.slices;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += two(words, sliceWords, hashes[i], 0, slices);
    }
    if (slices > 2) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        long third = WordProbes.turn(WordProbes.turn(hashes[i]));
        left += two(words, sliceWords, third, 2 * sliceWords, slices - 2);
      }
    }
    if (slices > WordProbes.PER_STATE) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        long next = WordProbes.next(hashes[i]);
        left += testNear(words, sliceWords, next, WordProbes.PER_STATE, slices) ? 1 : 0;
      }
    }
    return left;
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private static int two(long[] words, int sliceWords, long probe, int start, int left) {
    long both =
        left == 1
            ? bits(words, sliceWords, probe, start, 1)
            : bits(words, sliceWords, probe, start, 2);
    return (int) both & 1;
  }

  @Override
  public FilterStats stats() {
    return stats(i -> (long) WORDS.getOpaque(words, (int) i), slices, sliceWords);
  }

  /** Measures slices, given the words of the table by index. */
  static FilterStats stats(LongUnaryOperator words, int slices, long sliceWords) {
    long setBits = 0;
    double rate = 1;
    long sliceBits = sliceWords * Long.SIZE;
    for (int i = 0; i < slices; i++) {
      long setInSlice = 0;
      for (long word = i * sliceWords; word < (i + 1) * sliceWords; word++) {
        setInSlice += Long.bitCount(words.applyAsLong(word));
      }
      setBits += setInSlice;
      rate *= (double) setInSlice / sliceBits;
    }
    long bits = slices * sliceBits;
    return new FilterStats(
        bits,
        setBits,
        rate,
        setBits == bits
            ? OptionalLong.empty()
            : OptionalLong.of(approximateKeys(setBits, bits, sliceBits)));
  }

  // What sets X bits of one slice on average, for the average X of all slices.
  private static long approximateKeys(long setBits, long bits, long sliceBits) {
    double fill = (double) setBits / bits;
    return StrictMath.round(StrictMath.log1p(-fill) / StrictMath.log1p(-1.0 / sliceBits));
  }
}
