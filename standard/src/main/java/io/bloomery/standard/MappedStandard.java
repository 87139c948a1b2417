package io.bloomery.standard;

import static io.bloomery.internal.WordProbes.HASH_PROBES;
import static io.bloomery.internal.WordProbes.HASH_ROTATION;
import static io.bloomery.internal.WordProbes.MULTIPLIER;
import static io.bloomery.internal.WordProbes.PROBES_PER_PRODUCT;
import static io.bloomery.internal.WordProbes.PRODUCT_ROTATION;
import static io.bloomery.internal.WordProbes.RIGHT_ROTATION;
import static io.bloomery.internal.WordProbes.WORD_MASK;
import static io.bloomery.internal.WordProbes.product;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.internal.Batches;
import io.bloomery.internal.ProbePasses;
import io.bloomery.internal.WordProbes;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.TableLayout;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/** The queries of a {@link StandardFilter} on its table in a memory-mapped file. */
final class MappedStandard implements FilterView, Batches.Queries {
  // decisions.md#mapped-standard-and-partitioned-leave-early-and-answer-batches-as-filters-on-the-heap-do

  private final MappedTable table;
  private final @Nullable LongBuffer buffer; // null if the table has several
  private final FilterSpec spec;
  private final TableLayout layout;
  private final int words;
  private final long length; // of words, as in the filter
  private final int probes;
  private final int exit;
  private final ProbePasses passes;

  MappedStandard(MappedTable table, FilterSpec spec, TableLayout layout) {
    this.table = table;
    this.buffer = table.buffer().orElse(null);
    this.words = (int) (table.sizeInBits() / Long.SIZE);
    this.length = words;
    this.spec = spec;
    this.layout = layout;
    this.probes = layout.probes();
    this.exit = words > Batches.CACHED_WORDS ? 1 : 0;
    this.passes = new ProbePasses(table::words, words, 0, probes);
  }

  @Override
  public boolean mightContain(long hash) {
    return test(hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0; {@code exit} is that of the filter. */
  private int test(long hash) {
    LongBuffer buffer = this.buffer;
    int probes = this.probes;
    int exit = this.exit;
    if (probes == 7 && buffer != null) {
      return testSeven(buffer, length, exit, hash);
    }
    long all = bits(hash, HASH_ROTATION, Math.min(probes, HASH_PROBES));
    long product = hash;
    for (int left = probes - HASH_PROBES; left > 0; left -= PROBES_PER_PRODUCT) {
      if (((int) all & 1) < exit) {
        return 0;
      }
      product = product(product);
      all &= bits(product, PRODUCT_ROTATION, Math.min(left, PROBES_PER_PRODUCT));
    }
    return (int) all & 1;
  }

  // Written out for the reasons given in the filter.
  private static int testSeven(LongBuffer buffer, long length, int exit, long a) {
    long b = Long.rotateLeft(a, HASH_ROTATION);
    long c = Long.rotateLeft(a, 2 * HASH_ROTATION);
    long all = buffer.get((int) (((a & WORD_MASK) * length) >>> Integer.SIZE)) >>> b;
    all &= buffer.get((int) (((b & WORD_MASK) * length) >>> Integer.SIZE)) >>> c;
    if (((int) all & 1) < exit) {
      return 0;
    }
    long d = (c << HASH_ROTATION) | (c >>> -HASH_ROTATION);
    all &= buffer.get((int) (((c & WORD_MASK) * length) >>> Integer.SIZE)) >>> d;
    all &= buffer.get((int) (((d & WORD_MASK) * length) >>> Integer.SIZE)) >>> a;
    long product = a * MULTIPLIER;
    long e = (product >>> RIGHT_ROTATION) | (product << -RIGHT_ROTATION);
    long f = (e << PRODUCT_ROTATION) | (e >>> -PRODUCT_ROTATION);
    all &= buffer.get((int) (((e & WORD_MASK) * length) >>> Integer.SIZE)) >>> f;
    long g = (f << PRODUCT_ROTATION) | (f >>> -PRODUCT_ROTATION);
    all &= buffer.get((int) (((f & WORD_MASK) * length) >>> Integer.SIZE)) >>> g;
    long h = (g << PRODUCT_ROTATION) | (g >>> -PRODUCT_ROTATION);
    all &= buffer.get((int) (((g & WORD_MASK) * length) >>> Integer.SIZE)) >>> h;
    return (int) all & 1;
  }

  private static long bit(LongBuffer buffer, int words, long probe, long next) {
    return buffer.get(WordProbes.word(probe, words)) >>> next;
  }

  /** Returns the conjunction of the bits of all probes that are products. */
  private long ofProducts(long hash) {
    long all = 1;
    long product = hash;
    for (int left = probes - HASH_PROBES; left > 0; left -= PROBES_PER_PRODUCT) {
      product = product(product);
      all &= bits(product, PRODUCT_ROTATION, Math.min(left, PROBES_PER_PRODUCT));
    }
    return all;
  }

  /** Returns the conjunction of the bits of {@code count} probes, in the lowest bit. */
  private long bits(long first, int rotation, int count) {
    return buffer == null
        ? bits(table, words, first, rotation, count)
        : bits(buffer, words, first, rotation, count);
  }

  private static long bits(LongBuffer buffer, int words, long first, int rotation, int count) {
    long all = 1;
    long probe = first;
    for (int i = 0; i < count; i++) {
      long next = Long.rotateLeft(probe, rotation);
      all &= bit(buffer, words, probe, next);
      probe = next;
    }
    return all;
  }

  private static long bits(MappedTable table, int words, long first, int rotation, int count) {
    long all = 1;
    long probe = first;
    for (int i = 0; i < count; i++) {
      long next = Long.rotateLeft(probe, rotation);
      all &= table.word(WordProbes.word(probe, words)) >>> next;
      probe = next;
    }
    return all;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    return passes.select(this, hashes, from, to, hits);
  }

  @Override
  public int selectEach(long[] hashes, int from, int to, int[] hits, int found) {
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += test(hashes[i]);
    }
    return left;
  }

  // The rounds of the filter: two probes, two more for the remaining hashes, and the rest.
  @Override
  public int selectInRounds(long[] hashes, int from, int to, int[] hits, int found) {
    int probes = this.probes;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += two(hashes[i], probes);
    }
    if (probes > 2) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += two(Long.rotateLeft(hashes[i], 2 * HASH_ROTATION), probes - 2);
      }
    }
    if (probes > HASH_PROBES) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += (int) ofRest(hashes[i], probes - HASH_PROBES) & 1;
      }
    }
    return left;
  }

  /** Returns the conjunction of the bits of all probes that are products. */
  private long ofRest(long hash, int count) {
    return count == 3 ? bits(product(hash), PRODUCT_ROTATION, 3) : ofProducts(hash);
  }

  /** Returns 1 if the bits of a probe and of the next one, if any, are set, else 0. */
  private int two(long probe, int left) {
    return (int) (left == 1 ? bits(probe, HASH_ROTATION, 1) : bits(probe, HASH_ROTATION, 2)) & 1;
  }

  @Override
  public FilterStats stats() {
    return layout.stats(spec, table.countSetBits());
  }

  @Override
  public FilterDescription description() {
    return StandardProvider.description(layout);
  }
}
