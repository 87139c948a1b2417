package io.bloomery.fuse;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.Batches;
import io.bloomery.internal.BranchFree;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A binary fuse filter: a table of cells, of which the four of a hash that is contained have its
 * fingerprint as their exclusive or; of many hashes, several tables, of which each hash has one. It
 * is immutable.
 */
final class FuseFilter implements StoredFilter {
  // decisions.md#the-cells-of-a-fuse-filter-are-bytes-on-the-heap
  // decisions.md#a-batch-of-fuse-asks-one-hash-after-the-other

  /** Eight bytes from any index on, as a word. */
  static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final FilterSpec spec;
  private final FuseLayout layout;
  private final byte[][] parts;
  private final byte[] content; // of the first part
  private final long[] keys; // of each part
  private final long key;
  private final boolean several;
  private final long count;
  private final long never; // a bit that no fingerprint has if there are no hashes, else 0
  private final long fingerprint;
  private final long twiceParts;
  private final long twiceFirsts;
  private final long firsts;
  private final long segment;
  private final long within;
  private final long width;

  FuseFilter(FilterSpec spec, FuseLayout layout, byte[][] parts) {
    this.spec = spec;
    this.layout = layout;
    this.parts = parts;
    this.content = parts[0];
    this.keys = new long[parts.length];
    long count = 0;
    for (int i = 0; i < parts.length; i++) {
      FuseTail tail = FuseTail.of((long) WORDS.get(parts[i], parts[i].length - Long.BYTES));
      count += tail.count();
      keys[i] = FuseHash.key(tail.seed());
    }
    this.count = count;
    this.key = keys[0];
    this.several = parts.length > 1;
    this.never = count == 0 ? Long.MIN_VALUE : 0;
    this.width = layout.width();
    this.fingerprint = (1L << width) - 1;
    this.twiceParts = 2L * parts.length;
    this.firsts = layout.firsts();
    this.twiceFirsts = layout.twiceFirsts();
    this.segment = layout.segment();
    this.within = segment - 1;
  }

  /** Returns a cell, in the low bits, by the index of its first bit. */
  static long cell(byte[] content, long bit) {
    return (long) WORDS.get(content, (int) (bit >>> 3)) >>> (bit & 7);
  }

  @Override
  public boolean mightContain(long hash) {
    return test(hash) != 0;
  }

  /** Returns 1 if the cells of a hash have its fingerprint, else 0. */
  private int test(long hash) {
    return several ? testPart(hash) : testOnly(hash);
  }

  private int testOnly(long hash) {
    byte[] content = this.content;
    long mixed = FuseHash.mix(hash, key);
    long spread = FuseHash.spread(mixed);
    long first = FuseHash.first(mixed, twiceFirsts);
    long second = (first + segment) ^ (spread >>> FuseHash.SECOND & within);
    long third = (first + 2 * segment) ^ (spread >>> FuseHash.THIRD & within);
    long fourth = (first + 3 * segment) ^ (spread >>> FuseHash.FOURTH & within);
    long found =
        cell(content, first * width)
            ^ cell(content, second * width)
            ^ cell(content, third * width)
            ^ cell(content, fourth * width);
    return BranchFree.oneIfZero(((found ^ mixed) & fingerprint) | never);
  }

  private int testPart(long hash) {
    long mixed = FuseHash.mix(hash, 0);
    int part = (int) FuseHash.first(mixed, twiceParts);
    byte[] content = parts[part];
    long spread = FuseHash.spread(mixed ^ keys[part]);
    long first = FuseHash.first(mixed, twiceFirsts) - part * firsts;
    long second = (first + segment) ^ (spread >>> FuseHash.SECOND & within);
    long third = (first + 2 * segment) ^ (spread >>> FuseHash.THIRD & within);
    long fourth = (first + 3 * segment) ^ (spread >>> FuseHash.FOURTH & within);
    long found =
        cell(content, first * width)
            ^ cell(content, second * width)
            ^ cell(content, third * width)
            ^ cell(content, fourth * width);
    return BranchFree.oneIfZero(((found ^ mixed) & fingerprint) | never);
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
    long set = 0;
    for (byte[] part : parts) {
      for (int i = 0; i < part.length - Long.BYTES; i += Long.BYTES) {
        set += Long.bitCount((long) WORDS.get(part, i));
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
    for (byte[] part : parts) {
      for (int i = 0; i < part.length; i += Long.BYTES) {
        out.writeLong((long) WORDS.get(part, i));
      }
    }
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + spec;
  }
}
