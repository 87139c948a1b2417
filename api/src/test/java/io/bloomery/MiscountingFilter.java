package io.bloomery;

import java.io.IOException;
import java.util.Map;

/** A filter that announces any size and writes any words. */
record MiscountingFilter(Filter filter, long announced, Content content) implements Filter {

  /** What is written after the announcement. */
  @FunctionalInterface
  interface Content {
    void writeTo(PayloadOutput out) throws IOException;
  }

  MiscountingFilter(Filter filter, long announced, int words) {
    this(
        filter,
        announced,
        out -> {
          for (int i = 0; i < words; i++) {
            out.writeLong(i);
          }
        });
  }

  @Override
  public boolean put(long hash) {
    return filter.put(hash);
  }

  @Override
  public boolean mightContain(long hash) {
    return filter.mightContain(hash);
  }

  @Override
  public FilterSpec spec() {
    return filter.spec();
  }

  @Override
  public FilterLimits limits() {
    return FilterLimits.HEAP;
  }

  @Override
  public String variant() {
    return filter.variant();
  }

  @Override
  public Map<String, Long> layout() {
    return filter.layout();
  }

  @Override
  public FilterStats stats() {
    return filter.stats();
  }

  @Override
  public Filter copy() {
    return filter.copy();
  }

  @Override
  public void clear() {
    filter.clear();
  }

  @Override
  public long payloadSize() {
    return announced;
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    out.begin(announced);
    content.writeTo(out);
  }
}
