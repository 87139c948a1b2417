package io.bloomery.conformance;

import com.carrotsearch.hppc.LongHashSet;
import io.bloomery.Filter;
import io.bloomery.FilterLimits;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.PayloadOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.OptionalLong;

/** A set that is never wrong: a filter of another variant, for tests that need one. */
final class ExactFilter implements Filter {

  private final FilterSpec spec;
  private final Map<String, Long> layout;
  private final LongHashSet hashes = new LongHashSet();

  ExactFilter(FilterSpec spec, Map<String, Long> layout) {
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
  public Map<String, Long> layout() {
    return layout;
  }

  @Override
  public FilterStats stats() {
    long bits = (long) Long.SIZE * hashes.size();
    return new FilterStats(bits + 1, bits, 0, OptionalLong.of(hashes.size()));
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
