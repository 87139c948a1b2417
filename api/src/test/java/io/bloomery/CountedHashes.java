package io.bloomery;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** An exact filter that removes, and is full after the keys it expects. */
record CountedHashes(FilterSpec spec, Map<Long, Long> counts) implements RemovableFilter {

  CountedHashes(FilterSpec spec) {
    this(spec, new HashMap<>());
  }

  @Override
  public boolean put(long hash) {
    if (counts.size() == spec.expectedKeys() && !counts.containsKey(hash)) {
      throw new FilterFullException("full");
    }
    return counts.merge(hash, 1L, Long::sum) == 1;
  }

  @Override
  public boolean mightContain(long hash) {
    return counts.containsKey(hash);
  }

  @Override
  public boolean remove(long hash) {
    boolean present = counts.containsKey(hash);
    counts.computeIfPresent(hash, (same, count) -> count == 1 ? null : count - 1);
    return present;
  }

  @Override
  public long approximateCount(long hash) {
    return counts.getOrDefault(hash, 0L);
  }

  @Override
  public FilterLimits limits() {
    return FilterLimits.HEAP;
  }

  @Override
  public String variant() {
    return "exact";
  }

  @Override
  public Map<String, Long> layout() {
    return Map.of();
  }

  @Override
  public FilterStats stats() {
    return new FilterStats(0, 0, 0, OptionalLong.of(counts.size()));
  }

  @Override
  public Filter copy() {
    return new CountedHashes(spec, new HashMap<>(counts));
  }

  @Override
  public void clear() {
    counts.clear();
  }

  @Override
  public long payloadSize() {
    return 0;
  }

  @Override
  public void writePayload(PayloadOutput out) {
    throw new AssertionError("not written in these tests");
  }
}
