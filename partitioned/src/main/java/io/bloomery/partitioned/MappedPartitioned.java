package io.bloomery.partitioned;

import io.bloomery.Filter;
import io.bloomery.FilterStats;
import io.bloomery.FilterView;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.Probes;
import java.nio.LongBuffer;

/** The queries of a {@link PartitionedFilter}, on its table in a mapped file. */
final class MappedPartitioned implements FilterView {

  private final MappedTable table;
  private final LongBuffer words; // null if there are several buffers
  private final int slices;
  private final long sliceBits;
  private final boolean near;

  MappedPartitioned(MappedTable table, int slices) {
    this.table = table;
    this.words = table.words();
    this.slices = slices;
    this.sliceBits = PartitionedProvider.sliceBits(table.sizeInBits(), slices);
    this.near =
        table.sizeInBits() <= PartitionedFilter.NEAR_BITS || slices <= PartitionedFilter.FIRST;
  }

  @Override
  public boolean mightContain(long hash) {
    if (near) {
      return allOf(hash, 0, slices) != 0;
    }
    int first = PartitionedFilter.FIRST;
    return allOf(hash, 0, first) != 0 && allOf(hash, first, slices - first) != 0;
  }

  /** Returns 1 if the bits of a hash in {@code count} slices, from {@code first} on, are set. */
  private int allOf(long hash, int first, int count) {
    LongBuffer words = this.words;
    long sliceBits = this.sliceBits;
    long probe = PartitionedFilter.probe(hash, first);
    long start = first * sliceBits;
    if (words == null) {
      return all(table, sliceBits, probe, start, count);
    }
    // As in the filter, loops of a known length are unrolled.
    if (count == 7) {
      return all(words, sliceBits, probe, start, 7);
    }
    if (count == 4) {
      return all(words, sliceBits, probe, start, 4);
    }
    if (count == 3) {
      return all(words, sliceBits, probe, start, 3);
    }
    if (count == 2) {
      return all(words, sliceBits, probe, start, 2);
    }
    if (count == 10) {
      return all(words, sliceBits, probe, start, 10);
    }
    return all(words, sliceBits, probe, start, count);
  }

  private static int all(LongBuffer words, long sliceBits, long probe, long start, int count) {
    long all = 1;
    for (int i = 0; i < count; i++) {
      long position = PartitionedFilter.position(probe, start, sliceBits);
      all &= words.get((int) (position >>> 6)) >>> position;
      probe = Probes.next(probe);
      start += sliceBits;
    }
    return (int) all & 1;
  }

  private static int all(MappedTable table, long sliceBits, long probe, long start, int count) {
    long all = 1;
    for (int i = 0; i < count; i++) {
      long position = PartitionedFilter.position(probe, start, sliceBits);
      all &= table.word(position >>> 6) >>> position;
      probe = Probes.next(probe);
      start += sliceBits;
    }
    return (int) all & 1;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(PartitionedFilter.BATCH, to - i);
      found = selectBatch(hashes, i, end, hits, found);
    }
    return found;
  }

  // The rounds of the filter: two slices, two more for what is left, and the rest.
  private int selectBatch(long[] hashes, int from, int to, int[] hits, int found) {
    int slices = this.slices;
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
        left += two(hashes[i], 2, slices);
      }
    }
    if (slices > 4) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += allOf(hashes[i], 4, slices - 4);
      }
    }
    return left;
  }

  /** Asks a slice, and the one after it if there is one. */
  private int two(long hash, int first, int slices) {
    return slices - first == 1 ? allOf(hash, first, 1) : allOf(hash, first, 2);
  }

  @Override
  public FilterStats stats() {
    return PartitionedFilter.stats(table::word, slices, sliceBits);
  }
}
