package io.bloomery.partitioned;

import static io.bloomery.internal.WordProbes.HASH_PROBES;
import static io.bloomery.internal.WordProbes.HASH_ROTATION;
import static io.bloomery.internal.WordProbes.MULTIPLIER;
import static io.bloomery.internal.WordProbes.PROBES_PER_PRODUCT;
import static io.bloomery.internal.WordProbes.PRODUCT_ROTATION;
import static io.bloomery.internal.WordProbes.RIGHT_ROTATION;
import static io.bloomery.internal.WordProbes.WORD_MASK;
import static io.bloomery.internal.WordProbes.product;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import io.bloomery.internal.ProbePasses;
import io.bloomery.internal.WordProbes;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/**
 * A Bloom filter whose bit array is divided into k slices of equal size, in which each hash has one
 * bit per slice: probe i selects a bit of slice i.
 *
 * <p>Slice i has the words from {@code i s} to {@code (i + 1) s - 1} of the table, where s is the
 * number of words divided by k, rounded down; fewer than k words remain behind the last slice and
 * stay clear.
 *
 * <p>By definition, {@code put} sets these bits and {@code mightContain} tests them:
 *
 * <pre>{@code
 * for (int i = 0; i < k; i++) {
 *   long word = words[i * s + WordProbes.word(WordProbes.probe(hash, i), s)];
 *   if ((word >>> WordProbes.bit(hash, i) & 1) == 0) {
 *     return false;
 *   }
 * }
 * return true;
 * }</pre>
 *
 * <p>The methods below compute the same in less time, in the ways of the standard filter: a query
 * shifts each word so that the probed bit is the lowest, and combines the words with and; only in
 * tables larger than the cache does it return early. The loop over seven probes, the k of a rate of
 * 1 %, is unrolled. A batch first reads the words of many hashes, whose cache misses then overlap.
 * A put in shared mode queries without a lock, and if bits are missing locks the stripe of the hash
 * and sets them by atomic or.
 */
final class PartitionedFilter extends TableFilter implements Batches.Queries {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final int slices;
  private final int sliceWords;
  private final int exit;
  private final boolean shared;
  private final ProbePasses passes;

  PartitionedFilter(TableProvider provider, FilterSpec spec, TableLayout layout, BitTable table) {
    super(provider, spec, layout, table);
    this.words = table.sharedWords();
    this.slices = layout.probes();
    this.sliceWords = (int) PartitionedProvider.sliceWords(table.sizeInBits(), slices);
    this.exit = words.length > Batches.CACHED_WORDS ? 1 : 0;
    this.shared = table.mode() == ThreadMode.SHARED;
    this.passes = new ProbePasses(words, sliceWords, sliceWords, slices);
  }

  @Override
  public boolean mightContain(long hash) {
    // Makes puts of other threads visible to a caller that spins:
    // decisions.md#plain-reads-behind-one-fence-not-opaque-reads
    VarHandle.loadLoadFence();
    return test(words, sliceWords, exit, hash, slices) != 0;
  }

  /**
   * Returns 1 if all bits of a hash are set, else 0.
   *
   * @param exit the minimum of the bits read so far for the query to go on: 1, to return early, if
   *     a read costs more than a mispredicted branch, or 0 for tables that fit in the cache:
   *     decisions.md#one-path-for-tables-of-every-size-with-one-exit
   */
  private static int test(long[] words, int sliceWords, int exit, long hash, int slices) {
    if (slices == 7) {
      return testSeven(words, sliceWords, exit, hash);
    }
    long all = bits(words, sliceWords, 0, hash, HASH_ROTATION, Math.min(slices, HASH_PROBES));
    long product = hash;
    for (int slice = HASH_PROBES; slice < slices; slice += PROBES_PER_PRODUCT) {
      if (((int) all & 1) < exit) {
        return 0;
      }
      product = product(product);
      int start = slice * sliceWords;
      int left = slices - slice;
      all &=
          left >= 3
              ? bits(words, sliceWords, start, product, PRODUCT_ROTATION, 3)
              : bits(words, sliceWords, start, product, PRODUCT_ROTATION, left);
    }
    return (int) all & 1;
  }

  // decisions.md#seven-probes-are-written-out
  // decisions.md#nothing-is-called-behind-the-exit
  // decisions.md#nothing-is-computed-in-front-of-the-exit-for-what-follows-it
  private static int testSeven(long[] words, long slice, int exit, long a) {
    int step = (int) slice;
    long b = Long.rotateLeft(a, HASH_ROTATION);
    long c = Long.rotateLeft(a, 2 * HASH_ROTATION);
    long all = bit(words, slice, 0, a, b) & bit(words, slice, step, b, c);
    if (((int) all & 1) < exit) {
      return 0;
    }
    int at = step + step;
    long d = (c << HASH_ROTATION) | (c >>> -HASH_ROTATION);
    all &= words[at + (int) (((c & WORD_MASK) * slice) >>> Integer.SIZE)] >>> d;
    at += step;
    all &= words[at + (int) (((d & WORD_MASK) * slice) >>> Integer.SIZE)] >>> a;
    at += step;
    long product = a * MULTIPLIER;
    long e = (product >>> RIGHT_ROTATION) | (product << -RIGHT_ROTATION);
    long f = (e << PRODUCT_ROTATION) | (e >>> -PRODUCT_ROTATION);
    all &= words[at + (int) (((e & WORD_MASK) * slice) >>> Integer.SIZE)] >>> f;
    at += step;
    long g = (f << PRODUCT_ROTATION) | (f >>> -PRODUCT_ROTATION);
    all &= words[at + (int) (((f & WORD_MASK) * slice) >>> Integer.SIZE)] >>> g;
    at += step;
    long h = (g << PRODUCT_ROTATION) | (g >>> -PRODUCT_ROTATION);
    all &= words[at + (int) (((g & WORD_MASK) * slice) >>> Integer.SIZE)] >>> h;
    return (int) all & 1;
  }

  /**
   * Returns the bit of a probe in the lowest bit; the other bits are arbitrary.
   *
   * @param start the first word of its slice
   * @param next its next rotation
   */
  private static long bit(long[] words, long sliceWords, int start, long probe, long next) {
    return words[start + WordProbes.wordOfArray(probe, sliceWords)] >>> next;
  }

  /** Returns the conjunction of the bits of all probes that are products. */
  private static long ofProducts(long[] words, int sliceWords, long hash, int slices) {
    long all = -1;
    long product = hash;
    for (int slice = HASH_PROBES; slice < slices; slice += PROBES_PER_PRODUCT) {
      product = product(product);
      int start = slice * sliceWords;
      int left = slices - slice;
      all &=
          left >= 3
              ? bits(words, sliceWords, start, product, PRODUCT_ROTATION, 3)
              : bits(words, sliceWords, start, product, PRODUCT_ROTATION, left);
    }
    return all;
  }

  /**
   * Returns the conjunction of the bits of {@code count} probes in the lowest bit; the other bits
   * are arbitrary.
   *
   * @param start the first word of the first probe's slice
   */
  private static long bits(
      long[] words, int sliceWords, int start, long first, int rotation, int count) {
    long all = -1;
    long probe = first;
    int slice = start;
    for (int i = 0; i < count; i++) {
      long next = Long.rotateLeft(probe, rotation);
      all &= bit(words, sliceWords, slice, probe, next);
      probe = next;
      slice += sliceWords;
    }
    return all;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    return ((int) (slices == 7 ? setSeven(words, sliceWords, hash) : setAll(hash)) & 1) == 0;
  }

  // Unrolled as queries are.
  private static long setSeven(long[] words, long slice, long a) {
    int step = (int) slice;
    long b = Long.rotateLeft(a, HASH_ROTATION);
    long all = set(words, slice, 0, a, b);
    int start = step;
    long c = Long.rotateLeft(b, HASH_ROTATION);
    all &= set(words, slice, start, b, c);
    start += step;
    long d = Long.rotateLeft(c, HASH_ROTATION);
    all &= set(words, slice, start, c, d);
    start += step;
    all &= set(words, slice, start, d, a);
    start += step;
    long e = product(a);
    long f = Long.rotateLeft(e, PRODUCT_ROTATION);
    all &= set(words, slice, start, e, f);
    start += step;
    long g = Long.rotateLeft(f, PRODUCT_ROTATION);
    all &= set(words, slice, start, f, g);
    start += step;
    long h = Long.rotateLeft(g, PRODUCT_ROTATION);
    return all & set(words, slice, start, g, h);
  }

  /** Sets the bit of a probe, and returns its previous value as {@link #bit} does. */
  private static long set(long[] words, long sliceWords, int start, long probe, long next) {
    int index = start + WordProbes.wordOfArray(probe, sliceWords);
    long word = words[index];
    words[index] = word | 1L << next;
    return word >>> next;
  }

  /** Sets all bits of a hash, and returns the conjunction of their previous values. */
  private long setAll(long hash) {
    long all = set(words, sliceWords, 0, hash, HASH_ROTATION, Math.min(slices, HASH_PROBES));
    long product = hash;
    for (int slice = HASH_PROBES; slice < slices; slice += PROBES_PER_PRODUCT) {
      product = product(product);
      int count = Math.min(slices - slice, PROBES_PER_PRODUCT);
      all &= set(words, sliceWords, slice * sliceWords, product, PRODUCT_ROTATION, count);
    }
    return all;
  }

  private static long set(
      long[] words, int sliceWords, int start, long first, int rotation, int count) {
    long all = -1;
    long probe = first;
    int slice = start;
    for (int i = 0; i < count; i++) {
      long next = Long.rotateLeft(probe, rotation);
      all &= set(words, sliceWords, slice, probe, next);
      probe = next;
      slice += sliceWords;
    }
    return all;
  }

  private boolean putShared(long hash) {
    if (mightContain(hash)) {
      return false;
    }
    int stripe = table().lock(hash);
    try {
      return orAll(hash) != 0;
    } finally {
      table().unlock(stripe);
    }
  }

  /** Sets all bits of a hash atomically, and returns those that were clear. */
  private long orAll(long hash) {
    long[] words = this.words;
    int sliceWords = this.sliceWords;
    long missing = or(words, sliceWords, 0, hash, HASH_ROTATION, Math.min(slices, HASH_PROBES));
    long product = hash;
    for (int slice = HASH_PROBES; slice < slices; slice += PROBES_PER_PRODUCT) {
      product = product(product);
      int count = Math.min(slices - slice, PROBES_PER_PRODUCT);
      missing |= or(words, sliceWords, slice * sliceWords, product, PRODUCT_ROTATION, count);
    }
    return missing;
  }

  private static long or(
      long[] words, int sliceWords, int start, long first, int rotation, int count) {
    long missing = 0;
    long probe = first;
    int slice = start;
    for (int i = 0; i < count; i++) {
      int index = slice + WordProbes.word(probe, sliceWords);
      probe = Long.rotateLeft(probe, rotation);
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
      end = i + Math.min(Batches.SIZE, to - i);
      prefetch(hashes, i, end);
      for (int j = i; j < end; j++) {
        added += put(hashes[j]) ? 1 : 0;
      }
    }
    return added;
  }

  /** Prefetches all words of a batch, unless the whole table fits in the cache. */
  private long prefetch(long[] hashes, int from, int to) {
    long any = 0;
    if (words.length > Batches.CACHED_WORDS) {
      for (int i = from; i < to; i++) {
        any |= prefetchAll(words, sliceWords, hashes[i], slices);
      }
    }
    return any;
  }

  private static long prefetchAll(long[] words, int sliceWords, long hash, int slices) {
    if (slices == 7) {
      long any = prefetch(words, sliceWords, 0, hash, HASH_ROTATION, 4);
      return any | prefetch(words, sliceWords, 4 * sliceWords, product(hash), PRODUCT_ROTATION, 3);
    }
    long any = prefetch(words, sliceWords, 0, hash, HASH_ROTATION, Math.min(slices, HASH_PROBES));
    long product = hash;
    for (int slice = HASH_PROBES; slice < slices; slice += PROBES_PER_PRODUCT) {
      product = product(product);
      int count = Math.min(slices - slice, PROBES_PER_PRODUCT);
      any |= prefetch(words, sliceWords, slice * sliceWords, product, PRODUCT_ROTATION, count);
    }
    return any;
  }

  /**
   * Reads the words of {@code count} probes. The loads do not depend on each other, so that their
   * cache misses overlap. They are opaque, as the compiler may not eliminate those even if the
   * result is unused.
   */
  private static long prefetch(
      long[] words, int sliceWords, int start, long first, int rotation, int count) {
    long any = 0;
    long probe = first;
    int slice = start;
    for (int i = 0; i < count; i++) {
      any |= (long) WORDS.getOpaque(words, slice + WordProbes.word(probe, sliceWords));
      probe = Long.rotateLeft(probe, rotation);
      slice += sliceWords;
    }
    return any;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    VarHandle.loadLoadFence(); // as in mightContain
    return passes.select(this, hashes, from, to, hits);
  }

  @Override
  public int selectEach(long[] hashes, int from, int to, int[] hits, int found) {
    long[] words = this.words;
    int sliceWords = this.sliceWords;
    int exit = this.exit;
    int slices = this.slices;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += test(words, sliceWords, exit, hashes[i], slices);
    }
    return left;
  }

  // Reads two probes of every hash, then two more of the remaining hashes, then all other probes of
  // those that are most likely contained.
  @Override
  public int selectInRounds(long[] hashes, int from, int to, int[] hits, int found) {
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
        long third = Long.rotateLeft(hashes[i], 2 * HASH_ROTATION);
        left += two(words, sliceWords, 2 * sliceWords, third, slices - 2);
      }
    }
    if (slices > HASH_PROBES) {
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

  /** Returns the conjunction of the bits of all probes that are products. */
  private static long ofRest(long[] words, int sliceWords, long hash, int slices) {
    return slices == 7
        ? bits(words, sliceWords, 4 * sliceWords, product(hash), PRODUCT_ROTATION, 3)
        : ofProducts(words, sliceWords, hash, slices);
  }

  /** Returns 1 if the bits of a probe and of the next one, if any, are set, else 0. */
  private static int two(long[] words, int sliceWords, int start, long probe, int left) {
    long next = Long.rotateLeft(probe, HASH_ROTATION);
    long both = words[start + WordProbes.word(probe, sliceWords)] >>> next;
    if (left > 1) {
      long last = Long.rotateLeft(next, HASH_ROTATION);
      both &= words[start + sliceWords + WordProbes.word(next, sliceWords)] >>> last;
    }
    return (int) both & 1;
  }

  @Override
  public FilterStats stats() {
    return stats(spec(), i -> (long) WORDS.getOpaque(words, (int) i), slices, sliceWords);
  }

  /** Returns the statistics of slices, given the words of the table by index. */
  static FilterStats stats(FilterSpec spec, LongUnaryOperator words, int slices, long sliceWords) {
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
    OptionalDouble keys = new SliceEstimator(slices, sliceWords).keys(setBits);
    return FilterStats.of(spec)
        .sizeInBits(slices * sliceBits)
        .setBits(setBits)
        .falsePositiveRate(rate)
        .approximateKeys(
            keys.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(StrictMath.round(keys.getAsDouble())))
        .build();
  }
}
