package io.bloomery.standard;

import io.bloomery.Filter;
import io.bloomery.FilterStats;
import io.bloomery.FilterView;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.Sizing;
import io.bloomery.spi.WordProbes;
import java.nio.LongBuffer;

/** The queries of a {@link StandardFilter}, on its table in a mapped file. */
final class MappedStandard implements FilterView {

  private final MappedTable table;
  private final LongBuffer buffer; // null if there are several
  private final int words;
  private final int probes;

  MappedStandard(MappedTable table, int probes) {
    this.table = table;
    this.buffer = table.words();
    this.words = (int) (table.sizeInBits() / Long.SIZE);
    this.probes = probes;
  }

  @Override
  public boolean mightContain(long hash) {
    return words <= StandardFilter.NEAR_WORDS ? testNear(hash, probes) : testFar(hash);
  }

  /** Returns whether all bits of a hash are set, with no branch that depends on them. */
  private boolean testNear(long hash, int probes) {
    long all = 1;
    long state = hash;
    int left = probes;
    for (; left >= WordProbes.PER_STATE; left -= WordProbes.PER_STATE) {
      all &= bits(state, WordProbes.PER_STATE);
      state = WordProbes.next(state);
    }
    all &= left == 3 ? bits(state, 3) : bits(state, left);
    return ((int) all & 1) != 0;
  }

  /** Returns whether all bits of a hash are set, and leaves with the first that is clear. */
  private boolean testFar(long hash) {
    long state = hash;
    for (int left = probes; left > 0; left -= WordProbes.PER_STATE) {
      if (!allSet(state, Math.min(left, WordProbes.PER_STATE))) {
        return false;
      }
      state = WordProbes.next(state);
    }
    return true;
  }

  private long bits(long state, int count) {
    return buffer == null ? bits(table, words, state, count) : bits(buffer, words, state, count);
  }

  /** Returns the bits of {@code count} probes, all in one: the lowest is 1 if all are set. */
  private static long bits(LongBuffer buffer, int words, long state, int count) {
    long all = 1;
    long probe = state;
    for (int i = 0; i < count; i++) {
      all &= buffer.get(WordProbes.word(probe, words)) >>> probe;
      probe = WordProbes.turn(probe);
    }
    return all;
  }

  private static long bits(MappedTable table, int words, long state, int count) {
    long all = 1;
    long probe = state;
    for (int i = 0; i < count; i++) {
      all &= table.word(WordProbes.word(probe, words)) >>> probe;
      probe = WordProbes.turn(probe);
    }
    return all;
  }

  private boolean allSet(long state, int count) {
    LongBuffer buffer = this.buffer;
    long probe = state;
    for (int i = 0; i < count; i++) {
      int index = WordProbes.word(probe, words);
      long word = buffer == null ? table.word(index) : buffer.get(index);
      if ((word >>> probe & 1) == 0) {
        return false;
      }
      probe = WordProbes.turn(probe);
    }
    return true;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(StandardFilter.BATCH, to - i);
      found = selectBatch(hashes, i, end, hits, found);
    }
    return found;
  }

  // The rounds of the filter: two probes, two more of what is left, and the rest.
  private int selectBatch(long[] hashes, int from, int to, int[] hits, int found) {
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
        left += two(WordProbes.turn(WordProbes.turn(hashes[i])), probes - 2);
      }
    }
    if (probes > WordProbes.PER_STATE) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += testNear(WordProbes.next(hashes[i]), probes - WordProbes.PER_STATE) ? 1 : 0;
      }
    }
    return left;
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private int two(long probe, int left) {
    return (int) (left == 1 ? bits(probe, 1) : bits(probe, 2)) & 1;
  }

  @Override
  public FilterStats stats() {
    return Sizing.stats(table.sizeInBits(), table.countSetBits(), probes);
  }
}
