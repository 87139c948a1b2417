package io.bloomery.conformance.broken;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;

/**
 * A filter that does what another one does until a method is overridden.
 *
 * @param <F> the type of the other one
 */
public abstract class ForwardingFilter<F extends Filter> implements Filter {

  /** Returns the other filter. */
  protected abstract F inner();

  @Override
  public boolean put(long hash) {
    return inner().put(hash);
  }

  @Override
  public boolean mightContain(long hash) {
    return inner().mightContain(hash);
  }

  @Override
  public FilterSpec spec() {
    return inner().spec();
  }

  @Override
  public FilterLimits limits() {
    return inner().limits();
  }

  @Override
  public String variant() {
    return inner().variant();
  }

  @Override
  public FilterLayout layout() {
    return inner().layout();
  }

  @Override
  public FilterStats stats() {
    return inner().stats();
  }

  @Override
  public FilterDescription description() {
    return inner().description();
  }

  @Override
  public Filter copy() {
    return inner().copy();
  }

  @Override
  public void clear() {
    inner().clear();
  }

  @Override
  public long payloadSize() {
    return inner().payloadSize();
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    inner().writePayload(out);
  }
}
