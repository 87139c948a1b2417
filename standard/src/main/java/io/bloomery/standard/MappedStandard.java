package io.bloomery.standard;

import io.bloomery.Filter;
import io.bloomery.FilterStats;
import io.bloomery.FilterView;
import io.bloomery.spi.MappedTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.Sizing;
import java.nio.LongBuffer;

/** The queries of a {@link StandardFilter}, on its table in a mapped file. */
final class MappedStandard implements FilterView {

  private final MappedTable table;
  private final LongBuffer words; // null if there are several buffers
  private final long bits;
  private final int probes;
  private final boolean near;

  MappedStandard(MappedTable table, int probes) {
    this.table = table;
    this.words = table.words();
    this.bits = table.sizeInBits();
    this.probes = probes;
    this.near = bits <= StandardFilter.NEAR_BITS || probes <= StandardFilter.FIRST;
  }

  @Override
  public boolean mightContain(long hash) {
    if (near) {
      return allOf(hash, probes) != 0;
    }
    return allOf(hash, StandardFilter.FIRST) != 0
        && allOf(StandardFilter.probe(hash, StandardFilter.FIRST), probes - StandardFilter.FIRST)
            != 0;
  }

  // As in the filter, loops of a known length are unrolled.
  private int allOf(long probe, int count) {
    LongBuffer words = this.words;
    long bits = this.bits;
    if (words == null) {
      return all(table, bits, probe, count);
    }
    if (count == 7) {
      return all(words, bits, probe, 7);
    }
    if (count == 4) {
      return all(words, bits, probe, 4);
    }
    if (count == 3) {
      return all(words, bits, probe, 3);
    }
    if (count == 2) {
      return all(words, bits, probe, 2);
    }
    if (count == 10) {
      return all(words, bits, probe, 10);
    }
    return all(words, bits, probe, count);
  }

  /** Returns 1 if the bits of {@code count} probes, from {@code probe} on, are set, else 0. */
  private static int all(LongBuffer words, long bits, long probe, int count) {
    long all = 1;
    for (int i = 0; i < count; i++) {
      long position = Probes.position(probe, bits);
      all &= words.get((int) (position >>> 6)) >>> position;
      probe = Probes.next(probe);
    }
    return (int) all & 1;
  }

  private static int all(MappedTable table, long bits, long probe, int count) {
    long all = 1;
    for (int i = 0; i < count; i++) {
      long position = Probes.position(probe, bits);
      all &= table.word(position >>> 6) >>> position;
      probe = Probes.next(probe);
    }
    return (int) all & 1;
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
        left += two(StandardFilter.probe(hashes[i], 2), probes - 2);
      }
    }
    if (probes > 4) {
      int asked = left;
      left = found;
      for (int j = found; j < asked; j++) {
        int i = hits[j];
        hits[left] = i;
        left += allOf(StandardFilter.probe(hashes[i], 4), probes - 4);
      }
    }
    return left;
  }

  /** Returns 1 if the bits of a probe and of the one after it, if any is left, are set, else 0. */
  private int two(long probe, int left) {
    return left == 1 ? allOf(probe, 1) : allOf(probe, 2);
  }

  @Override
  public FilterStats stats() {
    return Sizing.stats(bits, table.countSetBits(), probes);
  }
}
