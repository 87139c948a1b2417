package io.bloomery.partitioned;

import io.bloomery.Filter;
import io.bloomery.FilterStats;
import io.bloomery.FilterView;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.WordProbes;
import java.nio.LongBuffer;

/** The queries of a {@link PartitionedFilter}, on its table in a mapped file. */
final class MappedPartitioned implements FilterView {

  private final MappedTable table;
  private final LongBuffer buffer; // null if there are several
  private final int slices;
  private final int sliceWords;
  private final boolean near;

  MappedPartitioned(MappedTable table, int slices) {
    this.table = table;
    this.buffer = table.words();
    this.slices = slices;
    this.sliceWords = (int) PartitionedProvider.sliceWords(table.sizeInBits(), slices);
    this.near = table.sizeInBits() / Long.SIZE <= PartitionedFilter.NEAR_WORDS;
  }

  @Override
  public boolean mightContain(long hash) {
    return near ? testNear(hash, 0) : testFar(hash);
  }

  /** Returns whether all bits of a hash are set from a slice on, the first of a state. */
  private boolean testNear(long hash, int first) {
    long all = 1;
    long state = hash;
    int start = first * sliceWords;
    int left = slices - first;
    for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
      all &= bits(state, start, WordProbes.PER_STATE);
      state = WordProbes.next(state);
      start += WordProbes.PER_STATE * sliceWords;
    }
    all &= left == 3 ? bits(state, start, 3) : bits(state, start, left);
    return ((int) all & 1) != 0;
  }

  /** Returns whether all bits of a hash are set, and leaves with the first that is clear. */
  private boolean testFar(long hash) {
    long state = hash;
    int start = 0;
    for (int left = slices; left > 0; left -= WordProbes.PER_STATE) {
      if (!allSet(state, start, Math.min(left, WordProbes.PER_STATE))) {
        return false;
      }
      state = WordProbes.next(state);
      start += WordProbes.PER_STATE * sliceWords;
    }
    return true;
  }

  private long bits(long state, int start, int count) {
    return buffer == null
        ? bits(table, sliceWords, state, start, count)
        : bits(buffer, sliceWords, state, start, count);
  }

  /** Returns the bits of {@code count} probes, all in one: the lowest is 1 if all are set. */
  private static long bits(LongBuffer buffer, int sliceWords, long state, int start, int count) {
    long all = 1;
    long probe = state;
    int slice = start;
    for (int i = 0; i < count; i++) {
      all &= buffer.get(slice + WordProbes.word(probe, sliceWords)) >>> probe;
      probe = WordProbes.turn(probe);
      slice += sliceWords;
    }
    return all;
  }

  private static long bits(MappedTable table, int sliceWords, long state, int start, int count) {
    long all = 1;
    long probe = state;
    int slice = start;
    for (int i = 0; i < count; i++) {
      all &= table.word(slice + WordProbes.word(probe, sliceWords)) >>> probe;
      probe = WordProbes.turn(probe);
      slice += sliceWords;
    }
    return all;
  }

  private boolean allSet(long state, int start, int count) {
    LongBuffer buffer = this.buffer;
    long probe = state;
    int slice = start;
    for (int i = 0; i < count; i++) {
      int index = slice + WordProbes.word(probe, sliceWords);
      long word = buffer == null ? table.word(index) : buffer.get(index);
      if ((word >>> probe & 1) == 0) {
        return false;
      }
      probe = WordProbes.turn(probe);
      slice += sliceWords;
    }
    return true;
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
      left += two(hashes[i], 0);
    }
    if (slices > 2) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += two(WordProbes.turn(WordProbes.turn(hashes[i])), 2);
      }
    }
    if (slices > WordProbes.PER_STATE) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += testNear(WordProbes.next(hashes[i]), WordProbes.PER_STATE) ? 1 : 0;
      }
    }
    return left;
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private int two(long probe, int first) {
    return (int) bits(probe, first * sliceWords, slices - first == 1 ? 1 : 2) & 1;
  }

  @Override
  public FilterStats stats() {
    return PartitionedFilter.stats(table::word, slices, sliceWords);
  }
}
