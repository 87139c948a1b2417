package io.bloomery.fuse;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.Batches;
import io.bloomery.internal.BranchFree;
import io.bloomery.internal.CellKernel;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A binary fuse filter: a table of cells, of which the four of a hash that is contained have its
 * fingerprint as their exclusive or; of many hashes, several tables, of which each hash has one. It
 * is immutable.
 */
final class FuseFilter implements StoredFilter, Batches.Each {
  // decisions.md#the-cells-of-a-fuse-filter-are-bytes-on-the-heap
  // decisions.md#a-batch-of-fuse-asks-one-hash-after-the-other-in-the-caches-and-in-passes-beyond

  /** Eight bytes from any index on, as a word. */
  static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final @Nullable CellKernel KERNEL = CellKernel.installed().orElse(null);

  private final FilterSpec spec;
  private final FuseLayout layout;
  private final byte[][] arrays; // each of as many parts, a power of two, or of all
  private final byte[] content; // of the first array
  private final int arrayShift;
  private final long arrayBits;
  private final boolean inArrays;
  private final long key; // by which hashes are mixed
  private final long[] keys; // of each part, by which mixed hashes are spread
  private final boolean several;
  private final boolean inPasses;
  private final long count;
  private final long never; // a bit that no fingerprint has if there are no hashes, else 0
  private final long fingerprint;
  private final long twiceParts;
  private final long twiceFirsts;
  private final long gapBits; // between the first cells of a part and those of the next
  private final long segment;
  private final long within;
  private final long width;
  private final @Nullable CellKernel kernel;
  private final CellKernel.@Nullable Cells cells; // null if no kernel is to be used

  FuseFilter(FilterSpec spec, FuseLayout layout, byte[][] arrays) {
    this(spec, layout, arrays, KERNEL);
  }

  FuseFilter(FilterSpec spec, FuseLayout layout, byte[][] arrays, @Nullable CellKernel kernel) {
    this.spec = spec;
    this.layout = layout;
    this.arrays = arrays;
    this.content = arrays[0];
    int together = (int) (content.length / layout.partBytes());
    this.arrayShift = Integer.SIZE - Integer.numberOfLeadingZeros(together - 1);
    this.arrayBits = (long) content.length * Byte.SIZE;
    this.inArrays = arrays.length > 1;
    this.several = layout.parts() > 1;
    this.inPasses = layout.bytes() / Long.BYTES >= Batches.FAR_WORDS;
    this.keys = new long[layout.parts()];
    long count = 0;
    int part = 0;
    for (byte[] array : arrays) {
      for (int end = 0; end < array.length; part++) {
        end += (int) layout.partBytes();
        FuseTail tail = FuseTail.of((long) WORDS.get(array, end - Long.BYTES));
        count += tail.count();
        keys[part] = FuseHash.key(tail.seed());
      }
    }
    this.key = several ? 0 : keys[0];
    if (!several) {
      keys[0] = 0;
    }
    this.count = count;
    this.never = count == 0 ? Long.MIN_VALUE : 0;
    this.width = layout.width();
    this.fingerprint = (1L << width) - 1;
    this.twiceParts = 2L * keys.length;
    this.gapBits = layout.partBytes() * Byte.SIZE - layout.firsts() * width;
    this.twiceFirsts = layout.twiceFirsts();
    this.segment = layout.segment();
    this.within = segment - 1;
    this.kernel = kernel;
    this.cells =
        kernel == null || several || inPasses || count == 0
            ? null
            : new CellKernel.Cells(content, key, twiceFirsts, segment, layout.width());
  }

  /** Returns a cell, in the low bits, by the index of its first bit. */
  static long cell(byte[] content, long bit) {
    return (long) WORDS.get(content, (int) (bit >>> 3)) >>> (bit & 7);
  }

  @Override
  public boolean mightContain(long hash) {
    return test(hash) != 0;
  }

  // Of one part and of several in one method, which is inlined whichever of them came first.
  /** Returns 1 if the cells of a hash have its fingerprint, else 0. */
  private int test(long hash) {
    byte[] content = this.content;
    long mixed = FuseHash.mix(hash, key);
    long before = 0;
    long own = 0;
    if (several) {
      int part = (int) FuseHash.first(mixed, twiceParts);
      before = part * gapBits;
      own = keys[part];
      if (inArrays) {
        int array = part >>> arrayShift;
        content = arrays[array];
        before -= array * arrayBits;
      }
    }
    long spread = FuseHash.spread(mixed ^ own);
    long first = FuseHash.first(mixed, twiceFirsts);
    long second = (first + segment) ^ (spread >>> FuseHash.SECOND & within);
    long third = (first + 2 * segment) ^ (spread >>> FuseHash.THIRD & within);
    long fourth = (first + 3 * segment) ^ (spread >>> FuseHash.FOURTH & within);
    long found =
        cell(content, before + first * width)
            ^ cell(content, before + second * width)
            ^ cell(content, before + third * width)
            ^ cell(content, before + fourth * width);
    return BranchFree.oneIfZero(((found ^ mixed) & fingerprint) | never);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    if (inPasses) {
      return selectInPasses(hashes, from, to, hits);
    }
    if (kernel != null && cells != null) {
      return kernel.select(this, cells, hashes, from, to, hits);
    }
    return selectEach(hashes, from, to, hits, 0);
  }

  @Override
  public int selectEach(long[] hashes, int from, int to, int[] hits, int found) {
    int next = found;
    for (int i = from; i < to; i++) {
      hits[next] = i;
      next += test(hashes[i]);
    }
    return next;
  }

  // The fewer instructions between two reads, the more of them overlap: one pass does nothing else.
  int selectInPasses(long[] hashes, int from, int to, int[] hits) {
    int most = Math.min(Batches.SIZE, to - from);
    long[] mixed = new long[most];
    int[] parts = new int[most];
    int[] places = new int[FuseLayout.ARITY * most];
    int[] shifts = new int[most];
    long[] words = new long[FuseLayout.ARITY * most];
    int found = 0;
    for (int start = from, size; start < to; start += size) {
      size = Math.min(most, to - start);
      locate(hashes, start, size, mixed, parts, places, shifts);
      if (!inArrays) {
        read(content, size, places, words);
      } else {
        read(parts, size, places, words);
      }
      found = compare(start, size, mixed, shifts, words, hits, found);
    }
    return found;
  }

  /** Computes the byte where each cell begins, and the bit in it: eight bits of a shift each. */
  private void locate(
      long[] hashes, int from, int size, long[] mixed, int[] parts, int[] places, int[] shifts) {
    for (int i = 0; i < size; i++) {
      long mix = FuseHash.mix(hashes[from + i], key);
      int part = (int) FuseHash.first(mix, twiceParts);
      long before = part * gapBits - (part >>> arrayShift) * arrayBits;
      long spread = FuseHash.spread(mix ^ keys[part]);
      long cell = FuseHash.first(mix, twiceFirsts);
      long first = before + cell * width;
      long second = before + ((cell + segment) ^ (spread >>> FuseHash.SECOND & within)) * width;
      long third = before + ((cell + 2 * segment) ^ (spread >>> FuseHash.THIRD & within)) * width;
      long fourth = before + ((cell + 3 * segment) ^ (spread >>> FuseHash.FOURTH & within)) * width;
      mixed[i] = mix;
      parts[i] = part;
      places[4 * i] = (int) (first >>> 3);
      places[4 * i + 1] = (int) (second >>> 3);
      places[4 * i + 2] = (int) (third >>> 3);
      places[4 * i + 3] = (int) (fourth >>> 3);
      shifts[i] = (int) ((first & 7) | (second & 7) << 8 | (third & 7) << 16 | (fourth & 7) << 24);
    }
  }

  private static void read(byte[] content, int size, int[] places, long[] words) {
    for (int i = 0; i < 4 * size; i += 4) {
      words[i] = (long) WORDS.get(content, places[i]);
      words[i + 1] = (long) WORDS.get(content, places[i + 1]);
      words[i + 2] = (long) WORDS.get(content, places[i + 2]);
      words[i + 3] = (long) WORDS.get(content, places[i + 3]);
    }
  }

  private void read(int[] parts, int size, int[] places, long[] words) {
    for (int i = 0; i < size; i++) {
      byte[] content = arrays[parts[i] >>> arrayShift];
      words[4 * i] = (long) WORDS.get(content, places[4 * i]);
      words[4 * i + 1] = (long) WORDS.get(content, places[4 * i + 1]);
      words[4 * i + 2] = (long) WORDS.get(content, places[4 * i + 2]);
      words[4 * i + 3] = (long) WORDS.get(content, places[4 * i + 3]);
    }
  }

  private int compare(
      int from, int size, long[] mixed, int[] shifts, long[] words, int[] hits, int found) {
    int left = found;
    for (int i = 0; i < size; i++) {
      int shift = shifts[i];
      long value =
          words[4 * i] >>> shift
              ^ words[4 * i + 1] >>> (shift >>> 8)
              ^ words[4 * i + 2] >>> (shift >>> 16)
              ^ words[4 * i + 3] >>> (shift >>> 24);
      hits[left] = from + i;
      left += BranchFree.oneIfZero(((value ^ mixed[i]) & fingerprint) | never);
    }
    return left;
  }

  @Override
  public FilterStats stats() {
    long set = 0;
    int bytes = (int) layout.partBytes();
    for (byte[] array : arrays) {
      for (int i = 0; i < array.length; i += Long.BYTES) {
        if ((i + Long.BYTES) % bytes != 0) {
          set += Long.bitCount((long) WORDS.get(array, i));
        }
      }
    }
    return stats(spec, layout, count, set);
  }

  static FilterStats stats(FilterSpec spec, FuseLayout layout, long count, long set) {
    return FilterStats.of(spec)
        .sizeInBits(layout.parts() * layout.cellWords() * Long.SIZE)
        .setBits(set)
        .falsePositiveRate(layout.rate(count))
        .approximateKeys(count)
        .build();
  }

  static FilterDescription description(FuseLayout layout) {
    FilterDescription description =
        FilterDescription.of(
                "segments of cells; those of a key, in four of them, give its fingerprint",
                FuseLayout.ARITY + " reads")
            .meaning("segment", "cells of each segment")
            .meaning("segments", "segments of a table; a key has its cells in four of them")
            .meaning("width", "bits of each cell, and of a fingerprint")
            .part("cells", (long) layout.parts() * layout.cells(), "cells of all segments");
    return layout.parts() == 1
        ? description
        : description.meaning("parts", "tables; a key has its cells in one of them");
  }

  @Override
  public FilterDescription description() {
    return description(layout);
  }

  @Override
  public FilterSpec spec() {
    return spec;
  }

  @Override
  public String variant() {
    return FuseProvider.VARIANT;
  }

  @Override
  public FilterLayout layout() {
    return layout.toLayout();
  }

  @Override
  public long payloadSize() {
    return layout.bytes();
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    out.begin(payloadSize());
    for (byte[] array : arrays) {
      for (int i = 0; i < array.length; i += Long.BYTES) {
        out.writeLong((long) WORDS.get(array, i));
      }
    }
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + spec;
  }
}
