package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
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

  /**
   * Makes the header of a filter whose content lies elsewhere than in a file.
   *
   * @param payloadSize how many bytes the content has, a multiple of 8
   */
  public static FilterHeader of(
      String variant, FilterSpec spec, FilterLayout layout, long payloadSize) {
    return new FilterHeader(variant, spec, layout, payloadSize);
  }

  /**
   * Reads what {@link #toBytes} returned, or the first bytes of a file.
   *
   * @throws FilterFormatException if the bytes are not a header, or damaged, or more than that
   */
  public static FilterHeader ofBytes(byte[] bytes) throws FilterFormatException {
    if (bytes.length < HeaderFormat.PREFIX || HeaderFormat.length(bytes) != bytes.length) {
      throw new FilterFormatException(
          Math.min(bytes.length, HeaderFormat.PREFIX),
          "a header must be as long as it says, but has " + bytes.length + " bytes");
    }
    return HeaderFormat.decode(bytes);
  }

  /** Returns the bytes with which a file of this filter begins. */
  public byte[] toBytes() {
    return HeaderFormat.encode(this);
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
