package io.bloomery.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a file is a filter that does not meet the caller's requirements: it has other keys,
 * is too large, or its variant is not installed or lacks an operation. Its content was not read.
 */
public class UnexpectedFilterException extends IOException {

  private static final long serialVersionUID = 1;

  /** The requirement that is not met. */
  public enum Reason {
    /** The kind of keys, their hash function or its seed. */
    KEYS,
    /** The form that is applied to keys before they are encoded as bytes. */
    KEY_FORM,
    /** The secret that keys are hashed with: a different one, or one on only one side. */
    SECRET,
    /**
     * The expected keys or the false-positive rate, if a filter of certain ones is to be opened.
     */
    PARAMETERS,
    /** The size: the content is larger than the limits allow. */
    SIZE,
    /** The variant: it is not installed, or does not support removal or merging. */
    VARIANT,
    /** The other filter, which this one cannot be merged with. */
    MERGE,
    /** The shard: not the one that the manifest of its folder names, or of another build. */
    SHARD
  }

  private final Reason reason;
  private final String detail;
  private final @Nullable String file;

  /**
   * Creates an exception.
   *
   * @param detail the requirement, the value found and the remedy
   */
  public UnexpectedFilterException(Reason reason, String detail) {
    super(detail);
    this.reason = Objects.requireNonNull(reason, "reason");
    this.detail = detail;
    this.file = null;
  }

  private UnexpectedFilterException(Path path, UnexpectedFilterException cause) {
    super(path + ": " + cause.detail, cause);
    this.reason = cause.reason;
    this.detail = cause.detail;
    this.file = path.toString();
  }

  /** Returns a copy of this exception whose message names the file. */
  public UnexpectedFilterException in(Path path) {
    return new UnexpectedFilterException(path, this);
  }

  /** Returns the requirement that is not met. */
  public Reason reason() {
    return reason;
  }

  /** Returns the message without the file: the requirement, the value found and the remedy. */
  public String detail() {
    return detail;
  }

  /** Returns the file, if the message names it. */
  public Optional<String> file() {
    return Optional.ofNullable(file);
  }
}
