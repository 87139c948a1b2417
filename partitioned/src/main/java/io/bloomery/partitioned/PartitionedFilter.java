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
import java.util.OptionalLong;

/**
 * A Bloom filter of k slices, where probe i falls into slice i.
 *
 * <p>Slice i is the bits from {@code i s} to {@code (i + 1) s - 1} of the table, where s is {@code
 * bits / k} rounded down; what is left over behind the last slice, less than k bits, stays clear.
 * Slices do not begin at words: rounding each of them up would cost 3 % of the memory at 1,000
 * keys, and whoever takes a slice out of the table can shift it as it is copied.
 */
final class PartitionedFilter extends TableFilter {

  // Most absent keys are found out by three probes. Fewer leave too many for a second look; more
  // touch memory for nothing.
  private static final int FIRST = 3;

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  private static final int BATCH = 64;

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
    long[] words = this.words;
    long sliceBits = this.sliceBits;
    if (slices <= FIRST) {
      return restOf(words, sliceBits, hash, 0, slices) != 0;
    }
    long second = Probes.next(hash);
    long third = Probes.next(second);
    long first = bit(words, sliceBits, hash, 0);
    first &= bit(words, sliceBits, second, sliceBits);
    first &= bit(words, sliceBits, third, 2 * sliceBits);
    if ((first & 1) == 0) {
      return false;
    }
    // No early exit from here on: what came so far is most likely contained.
    return restOf(words, sliceBits, Probes.next(third), FIRST * sliceBits, slices - FIRST) != 0;
  }

  /**
   * Returns 1 if the bits of {@code left} probes are set, else 0.
   *
   * @param probe the first of them
   * @param start where its slice begins
   */
  private static int restOf(long[] words, long sliceBits, long probe, long start, int left) {
    long all = 1;
    for (; left >= 4; left -= 4) {
      long b = Probes.next(probe);
      long c = Probes.next(b);
      long d = Probes.next(c);
      all &= bit(words, sliceBits, probe, start);
      all &= bit(words, sliceBits, b, start + sliceBits);
      all &= bit(words, sliceBits, c, start + 2 * sliceBits);
      all &= bit(words, sliceBits, d, start + 3 * sliceBits);
      probe = Probes.next(d);
      start += 4 * sliceBits;
    }
    for (; left > 0; left--) {
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
    return (long) WORDS.getOpaque(words, (int) (position >>> 6)) >>> position;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = this.words;
    long sliceBits = this.sliceBits;
    long probe = hash;
    long start = 0;
    long missing = 0;
    for (int i = 0; i < slices; i++) {
      long position = position(probe, start, sliceBits);
      int index = (int) (position >>> 6);
      long mask = 1L << position;
      long word = words[index];
      missing |= ~word & mask;
      words[index] = word | mask;
      probe = Probes.next(probe);
      start += sliceBits;
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
      long start = 0;
      long missing = 0;
      for (int i = 0; i < slices; i++) {
        long position = position(probe, start, sliceBits);
        long mask = 1L << position;
        missing |= ~(long) WORDS.getAndBitwiseOr(words, (int) (position >>> 6), mask) & mask;
        probe = Probes.next(probe);
        start += sliceBits;
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
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += two(hashes[i], 0, slices);
    }
    if (slices > 2) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += two(thirdProbe(hashes[i]), 2 * sliceBits, slices - 2);
      }
    }
    if (slices > 4) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        long fifth = thirdProbe(thirdProbe(hashes[i]));
        left += restOf(words, sliceBits, fifth, 4 * sliceBits, slices - 4);
      }
    }
    return left;
  }

  private static long thirdProbe(long first) {
    return Probes.next(Probes.next(first));
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private int two(long probe, long start, int left) {
    long both = bit(words, sliceBits, probe, start);
    if (left > 1) {
      both &= bit(words, sliceBits, Probes.next(probe), start + sliceBits);
    }
    return (int) both & 1;
  }

  @Override
  public FilterStats stats() {
    long setBits = 0;
    double rate = 1;
    for (int i = 0; i < slices; i++) {
      long setInSlice = countSetBits(i * sliceBits, (i + 1) * sliceBits);
      setBits += setInSlice;
      rate *= (double) setInSlice / sliceBits;
    }
    long bits = slices * sliceBits;
    return new FilterStats(
        bits,
        setBits,
        rate,
        setBits == bits ? OptionalLong.empty() : OptionalLong.of(approximateKeys(setBits, bits)));
  }

  // What sets X bits of one slice on average, for the average X of all slices.
  private long approximateKeys(long setBits, long bits) {
    double fill = (double) setBits / bits;
    return StrictMath.round(StrictMath.log1p(-fill) / StrictMath.log1p(-1.0 / sliceBits));
  }

  /** Counts the bits that are set from {@code from}, inclusive, to {@code to}, exclusive. */
  private long countSetBits(long from, long to) {
    int first = (int) (from >>> 6);
    int last = (int) ((to - 1) >>> 6);
    long count = 0;
    for (int i = first; i <= last; i++) {
      long word = (long) WORDS.getOpaque(words, i);
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
