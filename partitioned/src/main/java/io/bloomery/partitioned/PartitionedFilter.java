package io.bloomery.partitioned;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/**
 * A Bloom filter of k slices, where probe i falls into slice i.
 *
 * <p>Slice i is the bits from {@code i s} to {@code (i + 1) s - 1} of the table, where s is {@code
 * bits / k} rounded down; what is left over behind the last slice, less than k bits, stays clear.
 * Slices do not begin at words: rounding each of them up would cost 3 % of the memory at 1,000
 * keys, and whoever takes a slice out of the table can shift it as it is copied.
 */
final class PartitionedFilter extends TableFilter {

  // Beyond the second-level cache a read costs more than a mispredicted branch, within it less.
  static final int NEAR_WORDS = 1 << 17;
  static final long NEAR_BITS = (long) NEAR_WORDS * Long.SIZE;

  // Most absent keys are found out by three probes. Fewer leave too many for a second look; more
  // touch memory for nothing.
  static final int FIRST = 3;

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  static final int BATCH = 64;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final int slices;
  private final long sliceBits;
  private final boolean shared;

  PartitionedFilter(TableProvider provider, FilterSpec spec, BitTable table, int slices) {
    super(provider, spec, table, slices);
    this.words = table.words();
    this.slices = slices;
    this.sliceBits = PartitionedProvider.sliceBits(table.sizeInBits(), slices);
    this.shared = table.mode() == ThreadMode.SHARED;
  }

  /**
   * Returns where a probe falls within the slice that begins at {@code start}. Part of the file
   * format.
   */
  static long position(long probe, long start, long sliceBits) {
    return start + Probes.position(probe, sliceBits);
  }

  @Override
  public boolean mightContain(long hash) {
    // What other threads wrote is read anew in each call, even by a caller that spins: a fence for
    // all reads costs half of what opaque reads do, since the compiler may still arrange them.
    VarHandle.loadLoadFence();
    long[] words = this.words;
    long sliceBits = this.sliceBits;
    int slices = this.slices;
    if (words.length <= NEAR_WORDS || slices <= FIRST) {
      return allOf(words, sliceBits, hash, 0, slices) != 0;
    }
    return all(words, sliceBits, hash, 0, FIRST) != 0
        && allOf(words, sliceBits, probe(hash, FIRST), FIRST * sliceBits, slices - FIRST) != 0;
  }

  // The compiler unrolls loops whose length it knows: a quarter faster than one loop for all.
  private static int allOf(long[] words, long sliceBits, long probe, long start, int count) {
    if (count == 7) {
      return all(words, sliceBits, probe, start, 7); // at 1 %
    }
    if (count == 4) {
      return all(words, sliceBits, probe, start, 4); // at 1 %, after three
    }
    if (count == 3) {
      return all(words, sliceBits, probe, start, 3); // at 1 %, after four
    }
    if (count == 10) {
      return all(words, sliceBits, probe, start, 10); // at 0.1 %
    }
    return all(words, sliceBits, probe, start, count);
  }

  /**
   * Returns 1 if the bits of {@code count} probes are set, else 0.
   *
   * @param probe the first of them
   * @param start where its slice begins
   */
  private static int all(long[] words, long sliceBits, long probe, long start, int count) {
    long all = 1;
    for (int i = 0; i < count; i++) {
      all &= bit(words, sliceBits, probe, start);
      probe = Probes.next(probe);
      start += sliceBits;
    }
    return (int) all & 1;
  }

  /**
   * Returns the bit at a probe's position as the lowest bit of the result; the others are noise.
   */
  private static long bit(long[] words, long sliceBits, long probe, long start) {
    long position = position(probe, start, sliceBits);
    return words[word(position)] >>> position;
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

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = this.words;
    long sliceBits = this.sliceBits;
    long missing;
    if (slices == 7) { // two loops that are unrolled; one of seven would be too long for that
      missing = setAll(words, sliceBits, hash, 0, 4);
      missing |= setAll(words, sliceBits, probe(hash, 4), 4 * sliceBits, 3);
    } else {
      missing = setAll(words, sliceBits, hash, 0, slices);
    }
    return missing != 0;
  }

  /** Sets the bits of {@code count} probes; returns what is not 0 if one of them was clear. */
  private static long setAll(long[] words, long sliceBits, long probe, long start, int count) {
    long missing = 0;
    for (int i = 0; i < count; i++) {
      long position = position(probe, start, sliceBits);
      int index = word(position);
      long mask = 1L << position;
      long word = words[index];
      missing |= mask & ~word;
      words[index] = word | mask;
      probe = Probes.next(probe);
      start += sliceBits;
    }
    return missing;
  }

  private boolean putShared(long hash) {
    if (mightContain(hash)) {
      return false;
    }
    long[] words = this.words;
    long sliceBits = this.sliceBits;
    int stripe = table().claim(hash);
    try {
      long probe = hash;
      long start = 0;
      long missing = 0;
      for (int i = 0; i < slices; i++) {
        long position = position(probe, start, sliceBits);
        long mask = 1L << position;
        missing |= ~(long) WORDS.getAndBitwiseOr(words, word(position), mask) & mask;
        probe = Probes.next(probe);
        start += sliceBits;
      }
      return missing != 0;
    } finally {
      table().release(stripe);
    }
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
    long sliceBits = this.sliceBits;
    long any = 0;
    if (words.length > NEAR_WORDS) {
      for (int i = from; i < to; i++) {
        if (slices == 7) {
          any |= fetch(words, sliceBits, hashes[i], 0, 4);
          any |= fetch(words, sliceBits, probe(hashes[i], 4), 4 * sliceBits, 3);
        } else {
          any |= fetch(words, sliceBits, hashes[i], 0, slices);
        }
      }
    }
    return any;
  }

  /**
   * Reads the words of {@code count} probes: loads that wait for nothing, so that many of them are
   * under way at a time. Opaque reads are made even if nobody uses what they return.
   */
  private static long fetch(long[] words, long sliceBits, long probe, long start, int count) {
    long any = 0;
    for (int i = 0; i < count; i++) {
      any |= (long) WORDS.getOpaque(words, word(position(probe, start, sliceBits)));
      probe = Probes.next(probe);
      start += sliceBits;
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
    long sliceBits = this.sliceBits;
    int slices = this.slices;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += two(words, sliceBits, hashes[i], 0, slices);
    }
    if (slices > 2) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += two(words, sliceBits, probe(hashes[i], 2), 2 * sliceBits, slices - 2);
      }
    }
    if (slices > 4) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += allOf(words, sliceBits, probe(hashes[i], 4), 4 * sliceBits, slices - 4);
      }
    }
    return left;
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private static int two(long[] words, long sliceBits, long probe, long start, int left) {
    long both = bit(words, sliceBits, probe, start);
    if (left > 1) {
      both &= bit(words, sliceBits, Probes.next(probe), start + sliceBits);
    }
    return (int) both & 1;
  }

  @Override
  public FilterStats stats() {
    return stats(i -> (long) WORDS.getOpaque(words, (int) i), slices, sliceBits);
  }

  /** Measures slices, given the words of the table by index. */
  static FilterStats stats(LongUnaryOperator words, int slices, long sliceBits) {
    long setBits = 0;
    double rate = 1;
    for (int i = 0; i < slices; i++) {
      long setInSlice = countSetBits(words, i * sliceBits, (i + 1) * sliceBits);
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

  /** Counts the bits that are set from {@code from}, inclusive, to {@code to}, exclusive. */
  private static long countSetBits(LongUnaryOperator words, long from, long to) {
    long first = from >>> 6;
    long last = (to - 1) >>> 6;
    long count = 0;
    for (long i = first; i <= last; i++) {
      long word = words.applyAsLong(i);
      if (i == first) {
        word &= -1L << from;
      }
      if (i == last) {
        word &= -1L >>> -to;
      }
      count += Long.bitCount(word);
    }
    return count;
  }
}
