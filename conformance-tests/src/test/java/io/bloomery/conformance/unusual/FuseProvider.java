package io.bloomery.conformance.unusual;

import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.LongStream;

/**
 * A binary fuse filter of three segments a key, far enough to try what is built once: Graf and
 * Lemire, 2022, arXiv 2201.01174.
 */
public class FuseProvider implements StaticFilterProvider {

  private static final long MAX_BYTES = 1L << 30;

  /** Words before the cells: the seed and the number of keys. */
  private static final int HEAD = 2;

  /** The cells of a table: {@code segments} segments of a power of two, in {@code width} bits. */
  private record Table(long segments, long segment, int width) {

    static Table of(FilterSpec spec) {
      double keys = Math.max(2, spec.expectedKeys());
      long segment =
          Math.min(1 << 18, 1L << (int) (StrictMath.log(keys) / StrictMath.log(3.33) + 2.25));
      double factor = Math.max(1.125, 0.875 + 0.25 * StrictMath.log(1e6) / StrictMath.log(keys));
      long segments = (long) Math.ceil(keys * factor / segment) + 2;
      int width = 1;
      while (StrictMath.pow(2, -width) > spec.falsePositiveRate()) {
        width++;
      }
      if (width > 32) {
        throw new IllegalArgumentException(
            "falsePositiveRate must be at least 2^-32, but was " + spec.falsePositiveRate());
      }
      return new Table(segments, segment, width);
    }

    long cells() {
      return segments * segment;
    }

    long words() {
      return HEAD + (cells() * width + Long.SIZE - 1) / Long.SIZE;
    }

    double rate() {
      return StrictMath.pow(2, -width);
    }

    FilterLayout layout() {
      return FilterLayout.of("segments", segments).with("segment", segment).with("width", width);
    }

    /** Returns the cell of a mixed hash in the first, second or third of its segments. */
    int cell(long mixed, int number) {
      long first = Math.multiplyHigh(mixed >>> 1, (segments - 2) * segment * 2);
      long within = number == 0 ? 0 : mixed >>> (number == 1 ? 18 : 0) & segment - 1;
      return (int) (first + number * segment ^ within);
    }

    long fingerprint(long mixed) {
      return (mixed ^ mixed >>> 32) & (1L << width) - 1;
    }

    long get(long[] words, int cell) {
      long bit = (long) cell * width;
      int word = HEAD + (int) (bit >>> 6);
      long value = words[word] >>> bit;
      if ((bit & 63) + width > 64) {
        value |= words[word + 1] << -bit;
      }
      return value & (1L << width) - 1;
    }

    void set(long[] words, int cell, long value) {
      long bit = (long) cell * width;
      int word = HEAD + (int) (bit >>> 6);
      words[word] |= value << bit;
      if ((bit & 63) + width > 64) {
        words[word + 1] |= value >>> -bit;
      }
    }
  }

  private static long mix(long hash, long seed) {
    long mixed = (hash + seed) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 31) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 32;
  }

  @Override
  public String variant() {
    return "fuse-prototype";
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    Table table = Table.of(spec);
    return new FilterPlan() {
      @Override
      public FilterSpec spec() {
        return spec;
      }

      @Override
      public String variant() {
        return FuseProvider.this.variant();
      }

      @Override
      public long sizeInBits() {
        return table.words() * Long.SIZE;
      }

      @Override
      public int probes() {
        return 3;
      }

      @Override
      public double falsePositiveRate(long keys) {
        return keys == 0 ? 0 : keys <= spec.expectedKeys() ? table.rate() : 1;
      }
    };
  }

  @Override
  public Class<? extends StoredFilter> filterType() {
    return Fuse.class;
  }

  @Override
  public StoredFilter build(FilterSpec spec, LongStream hashes, FilterLimits limits) {
    Table table = Table.of(spec);
    long bytes = table.words() * Long.BYTES;
    limits.check(bytes);
    if (bytes > Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / 4)) {
      throw new IllegalArgumentException(
          "the heap must have room to build a filter of " + bytes + " bytes; expect fewer keys");
    }
    long[] distinct = hashes.sorted().distinct().toArray();
    if (distinct.length > spec.expectedKeys()) {
      throw new IllegalArgumentException(
          "there must be at most the "
              + spec.expectedKeys()
              + " expected hashes, but there were "
              + distinct.length
              + "; expect more");
    }
    for (long seed = 0; seed < 1_000; seed++) {
      long[] words = new long[(int) table.words()];
      words[0] = seed;
      words[1] = distinct.length;
      if (peel(distinct, table, words)) {
        return new Fuse(spec, table, words);
      }
    }
    throw new IllegalArgumentException("no seed separates these hashes");
  }

  private static boolean peel(long[] hashes, Table table, long[] words) {
    int[] counts = new int[(int) table.cells()];
    long[] xors = new long[(int) table.cells()];
    for (long hash : hashes) {
      long mixed = mix(hash, words[0]);
      for (int i = 0; i < 3; i++) {
        counts[table.cell(mixed, i)]++;
        xors[table.cell(mixed, i)] ^= mixed;
      }
    }
    int[] alone = new int[counts.length];
    int ready = 0;
    for (int cell = 0; cell < counts.length; cell++) {
      if (counts[cell] == 1) {
        alone[ready++] = cell;
      }
    }
    long[] order = new long[hashes.length];
    int[] cells = new int[hashes.length];
    int peeled = 0;
    while (ready > 0) {
      int cell = alone[--ready];
      if (counts[cell] != 1) {
        continue;
      }
      long mixed = xors[cell];
      order[peeled] = mixed;
      cells[peeled++] = cell;
      for (int i = 0; i < 3; i++) {
        int other = table.cell(mixed, i);
        xors[other] ^= mixed;
        if (--counts[other] == 1) {
          alone[ready++] = other;
        }
      }
    }
    for (int i = peeled - 1; peeled == hashes.length && i >= 0; i--) {
      long value = table.fingerprint(order[i]);
      for (int j = 0; j < 3; j++) {
        value ^= table.get(words, table.cell(order[i], j));
      }
      table.set(words, cells[i], value);
    }
    return peeled == hashes.length;
  }

  @Override
  public StoredFilter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(limits, "limits");
    if (!layout
        .toMap()
        .keySet()
        .equals(
            FilterLayout.of("segments", 1).with("segment", 1).with("width", 1).toMap().keySet())) {
      throw in.malformed("layout must have segment, segments and width");
    }
    long segments = layout.get("segments");
    long segment = layout.get("segment");
    long width = layout.get("width");
    if (width < 1
        || width > 32
        || Long.bitCount(segment) != 1
        || segment > 1 << 18
        || segments < 3
        || segments > Integer.MAX_VALUE / segment) {
      throw in.malformed("no table has this layout: " + layout);
    }
    Table table = new Table(segments, segment, (int) width);
    if (in.size() != table.words() * Long.BYTES) {
      throw in.malformed("content must have " + table.words() + " words");
    }
    long[] words = in.readLongs(table.words());
    long used = table.cells() * table.width % Long.SIZE;
    if (used != 0 && words[words.length - 1] >>> used != 0) {
      throw in.malformed("bits behind the last cell must be zero");
    }
    boolean isEmpty = Arrays.stream(words, HEAD, words.length).allMatch(word -> word == 0);
    if (words[0] < 0 || words[0] >= 1_000 || words[1] < 0 || words[1] > table.cells()) {
      throw in.malformed("seed and number of keys must be ones that a build gives");
    }
    if (words[1] == 0 && !isEmpty) {
      throw in.malformed("a table of no keys must be empty");
    }
    return new Fuse(spec, table, words);
  }

  private static final class Fuse implements StoredFilter {

    private final FilterSpec spec;
    private final Table table;
    private final long[] words;

    Fuse(FilterSpec spec, Table table, long[] words) {
      this.spec = spec;
      this.table = table;
      this.words = words;
    }

    @Override
    public boolean mightContain(long hash) {
      long mixed = mix(hash, words[0]);
      long found = 0;
      for (int i = 0; i < 3; i++) {
        found ^= table.get(words, table.cell(mixed, i));
      }
      return words[1] > 0 && found == table.fingerprint(mixed);
    }

    @Override
    public FilterStats stats() {
      long set = 0;
      for (int i = HEAD; i < words.length; i++) {
        set += Long.bitCount(words[i]);
      }
      return FilterStats.of(spec)
          .sizeInBits(words.length * (long) Long.SIZE)
          .setBits(set)
          .falsePositiveRate(words[1] == 0 ? 0 : table.rate())
          .approximateKeys(words[1])
          .build();
    }

    @Override
    public FilterSpec spec() {
      return spec;
    }

    @Override
    public String variant() {
      return "fuse-prototype";
    }

    @Override
    public FilterLayout layout() {
      return table.layout();
    }

    @Override
    public long payloadSize() {
      return words.length * (long) Long.BYTES;
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      out.begin(payloadSize());
      out.writeLongs(words, 0, words.length);
    }

    @Override
    public String toString() {
      return "fuse-prototype for " + spec;
    }
  }
}
