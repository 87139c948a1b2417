package io.bloomery.filter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown when bytes are not a filter, are corrupt, or have an unsupported format. */
public class FilterFormatException extends IOException {

  private static final long serialVersionUID = 1;

  /** What is wrong with the bytes. */
  public enum Reason {
    /** They do not begin as a filter does. */
    NOT_A_FILTER,
    /**
     * They are another kind of file of Bloomery, such as a window; the message says how to open it.
     */
    OTHER_KIND,
    /** Their format has a version that this release does not read. */
    UNSUPPORTED_VERSION,
    /** They end before the filter does, or there are none. */
    TRUNCATED,
    /** More bytes follow behind the end of the filter. */
    TRAILING_BYTES,
    /**
     * They are a live filter that is open for writing, or was when its writer ended: its checksums
     * are not made yet.
     */
    OPEN_FOR_WRITING,
    /** They differ from their checksum. */
    DAMAGED,
    /** A value of the header or the content is one that no filter has. */
    INVALID
  }

  private final Reason reason;
  private final long offset;
  private final String detail;
  private final @Nullable String file;

  /**
   * Creates an exception about the byte at {@code offset}, counted from the start of the filter.
   *
   * @param detail the requirement and the value found
   */
  public FilterFormatException(Reason reason, long offset, String detail) {
    this(reason, offset, detail, null, null);
  }

  /**
   * Creates an exception about an {@linkplain Reason#INVALID invalid} value that was rejected, with
   * the message of the rejection if it has one.
   */
  public FilterFormatException(long offset, RuntimeException refusal) {
    this(
        Reason.INVALID,
        offset,
        Objects.requireNonNullElse(refusal.getMessage(), refusal.toString()),
        null,
        refusal);
  }

  private FilterFormatException(
      Reason reason, long offset, String detail, @Nullable String file, @Nullable Throwable cause) {
    super((file == null ? "" : file + ": ") + "byte " + offset + ": " + detail, cause);
    this.reason = Objects.requireNonNull(reason, "reason");
    this.offset = offset;
    this.detail = detail;
    this.file = file;
  }

  /** Returns a copy of this exception whose message names the file. */
  public FilterFormatException in(Path path) {
    return new FilterFormatException(reason, offset, detail, path.toString(), this);
  }

  /** Returns what is wrong with the bytes. */
  public Reason reason() {
    return reason;
  }

  /** Returns the message without file and offset: the requirement and the value found. */
  public String detail() {
    return detail;
  }

  /** Returns the file, if the message names it. */
  public Optional<String> file() {
    return Optional.ofNullable(file);
  }

  /** Returns the offset of the fault in the bytes of the filter. */
  public long offset() {
    return offset;
  }
}
