package io.bloomery.partitioned;

import static io.bloomery.spi.WordProbes.MULTIPLIER;
import static io.bloomery.spi.WordProbes.OF_HASH;
import static io.bloomery.spi.WordProbes.OF_PRODUCT;
import static io.bloomery.spi.WordProbes.TURN_OF_HASH;
import static io.bloomery.spi.WordProbes.TURN_OF_PRODUCT;
import static io.bloomery.spi.WordProbes.TURN_RIGHT;
import static io.bloomery.spi.WordProbes.WORD_MASK;
import static io.bloomery.spi.WordProbes.product;

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

  // As few as tell whether most of what follows is contained.
  private static final int SAMPLE = 16;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final int slices;
  private final int sliceWords;
  private final boolean sevenNear;
  private final boolean sevenFar;
  private final boolean shared;

  PartitionedFilter(TableProvider provider, FilterSpec spec, BitTable table, int slices) {
    super(provider, spec, table, slices);
    this.words = table.words();
    this.slices = slices;
    this.sliceWords = (int) PartitionedProvider.sliceWords(table.sizeInBits(), slices);
    this.sevenNear = slices == 7 && words.length <= NEAR_WORDS;
    this.sevenFar = slices == 7 && words.length > NEAR_WORDS;
    this.shared = table.mode() == ThreadMode.SHARED;
  }

  @Override
  public boolean mightContain(long hash) {
    // What other threads wrote is read anew in each call, even by a caller that spins: a fence for
    // all reads costs half of what opaque reads do, since the compiler may still arrange them.
    VarHandle.loadLoadFence();
    if (sevenNear) {
      return testSeven(words, sliceWords, hash) != 0;
    }
    return sevenFar ? sevenSet(words, sliceWords, hash) : test(hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0. */
  private int test(long hash) {
    return words.length <= NEAR_WORDS
        ? testNear(words, sliceWords, hash, slices)
        : testFar(words, sliceWords, hash, slices) ? 1 : 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0: asks all, since branches cost more. */
  private static int testNear(long[] words, int sliceWords, long hash, int slices) {
    long all = bits(words, sliceWords, 0, hash, TURN_OF_HASH, Math.min(slices, OF_HASH));
    return (int) (all & ofProducts(words, sliceWords, hash, slices)) & 1;
  }

  // Seven, as at 1 %, written out: around a loop, even one that is unrolled, the compiler has a
  // caller's loop ask in each round whether it must stop. Each turn comes where it is used first,
  // since what is used later takes a register.
  private static int testSeven(long[] words, long sliceWords, long a) {
    int slice = (int) sliceWords;
    long b = Long.rotateLeft(a, TURN_OF_HASH);
    long all = bit(words, sliceWords, 0, a, b);
    int start = slice;
    long c = Long.rotateLeft(b, TURN_OF_HASH);
    all &= bit(words, sliceWords, start, b, c);
    start += slice;
    long d = Long.rotateLeft(c, TURN_OF_HASH);
    all &= bit(words, sliceWords, start, c, d);
    start += slice;
    all &= bit(words, sliceWords, start, d, a);
    start += slice;
    long e = product(a);
    long f = Long.rotateLeft(e, TURN_OF_PRODUCT);
    all &= bit(words, sliceWords, start, e, f);
    start += slice;
    long g = Long.rotateLeft(f, TURN_OF_PRODUCT);
    all &= bit(words, sliceWords, start, f, g);
    start += slice;
    long h = Long.rotateLeft(g, TURN_OF_PRODUCT);
    all &= bit(words, sliceWords, start, g, h);
    return (int) all & 1;
  }

  /**
   * Returns the bit of a probe as the lowest of a number; the others are noise.
   *
   * @param start the first word of its slice
   * @param next its next turn
   */
  private static long bit(long[] words, long sliceWords, int start, long probe, long next) {
    return words[start + WordProbes.wordOfArray(probe, sliceWords)] >>> next;
  }

  /** Returns the bits of the probes that come from products, all in one. */
  private static long ofProducts(long[] words, int sliceWords, long hash, int slices) {
    long all = -1;
    long product = hash;
    for (int slice = OF_HASH; slice < slices; slice += OF_PRODUCT) {
      product = product(product);
      int start = slice * sliceWords;
      int left = slices - slice;
      all &=
          left >= 3
              ? bits(words, sliceWords, start, product, TURN_OF_PRODUCT, 3)
              : bits(words, sliceWords, start, product, TURN_OF_PRODUCT, left);
    }
    return all;
  }

  /**
   * Returns the bits of {@code count} probes, all in one: its lowest bit is 1 if all of them are
   * set; the others are noise.
   *
   * @param start the first word of the first probe's slice
   */
  private static long bits(
      long[] words, int sliceWords, int start, long first, int turn, int count) {
    long all = -1;
    long probe = first;
    int slice = start;
    for (int i = 0; i < count; i++) {
      long next = Long.rotateLeft(probe, turn);
      all &= bit(words, sliceWords, slice, probe, next);
      probe = next;
      slice += sliceWords;
    }
    return all;
  }

  /**
   * Returns whether all bits of a hash are set: leaves soon after the first that is clear. The
   * processor foresees one way or the other, and reads on.
   */
  private static boolean testFar(long[] words, int sliceWords, long hash, int slices) {
    long four = bits(words, sliceWords, 0, hash, TURN_OF_HASH, Math.min(slices, OF_HASH));
    if ((four & 1) == 0) {
      return false;
    }
    long product = hash;
    for (int slice = OF_HASH; slice < slices; slice += OF_PRODUCT) {
      product = product(product);
      int count = Math.min(slices - slice, OF_PRODUCT);
      int start = slice * sliceWords;
      long three = bits(words, sliceWords, start, product, TURN_OF_PRODUCT, count);
      if ((three & 1) == 0) {
        return false;
      }
    }
    return true;
  }

  // What is called once a filter is full, but hardly ever while it was filled, is not inlined by
  // the compiler: hence nothing is called behind the first exit, and WordProbes.product and turns
  // are written out. Nothing is computed before its exit either: at each array access the compiler
  // keeps all that is used later, in case that it must go on uncompiled.
  private static boolean sevenSet(long[] words, long slice, long a) {
    long b = Long.rotateLeft(a, TURN_OF_HASH);
    long c = Long.rotateLeft(a, 2 * TURN_OF_HASH);
    if ((bit(words, slice, 0, a, b) & bit(words, slice, (int) slice, b, c) & 1) == 0) {
      return false;
    }
    long d = (c << TURN_OF_HASH) | (c >>> -TURN_OF_HASH);
    int step = (int) slice;
    int at = step + step;
    long two = words[at + (int) (((c & WORD_MASK) * slice) >>> Integer.SIZE)] >>> d;
    at += step;
    two &= words[at + (int) (((d & WORD_MASK) * slice) >>> Integer.SIZE)] >>> a;
    if ((two & 1) == 0) {
      return false;
    }
    long product = a * MULTIPLIER;
    long e = (product >>> TURN_RIGHT) | (product << -TURN_RIGHT);
    long f = (e << TURN_OF_PRODUCT) | (e >>> -TURN_OF_PRODUCT);
    at += step;
    long three = words[at + (int) (((e & WORD_MASK) * slice) >>> Integer.SIZE)] >>> f;
    long g = (f << TURN_OF_PRODUCT) | (f >>> -TURN_OF_PRODUCT);
    at += step;
    three &= words[at + (int) (((f & WORD_MASK) * slice) >>> Integer.SIZE)] >>> g;
    at += step;
    three &=
        words[at + (int) (((g & WORD_MASK) * slice) >>> Integer.SIZE)] >>> (g >>> -TURN_OF_PRODUCT);
    return (three & 1) != 0;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    long[] words = this.words;
    int sliceWords = this.sliceWords;
    if (slices == 7) {
      long missing = set(words, sliceWords, 0, hash, TURN_OF_HASH, 4);
      missing |= set(words, sliceWords, 4 * sliceWords, product(hash), TURN_OF_PRODUCT, 3);
      return missing != 0;
    }
    long missing = set(words, sliceWords, 0, hash, TURN_OF_HASH, Math.min(slices, OF_HASH));
    long product = hash;
    for (int slice = OF_HASH; slice < slices; slice += OF_PRODUCT) {
      product = product(product);
      int count = Math.min(slices - slice, OF_PRODUCT);
      missing |= set(words, sliceWords, slice * sliceWords, product, TURN_OF_PRODUCT, count);
    }
    return missing != 0;
  }

  /** Sets the bits of {@code count} probes; returns what is not 0 if one of them was clear. */
  private static long set(
      long[] words, int sliceWords, int start, long first, int turn, int count) {
    long missing = 0;
    long probe = first;
    int slice = start;
    for (int i = 0; i < count; i++) {
      int index = slice + WordProbes.word(probe, sliceWords);
      probe = Long.rotateLeft(probe, turn);
      long mask = 1L << probe;
      long word = words[index];
      missing |= mask & ~word;
      words[index] = word | mask;
      slice += sliceWords;
    }
    return missing;
  }

  private boolean putShared(long hash) {
    if (mightContain(hash)) {
      return false;
    }
    int stripe = table().claim(hash);
    try {
      return orAll(hash) != 0;
    } finally {
      table().release(stripe);
    }
  }

  /** Sets all bits of a hash, beside other threads that set bits of the same words. */
  private long orAll(long hash) {
    long[] words = this.words;
    int sliceWords = this.sliceWords;
    long missing = or(words, sliceWords, 0, hash, TURN_OF_HASH, Math.min(slices, OF_HASH));
    long product = hash;
    for (int slice = OF_HASH; slice < slices; slice += OF_PRODUCT) {
      product = product(product);
      int count = Math.min(slices - slice, OF_PRODUCT);
      missing |= or(words, sliceWords, slice * sliceWords, product, TURN_OF_PRODUCT, count);
    }
    return missing;
  }

  private static long or(long[] words, int sliceWords, int start, long first, int turn, int count) {
    long missing = 0;
    long probe = first;
    int slice = start;
    for (int i = 0; i < count; i++) {
      int index = slice + WordProbes.word(probe, sliceWords);
      probe = Long.rotateLeft(probe, turn);
      long mask = 1L << probe;
      missing |= mask & ~(long) WORDS.getAndBitwiseOr(words, index, mask);
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
    long any = 0;
    if (words.length > NEAR_WORDS) {
      for (int i = from; i < to; i++) {
        any |= fetchAll(words, sliceWords, hashes[i], slices);
      }
    }
    return any;
  }

  private static long fetchAll(long[] words, int sliceWords, long hash, int slices) {
    if (slices == 7) {
      long any = fetch(words, sliceWords, 0, hash, TURN_OF_HASH, 4);
      return any | fetch(words, sliceWords, 4 * sliceWords, product(hash), TURN_OF_PRODUCT, 3);
    }
    long any = fetch(words, sliceWords, 0, hash, TURN_OF_HASH, Math.min(slices, OF_HASH));
    long product = hash;
    for (int slice = OF_HASH; slice < slices; slice += OF_PRODUCT) {
      product = product(product);
      int count = Math.min(slices - slice, OF_PRODUCT);
      any |= fetch(words, sliceWords, slice * sliceWords, product, TURN_OF_PRODUCT, count);
    }
    return any;
  }

  /**
   * Reads the words of {@code count} probes: loads that wait for nothing, so that many of them are
   * under way at a time. Opaque reads are made even if nobody uses what they return.
   */
  private static long fetch(
      long[] words, int sliceWords, int start, long first, int turn, int count) {
    long any = 0;
    long probe = first;
    int slice = start;
    for (int i = 0; i < count; i++) {
      any |= (long) WORDS.getOpaque(words, slice + WordProbes.word(probe, sliceWords));
      probe = Long.rotateLeft(probe, turn);
      slice += sliceWords;
    }
    return any;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    VarHandle.loadLoadFence(); // as in mightContain
    int found = 0;
    boolean mostlyContained = false;
    int size = SAMPLE;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(size, to - i);
      int before = found;
      found =
          mostlyContained
              ? selectEach(hashes, i, end, hits, found)
              : selectInRounds(hashes, i, end, hits, found);
      mostlyContained = found - before > (end - i) / 4 * 3;
      size = BATCH;
    }
    return found;
  }

  // Rounds are for those that are left out: what follows a batch of hits is asked at once.
  private int selectEach(long[] hashes, int from, int to, int[] hits, int found) {
    if (sevenFar) {
      return selectSevenFar(words, sliceWords, hashes, from, to, hits, found);
    }
    long[] words = this.words;
    long sliceWords = this.sliceWords;
    int slices = this.slices;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += slices == 7 ? testSeven(words, sliceWords, hashes[i]) : test(hashes[i]);
    }
    return left;
  }

  // Leaves early even where all stay: then the next hash waits for no word of this one.
  private static int selectSevenFar(
      long[] words, long sliceWords, long[] hashes, int from, int to, int[] hits, int found) {
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += sevenSet(words, sliceWords, hashes[i]) ? 1 : 0;
    }
    return left;
  }

  // Asks two probes of every hash, then two more of those that are left, then all others of what
  // is most likely contained: the loads of one round do not wait for each other.
  private int selectInRounds(long[] hashes, int from, int to, int[] hits, int found) {
    long[] words = this.words;
    int sliceWords = this.sliceWords;
    int slices = this.slices;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += two(words, sliceWords, 0, hashes[i], slices);
    }
    if (slices > 2) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        long third = Long.rotateLeft(hashes[i], 2 * TURN_OF_HASH);
        left += two(words, sliceWords, 2 * sliceWords, third, slices - 2);
      }
    }
    if (slices > OF_HASH) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += (int) ofRest(words, sliceWords, hashes[i], slices) & 1;
      }
    }
    return left;
  }

  /** Returns the bits of all probes that come from products, all in one. */
  private static long ofRest(long[] words, int sliceWords, long hash, int slices) {
    return slices == 7
        ? bits(words, sliceWords, 4 * sliceWords, product(hash), TURN_OF_PRODUCT, 3)
        : ofProducts(words, sliceWords, hash, slices);
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private static int two(long[] words, int sliceWords, int start, long probe, int left) {
    long next = Long.rotateLeft(probe, TURN_OF_HASH);
    long both = words[start + WordProbes.word(probe, sliceWords)] >>> next;
    if (left > 1) {
      long last = Long.rotateLeft(next, TURN_OF_HASH);
      both &= words[start + sliceWords + WordProbes.word(next, sliceWords)] >>> last;
    }
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
