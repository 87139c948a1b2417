package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.file.LiveControl;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The header of a filter's file: its variant, specification, layout and size, available without
 * reading the content.
 */
public final class FilterHeader {

  private final String variant;
  private final FilterSpec spec;
  private final FilterLayout layout;
  private final long payloadSize;
  private final @Nullable LiveState live; // null unless read from a live file

  FilterHeader(String variant, FilterSpec spec, FilterLayout layout, long payloadSize) {
    this(variant, spec, layout, payloadSize, null);
  }

  private FilterHeader(
      String variant,
      FilterSpec spec,
      FilterLayout layout,
      long payloadSize,
      @Nullable LiveState live) {
    this.variant = variant;
    this.spec = spec;
    this.layout = layout;
    this.payloadSize = payloadSize;
    this.live = live;
  }

  /** Returns this header as read from a live file. */
  FilterHeader live(LiveControl control) throws FilterFormatException {
    LiveEnvelope.check(control, this);
    return new FilterHeader(variant, spec, layout, payloadSize, LiveState.of(control));
  }

  static FilterHeader of(StoredFilter filter, long payloadSize) {
    return new FilterHeader(filter.variant(), filter.spec(), filter.layout(), payloadSize);
  }

  /**
   * Returns the header of a filter whose content is not stored in a file.
   *
   * @param payloadSize the size of the content in bytes, a multiple of 8
   */
  public static FilterHeader of(
      String variant, FilterSpec spec, FilterLayout layout, long payloadSize) {
    return new FilterHeader(variant, spec, layout, payloadSize);
  }

  /**
   * Reads what {@link #toBytes} returned, or the first bytes of a file.
   *
   * @throws FilterFormatException if the bytes are not a header, are corrupt, or are followed by
   *     others
   */
  public static FilterHeader ofBytes(byte[] bytes) throws FilterFormatException {
    if (bytes.length < HeaderFormat.PREFIX || HeaderFormat.length(bytes) != bytes.length) {
      throw new FilterFormatException(
          Reason.INVALID,
          Math.min(bytes.length, HeaderFormat.PREFIX),
          "a header must be as long as it says, but has " + bytes.length + " bytes");
    }
    return HeaderFormat.decode(bytes);
  }

  /** Returns the serialised header, with which a file of this filter begins. */
  public byte[] toBytes() {
    return HeaderFormat.encode(this);
  }

  /** Returns the name of the variant, which need not be installed. */
  public String variant() {
    return variant;
  }

  /** Returns the specification that the filter was created for, with its attributes. */
  public FilterSpec spec() {
    return spec;
  }

  /** Returns the layout, whose numbers are unchecked. */
  public FilterLayout layout() {
    return layout;
  }

  /** Returns the size of the content in bytes, as {@link Filter#payloadSize} does. */
  public long payloadSize() {
    return payloadSize;
  }

  /** Returns the state of the live file that this was read from; empty if it is no live file. */
  public Optional<LiveState> live() {
    return Optional.ofNullable(live);
  }

  /** Returns the total size in bytes of header, content and checksums. */
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
