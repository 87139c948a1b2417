package io.bloomery.standard;

import static io.bloomery.internal.WordProbes.HASH_PROBES;
import static io.bloomery.internal.WordProbes.HASH_ROTATION;
import static io.bloomery.internal.WordProbes.MULTIPLIER;
import static io.bloomery.internal.WordProbes.PROBES_PER_PRODUCT;
import static io.bloomery.internal.WordProbes.PRODUCT_ROTATION;
import static io.bloomery.internal.WordProbes.RIGHT_ROTATION;
import static io.bloomery.internal.WordProbes.WORD_MASK;
import static io.bloomery.internal.WordProbes.product;

import io.bloomery.filter.FilterSpec;
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

/**
 * The classic Bloom filter: one bit array, in which each hash has k bits at any positions.
 *
 * <p>By definition, {@code put} sets these bits and {@code mightContain} tests them:
 *
 * <pre>{@code
 * for (int i = 0; i < k; i++) {
 *   long word = words[WordProbes.word(WordProbes.probe(hash, i), words.length)];
 *   if ((word >>> WordProbes.bit(hash, i) & 1) == 0) {
 *     return false;
 *   }
 * }
 * return true;
 * }</pre>
 *
 * <p>The methods below compute the same in less time. The probes are rotations of the hash and of
 * its products, as described at {@link WordProbes}. A query shifts each word so that the probed bit
 * is the lowest, and combines the words with and: the lowest bit of the result is the answer, and
 * the other bits are ignored. Tables that fit in the cache are queried without a branch; in larger
 * ones a query returns early if one of its first bits is clear. The loop over seven probes, the k
 * of a rate of 1 %, is unrolled.
 *
 * <p>A batch first reads the words of many hashes, whose cache misses then overlap, since no read
 * depends on the result of another.
 *
 * <p>In shared mode a put first queries, without a lock. If bits are missing it locks the stripe of
 * the hash and sets them by atomic or; of concurrent puts of one hash, one finds a clear bit.
 */
final class StandardFilter extends TableFilter implements Batches.Queries {
  // decisions.md#a-single-put-into-a-shared-filter-takes-eight-atomic-writes

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final long length; // of words; Java 25 would convert that of an array for each probe
  private final int probes;
  private final int exit;
  private final boolean shared;
  private final ProbePasses passes;

  StandardFilter(TableProvider provider, FilterSpec spec, TableLayout layout, BitTable table) {
    super(provider, spec, layout, table);
    this.words = table.sharedWords();
    this.probes = layout.probes();
    this.length = words.length;
    this.exit = words.length > Batches.CACHED_WORDS ? 1 : 0;
    this.shared = table.mode() == ThreadMode.SHARED;
    this.passes = new ProbePasses(words, length, 0, probes);
  }

  @Override
  public boolean mightContain(long hash) {
    // Makes puts of other threads visible to a caller that spins:
    // decisions.md#plain-reads-behind-one-fence-not-opaque-reads
    VarHandle.loadLoadFence();
    return test(words, length, exit, hash, probes) != 0;
  }

  /**
   * Returns 1 if all bits of a hash are set, else 0.
   *
   * @param exit the minimum of the bits read so far for the query to go on: 1, to return early, if
   *     a read costs more than a mispredicted branch, or 0 for tables that fit in the cache:
   *     decisions.md#one-path-for-tables-of-every-size-with-one-exit
   */
  private static int test(long[] words, long length, int exit, long hash, int probes) {
    if (probes == 7) {
      return testSeven(words, length, exit, hash);
    }
    long all = ofHash(words, hash, Math.min(probes, HASH_PROBES));
    long product = hash;
    for (int left = probes - HASH_PROBES; left > 0; left -= PROBES_PER_PRODUCT) {
      if (((int) all & 1) < exit) {
        return 0;
      }
      product = product(product);
      all &= left >= 3 ? ofProduct(words, product, 3) : ofProduct(words, product, left);
    }
    return (int) all & 1;
  }

  // decisions.md#seven-probes-are-written-out
  // decisions.md#nothing-is-called-behind-the-exit
  // decisions.md#nothing-is-computed-in-front-of-the-exit-for-what-follows-it
  private static int testSeven(long[] words, long length, int exit, long a) {
    long b = Long.rotateLeft(a, HASH_ROTATION);
    long c = Long.rotateLeft(a, 2 * HASH_ROTATION);
    long all = words[(int) (((a & WORD_MASK) * length) >>> Integer.SIZE)] >>> b;
    all &= words[(int) (((b & WORD_MASK) * length) >>> Integer.SIZE)] >>> c;
    if (((int) all & 1) < exit) {
      return 0;
    }
    long d = (c << HASH_ROTATION) | (c >>> -HASH_ROTATION);
    all &= words[(int) (((c & WORD_MASK) * length) >>> Integer.SIZE)] >>> d;
    all &= words[(int) (((d & WORD_MASK) * length) >>> Integer.SIZE)] >>> a;
    long product = a * MULTIPLIER;
    long e = (product >>> RIGHT_ROTATION) | (product << -RIGHT_ROTATION);
    long f = (e << PRODUCT_ROTATION) | (e >>> -PRODUCT_ROTATION);
    all &= words[(int) (((e & WORD_MASK) * length) >>> Integer.SIZE)] >>> f;
    long g = (f << PRODUCT_ROTATION) | (f >>> -PRODUCT_ROTATION);
    all &= words[(int) (((f & WORD_MASK) * length) >>> Integer.SIZE)] >>> g;
    long h = (g << PRODUCT_ROTATION) | (g >>> -PRODUCT_ROTATION);
    all &= words[(int) (((g & WORD_MASK) * length) >>> Integer.SIZE)] >>> h;
    return (int) all & 1;
  }

  /**
   * Returns the bit of a probe, given its next rotation, in the lowest bit; the other bits are
   * arbitrary.
   */
  private static long bit(long[] words, long probe, long next) {
    return words[WordProbes.word(probe, words.length)] >>> next;
  }

  /** Returns the conjunction of the bits of the first {@code count} probes that are products. */
  private static long ofProducts(long[] words, long hash, int count) {
    long all = -1;
    long product = hash;
    for (int left = count; left > 0; left -= PROBES_PER_PRODUCT) {
      product = product(product);
      all &= left >= 3 ? ofProduct(words, product, 3) : ofProduct(words, product, left);
    }
    return all;
  }

  /**
   * Returns the conjunction of the bits of the first {@code count} probes in the lowest bit; the
   * other bits are arbitrary.
   */
  private static long ofHash(long[] words, long hash, int count) {
    return bits(words, hash, HASH_ROTATION, count);
  }

  private static long ofProduct(long[] words, long product, int count) {
    return bits(words, product, PRODUCT_ROTATION, count);
  }

  private static long bits(long[] words, long first, int rotation, int count) {
    long all = -1;
    long probe = first;
    for (int i = 0; i < count; i++) {
      long next = Long.rotateLeft(probe, rotation);
      all &= bit(words, probe, next);
      probe = next;
    }
    return all;
  }

  @Override
  public boolean put(long hash) {
    return shared ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    return ((int) (probes == 7 ? setSeven(words, length, hash) : setAll(hash)) & 1) == 0;
  }

  // Unrolled as queries are: on Java 25 a put takes two thirds of the time of loops.
  private static long setSeven(long[] words, long length, long a) {
    long b = Long.rotateLeft(a, HASH_ROTATION);
    long all = set(words, length, a, b);
    long c = Long.rotateLeft(b, HASH_ROTATION);
    all &= set(words, length, b, c);
    long d = Long.rotateLeft(c, HASH_ROTATION);
    all &= set(words, length, c, d);
    all &= set(words, length, d, a);
    long e = product(a);
    long f = Long.rotateLeft(e, PRODUCT_ROTATION);
    all &= set(words, length, e, f);
    long g = Long.rotateLeft(f, PRODUCT_ROTATION);
    all &= set(words, length, f, g);
    long h = Long.rotateLeft(g, PRODUCT_ROTATION);
    return all & set(words, length, g, h);
  }

  /** Sets the bit of a probe, and returns its previous value as {@link #bit} does. */
  private static long set(long[] words, long length, long probe, long next) {
    int index = WordProbes.wordOfArray(probe, length);
    long word = words[index];
    words[index] = word | 1L << next;
    return word >>> next;
  }

  /** Sets all bits of a hash, and returns the conjunction of their previous values. */
  private long setAll(long hash) {
    long all = set(words, length, hash, HASH_ROTATION, Math.min(probes, HASH_PROBES));
    long product = hash;
    for (int left = probes - HASH_PROBES; left > 0; left -= PROBES_PER_PRODUCT) {
      product = product(product);
      all &= set(words, length, product, PRODUCT_ROTATION, Math.min(left, PROBES_PER_PRODUCT));
    }
    return all;
  }

  private static long set(long[] words, long length, long first, int rotation, int count) {
    long all = -1;
    long probe = first;
    for (int i = 0; i < count; i++) {
      long next = Long.rotateLeft(probe, rotation);
      all &= set(words, length, probe, next);
      probe = next;
    }
    return all;
  }

  private boolean putShared(long hash) {
    if (mightContain(hash)) {
      return false;
    }
    int stripe = table().lock(hash);
    try {
      return orAll(words, hash, probes) != 0;
    } finally {
      table().unlock(stripe);
    }
  }

  /** Sets all bits of a hash atomically, and returns those that were clear. */
  private static long orAll(long[] words, long hash, int probes) {
    if (probes == 7) {
      long missing = or(words, hash, HASH_ROTATION, 4);
      return missing | or(words, product(hash), PRODUCT_ROTATION, 3);
    }
    long missing = or(words, hash, HASH_ROTATION, Math.min(probes, HASH_PROBES));
    long product = hash;
    for (int left = probes - HASH_PROBES; left > 0; left -= PROBES_PER_PRODUCT) {
      product = product(product);
      missing |= or(words, product, PRODUCT_ROTATION, Math.min(left, PROBES_PER_PRODUCT));
    }
    return missing;
  }

  private static long or(long[] words, long first, int rotation, int count) {
    long missing = 0;
    long probe = first;
    for (int i = 0; i < count; i++) {
      int index = WordProbes.word(probe, words.length);
      probe = Long.rotateLeft(probe, rotation);
      long mask = 1L << probe;
      missing |= mask & ~(long) WORDS.getAndBitwiseOr(words, index, mask);
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
    long[] words = this.words;
    long any = 0;
    if (words.length > Batches.CACHED_WORDS) {
      for (int i = from; i < to; i++) {
        any |= prefetchAll(words, hashes[i], probes);
      }
    }
    return any;
  }

  private static long prefetchAll(long[] words, long hash, int probes) {
    if (probes == 7) {
      long any = prefetch(words, hash, HASH_ROTATION, 4);
      return any | prefetch(words, product(hash), PRODUCT_ROTATION, 3);
    }
    long any = prefetch(words, hash, HASH_ROTATION, Math.min(probes, HASH_PROBES));
    long product = hash;
    for (int left = probes - HASH_PROBES; left > 0; left -= PROBES_PER_PRODUCT) {
      product = product(product);
      any |= prefetch(words, product, PRODUCT_ROTATION, Math.min(left, PROBES_PER_PRODUCT));
    }
    return any;
  }

  /**
   * Reads the words of {@code count} probes. The loads do not depend on each other, so that their
   * cache misses overlap. They are opaque, as the compiler may not eliminate those even if the
   * result is unused.
   */
  private static long prefetch(long[] words, long first, int rotation, int count) {
    long any = 0;
    long probe = first;
    for (int i = 0; i < count; i++) {
      any |= (long) WORDS.getOpaque(words, WordProbes.word(probe, words.length));
      probe = Long.rotateLeft(probe, rotation);
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
    long length = this.length;
    int exit = this.exit;
    int probes = this.probes;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += test(words, length, exit, hashes[i], probes);
    }
    return left;
  }

  // Reads two probes of every hash, then two more of the remaining hashes, then all other probes of
  // those that are most likely contained.
  @Override
  public int selectInRounds(long[] hashes, int from, int to, int[] hits, int found) {
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
        left += two(words, Long.rotateLeft(hashes[i], 2 * HASH_ROTATION), probes - 2);
      }
    }
    if (probes > HASH_PROBES) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += (int) ofRest(words, hashes[i], probes - HASH_PROBES) & 1;
      }
    }
    return left;
  }

  /** Returns the conjunction of the bits of all probes that are products. */
  private static long ofRest(long[] words, long hash, int count) {
    return count == 3 ? ofProduct(words, product(hash), 3) : ofProducts(words, hash, count);
  }

  /** Returns 1 if the bits of a probe and of the next one, if any, are set, else 0. */
  private static int two(long[] words, long probe, int left) {
    return (int) (left == 1 ? ofHash(words, probe, 1) : ofHash(words, probe, 2)) & 1;
  }
}
