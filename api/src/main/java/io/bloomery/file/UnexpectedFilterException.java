package io.bloomery.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Thrown when a file is a filter, but not one that was asked for: of other keys, too large, or of a
 * variant that is not installed or cannot do what is wanted. Its content was not looked at.
 */
public class UnexpectedFilterException extends IOException {

  private static final long serialVersionUID = 1;

  /** What is not as it was asked for. */
  public enum Reason {
    /** The kind of keys, their hash function or its seed. */
    KEYS,
    /** The form that keys are brought into before they become bytes. */
    KEY_FORM,
    /** The secret that keys are hashed with: another one, or one where there is none. */
    SECRET,
    /** The size: the content is larger than the limits allow. */
    SIZE,
    /** The variant: it is not installed, or cannot remove or merge. */
    VARIANT,
    /** Another filter, which this one cannot be merged with. */
    MERGE,
    /** The shard: another one, or of another build, than the manifest of its folder names. */
    SHARD
  }

  private final Reason reason;

  /** Makes an exception whose message says what must hold, what is there and what to do. */
  public UnexpectedFilterException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  private UnexpectedFilterException(Path path, UnexpectedFilterException cause) {
    super(path + ": " + cause.getMessage(), cause);
    this.reason = cause.reason;
  }

  UnexpectedFilterException in(Path path) {
    return new UnexpectedFilterException(path, this);
  }

  /** Returns what is not as it was asked for. */
  public Reason reason() {
    return reason;
  }
}
