package io.bloomery.fuse;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.internal.Batches;
import io.bloomery.internal.BranchFree;
import io.bloomery.spi.MappedTable;
import java.nio.LongBuffer;
import org.jspecify.annotations.Nullable;

/** The queries of a {@link FuseFilter} on its table in a memory-mapped file. */
final class MappedFuse implements FilterView {

  private final MappedTable table;
  private final @Nullable LongBuffer buffer; // null if the table has several
  private final FilterSpec spec;
  private final FuseLayout layout;
  private final long[] keys; // of each part, by which mixed hashes are spread
  private final long key; // by which hashes are mixed
  private final boolean several;
  private final long count;
  private final long never; // as in the filter
  private final long fingerprint;
  private final long twiceParts;
  private final long twiceFirsts;
  private final long gapBits; // as in the filter
  private final long segment;
  private final long within;
  private final long width;

  MappedFuse(MappedTable table, FilterSpec spec, FuseLayout layout) {
    this.table = table;
    this.buffer = table.buffer().orElse(null);
    this.spec = spec;
    this.layout = layout;
    this.keys = new long[layout.parts()];
    long count = 0;
    for (int i = 0; i < keys.length; i++) {
      FuseTail tail = FuseTail.of(table.word((i + 1) * layout.partWords() - 1));
      count += tail.count();
      keys[i] = FuseHash.key(tail.seed());
    }
    this.count = count;
    this.several = keys.length > 1;
    this.key = several ? 0 : keys[0];
    this.never = count == 0 ? Long.MIN_VALUE : 0;
    this.width = layout.width();
    this.fingerprint = (1L << width) - 1;
    this.twiceParts = 2L * keys.length;
    this.gapBits = layout.partBytes() * Byte.SIZE - layout.firsts() * width;
    this.twiceFirsts = layout.twiceFirsts();
    this.segment = layout.segment();
    this.within = segment - 1;
  }

  @Override
  public boolean mightContain(long hash) {
    return test(hash) != 0;
  }

  private int test(long hash) {
    LongBuffer buffer = this.buffer;
    long mixed = FuseHash.mix(hash, key);
    long before = 0;
    long own = 0;
    if (several) {
      int part = (int) FuseHash.first(mixed, twiceParts);
      before = part * gapBits;
      own = keys[part];
    }
    long spread = FuseHash.spread(mixed ^ own);
    long first = FuseHash.first(mixed, twiceFirsts);
    long second = (first + segment) ^ (spread >>> FuseHash.SECOND & within);
    long third = (first + 2 * segment) ^ (spread >>> FuseHash.THIRD & within);
    long fourth = (first + 3 * segment) ^ (spread >>> FuseHash.FOURTH & within);
    long found =
        buffer == null
            ? cell(table, before + first * width)
                ^ cell(table, before + second * width)
                ^ cell(table, before + third * width)
                ^ cell(table, before + fourth * width)
            : cell(buffer, before + first * width)
                ^ cell(buffer, before + second * width)
                ^ cell(buffer, before + third * width)
                ^ cell(buffer, before + fourth * width);
    return BranchFree.oneIfZero(((found ^ mixed) & fingerprint) | never);
  }

  // A cell may end in the next word. If it begins with a word, nothing of the next is shifted in.
  private static long cell(LongBuffer buffer, long bit) {
    int word = (int) (bit >>> 6);
    return (buffer.get(word) >>> bit) | (buffer.get(word + 1) << 1 << ~bit);
  }

  private static long cell(MappedTable table, long bit) {
    long word = bit >>> 6;
    return (table.word(word) >>> bit) | (table.word(word + 1) << 1 << ~bit);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(hashes[i]);
    }
    return found;
  }

  @Override
  public FilterStats stats() {
    long set = table.countSetBits();
    for (int part = 1; part <= keys.length; part++) {
      set -= Long.bitCount(table.word(part * layout.partWords() - 1));
    }
    return FuseFilter.stats(spec, layout, count, set);
  }

  @Override
  public FilterDescription description() {
    return FuseFilter.description(layout);
  }
}
