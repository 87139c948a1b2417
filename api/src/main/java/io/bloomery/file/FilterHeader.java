package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;

/**
 * What the first bytes of a filter's file say of it, before its content is looked at: its variant,
 * what was asked for, its layout and its size.
 */
public final class FilterHeader {

  private final String variant;
  private final FilterSpec spec;
  private final FilterLayout layout;
  private final long payloadSize;

  FilterHeader(String variant, FilterSpec spec, FilterLayout layout, long payloadSize) {
    this.variant = variant;
    this.spec = spec;
    this.layout = layout;
    this.payloadSize = payloadSize;
  }

  static FilterHeader of(Filter filter, long payloadSize) {
    return new FilterHeader(filter.variant(), filter.spec(), filter.layout(), payloadSize);
  }

  /** Returns the kind of filter, which need not be installed. */
  public String variant() {
    return variant;
  }

  /** Returns what was asked for when the filter was created, with its attributes. */
  public FilterSpec spec() {
    return spec;
  }

  /** Returns the layout, whose numbers were not checked. */
  public FilterLayout layout() {
    return layout;
  }

  /** Returns how many bytes the content has, as {@link Filter#payloadSize}. */
  public long payloadSize() {
    return payloadSize;
  }

  /** Returns how many bytes all of it has: header, content and checksums. */
  public long serializedSize() {
    return headerSize() + payloadSize + Trailer.size(payloadSize);
  }

  int headerSize() {
    return HeaderFormat.size(this);
  }

  @Override
  public String toString() {
    return variant + layout + " for " + spec;
  }
}
