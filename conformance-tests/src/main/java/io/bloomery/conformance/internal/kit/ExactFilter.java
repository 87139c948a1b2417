package io.bloomery.conformance.internal.kit;

import com.carrotsearch.hppc.LongHashSet;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;
import java.util.Arrays;

/** A filter of another variant without false positives, for tests that need one. */
public final class ExactFilter implements Filter {

  private final FilterSpec spec;
  private final FilterLayout layout;
  private final LongHashSet hashes = new LongHashSet();

  public ExactFilter(FilterSpec spec, FilterLayout layout) {
    this.spec = spec;
    this.layout = layout;
  }

  @Override
  public boolean put(long hash) {
    return hashes.add(hash);
  }

  @Override
  public boolean mightContain(long hash) {
    return hashes.contains(hash);
  }

  @Override
  public FilterSpec spec() {
    return spec;
  }

  @Override
  public FilterLimits limits() {
    return FilterLimits.HEAP;
  }

  @Override
  public String variant() {
    return "conformance-exact";
  }

  @Override
  public FilterLayout layout() {
    return layout;
  }

  @Override
  public FilterStats stats() {
    long bits = (long) Long.SIZE * hashes.size();
    return FilterStats.of(spec)
        .sizeInBits(bits + 1)
        .setBits(bits)
        .approximateKeys(hashes.size())
        .build();
  }

  @Override
  public Filter copy() {
    ExactFilter copy = new ExactFilter(spec, layout);
    copy.hashes.addAll(hashes);
    return copy;
  }

  @Override
  public void clear() {
    hashes.clear();
  }

  @Override
  public long payloadSize() {
    return (long) Long.BYTES * hashes.size();
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    out.begin(payloadSize());
    long[] sorted = hashes.toArray();
    Arrays.sort(sorted);
    for (long hash : sorted) {
      out.writeLong(hash);
    }
  }
}
