package io.bloomery.partitioned;

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

/** The queries of a {@link PartitionedFilter} on its table in a memory-mapped file. */
final class MappedPartitioned implements FilterView, Batches.Queries {
  // decisions.md#mapped-standard-and-partitioned-leave-early-and-answer-batches-as-filters-on-the-heap-do

  private final MappedTable table;
  private final @Nullable LongBuffer buffer; // null if the table has several
  private final FilterSpec spec;
  private final TableLayout layout;
  private final int slices;
  private final int sliceWords;
  private final int exit;
  private final ProbePasses passes;

  MappedPartitioned(MappedTable table, FilterSpec spec, TableLayout layout) {
    this.table = table;
    this.buffer = table.buffer().orElse(null);
    this.spec = spec;
    this.layout = layout;
    this.slices = layout.probes();
    this.sliceWords = (int) PartitionedProvider.sliceWords(table.sizeInBits(), layout.probes());
    this.exit = table.sizeInBits() / Long.SIZE > Batches.CACHED_WORDS ? 1 : 0;
    this.passes = new ProbePasses(table::words, sliceWords, sliceWords, slices);
  }

  @Override
  public boolean mightContain(long hash) {
    return test(hash) != 0;
  }

  /** Returns 1 if all bits of a hash are set, else 0; {@code exit} is that of the filter. */
  private int test(long hash) {
    LongBuffer buffer = this.buffer;
    int slices = this.slices;
    int exit = this.exit;
    if (slices == 7 && buffer != null) {
      return testSeven(buffer, sliceWords, exit, hash);
    }
    long all = bits(0, hash, HASH_ROTATION, Math.min(slices, HASH_PROBES));
    long product = hash;
    for (int slice = HASH_PROBES; slice < slices; slice += PROBES_PER_PRODUCT) {
      if (((int) all & 1) < exit) {
        return 0;
      }
      product = product(product);
      all &= bits(slice, product, PRODUCT_ROTATION, Math.min(slices - slice, PROBES_PER_PRODUCT));
    }
    return (int) all & 1;
  }

  // Written out for the reasons given in the filter.
  private static int testSeven(LongBuffer buffer, long slice, int exit, long a) {
    int step = (int) slice;
    long b = Long.rotateLeft(a, HASH_ROTATION);
    long c = Long.rotateLeft(a, 2 * HASH_ROTATION);
    long all = bit(buffer, step, 0, a, b) & bit(buffer, step, step, b, c);
    if (((int) all & 1) < exit) {
      return 0;
    }
    int at = step + step;
    long d = (c << HASH_ROTATION) | (c >>> -HASH_ROTATION);
    all &= buffer.get(at + (int) (((c & WORD_MASK) * slice) >>> Integer.SIZE)) >>> d;
    at += step;
    all &= buffer.get(at + (int) (((d & WORD_MASK) * slice) >>> Integer.SIZE)) >>> a;
    at += step;
    long product = a * MULTIPLIER;
    long e = (product >>> RIGHT_ROTATION) | (product << -RIGHT_ROTATION);
    long f = (e << PRODUCT_ROTATION) | (e >>> -PRODUCT_ROTATION);
    all &= buffer.get(at + (int) (((e & WORD_MASK) * slice) >>> Integer.SIZE)) >>> f;
    at += step;
    long g = (f << PRODUCT_ROTATION) | (f >>> -PRODUCT_ROTATION);
    all &= buffer.get(at + (int) (((f & WORD_MASK) * slice) >>> Integer.SIZE)) >>> g;
    at += step;
    long h = (g << PRODUCT_ROTATION) | (g >>> -PRODUCT_ROTATION);
    all &= buffer.get(at + (int) (((g & WORD_MASK) * slice) >>> Integer.SIZE)) >>> h;
    return (int) all & 1;
  }

  private static long bit(LongBuffer buffer, int sliceWords, int start, long probe, long next) {
    return buffer.get(start + WordProbes.word(probe, sliceWords)) >>> next;
  }

  /** Returns the conjunction of the bits of all probes that are products. */
  private long ofProducts(long hash) {
    long all = 1;
    long product = hash;
    for (int slice = HASH_PROBES; slice < slices; slice += PROBES_PER_PRODUCT) {
      product = product(product);
      all &= bits(slice, product, PRODUCT_ROTATION, Math.min(slices - slice, PROBES_PER_PRODUCT));
    }
    return all;
  }

  /** Returns the conjunction of the bits of {@code count} probes, in the lowest bit. */
  private long bits(int slice, long first, int rotation, int count) {
    int start = slice * sliceWords;
    return buffer == null
        ? bits(table, sliceWords, start, first, rotation, count)
        : bits(buffer, sliceWords, start, first, rotation, count);
  }

  private static long bits(
      LongBuffer buffer, int sliceWords, int start, long first, int rotation, int count) {
    long all = 1;
    long probe = first;
    for (int i = 0; i < count; i++) {
      long next = Long.rotateLeft(probe, rotation);
      all &= bit(buffer, sliceWords, start + i * sliceWords, probe, next);
      probe = next;
    }
    return all;
  }

  private static long bits(
      MappedTable table, int sliceWords, int start, long first, int rotation, int count) {
    long all = 1;
    long probe = first;
    int slice = start;
    for (int i = 0; i < count; i++) {
      long next = Long.rotateLeft(probe, rotation);
      all &= table.word(slice + WordProbes.word(probe, sliceWords)) >>> next;
      probe = next;
      slice += sliceWords;
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

  // The rounds of the filter: two slices, two more for the remaining hashes, and the rest.
  @Override
  public int selectInRounds(long[] hashes, int from, int to, int[] hits, int found) {
    int slices = this.slices;
    int left = found;
    for (int i = from; i < to; i++) {
      hits[left] = i;
      left += two(hashes[i], 0);
    }
    if (slices > 2) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += two(Long.rotateLeft(hashes[i], 2 * HASH_ROTATION), 2);
      }
    }
    if (slices > HASH_PROBES) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += (int) ofRest(hashes[i]) & 1;
      }
    }
    return left;
  }

  /** Returns the conjunction of the bits of all probes that are products. */
  private long ofRest(long hash) {
    return slices == 7 ? bits(4, product(hash), PRODUCT_ROTATION, 3) : ofProducts(hash);
  }

  /**
   * Returns 1 if the bits of a probe and of the next one, if any, are set, else 0.
   *
   * @param slice that of the probe
   */
  private int two(long probe, int slice) {
    long both =
        slice + 1 == slices
            ? bits(slice, probe, HASH_ROTATION, 1)
            : bits(slice, probe, HASH_ROTATION, 2);
    return (int) both & 1;
  }

  @Override
  public FilterStats stats() {
    return PartitionedFilter.stats(spec, table::word, slices, sliceWords);
  }

  @Override
  public FilterDescription description() {
    return PartitionedProvider.description(layout);
  }
}
