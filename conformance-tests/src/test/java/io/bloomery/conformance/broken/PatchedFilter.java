package io.bloomery.conformance.broken;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Optional;

/** A filter that is right until a method is overridden. */
public class PatchedFilter implements MergeableFilter {

  protected final PatchedProvider provider;
  protected final MergeableFilter inner;
  protected final ThreadMode mode;

  public PatchedFilter(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
    this.provider = provider;
    this.inner = inner;
    this.mode = mode;
  }

  /**
   * Returns whether the table is larger than a KiB. Most rules also try one that is, and only they
   * see what goes wrong in large tables alone.
   */
  protected final boolean large() {
    return inner.payloadSize() > 1 << 10;
  }

  public static Filter unwrap(Filter filter) {
    return filter instanceof PatchedFilter patched ? patched.inner : filter;
  }

  @Override
  public boolean put(long hash) {
    return inner.put(hash);
  }

  @Override
  public boolean mightContain(long hash) {
    return inner.mightContain(hash);
  }

  @Override
  public FilterSpec spec() {
    return inner.spec();
  }

  @Override
  public FilterLimits limits() {
    return inner.limits();
  }

  @Override
  public String variant() {
    return inner.variant();
  }

  @Override
  public FilterLayout layout() {
    return inner.layout();
  }

  @Override
  public FilterStats stats() {
    return inner.stats();
  }

  @Override
  public FilterDescription description() {
    return inner.description();
  }

  @Override
  public Filter copy() {
    return provider.wrap((MergeableFilter) inner.copy(), mode);
  }

  @Override
  public void clear() {
    inner.clear();
  }

  @Override
  public long payloadSize() {
    return inner.payloadSize();
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    inner.writePayload(out);
  }

  @Override
  public void putAll(Filter other) {
    inner.putAll(unwrap(other));
  }

  @Override
  public Optional<String> incompatibility(Filter other) {
    return inner.incompatibility(unwrap(other));
  }

  @Override
  public String toString() {
    return inner.toString();
  }
}
