package io.bloomery.file;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.LiveControl;
import io.bloomery.internal.file.LiveControl.Malformed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The envelope of a filter behind the control of a live file. */
final class LiveEnvelope {

  private LiveEnvelope() {}

  /**
   * Skips the control of a live file.
   *
   * @return its control; empty if it is another file
   * @throws FilterFormatException if the control is damaged, or that of something else than a
   *     filter
   */
  static Optional<LiveControl> skip(FileInput in) throws IOException {
    try {
      Optional<LiveControl> control = in.skipControl();
      if (control.isPresent()) {
        checkKind(control.get());
      }
      return control;
    } catch (Malformed e) {
      throw malformed(e);
    }
  }

  /** Reads a control from the first bytes of a file. */
  static LiveControl decode(ByteBuffer in) throws FilterFormatException {
    byte[] bytes = new byte[in.limit()];
    in.get(0, bytes);
    try {
      LiveControl control = LiveControl.decode(bytes);
      checkKind(control);
      return control;
    } catch (Malformed e) {
      throw malformed(e);
    }
  }

  private static void checkKind(LiveControl control) throws FilterFormatException {
    if (control.kind() != LiveControl.FILTER) {
      throw new FilterFormatException(
          Reason.OTHER_KIND,
          0,
          control.kind() == LiveControl.WINDOW
              ? "a live window, not a filter: open it by SlidingBloomFilter of bloomery-window"
              : "not a live filter, but a live file of kind "
                  + control.kind()
                  + "; open it with what wrote it");
    }
  }

  /** Checks that the header of an envelope agrees with the control before it. */
  static void check(LiveControl control, FilterHeader header) throws FilterFormatException {
    if (control.contentSize() != header.serializedSize()) {
      throw new FilterFormatException(
          Reason.INVALID,
          LiveControl.SIZE,
          "filter must fill the "
              + control.contentSize()
              + " bytes of its live file, but has "
              + header.serializedSize());
    }
  }

  /**
   * Checks that a file, if it is a live one, is sealed, which says that its checksums are those of
   * its content, and as long as its control says.
   */
  static void checkSealed(Optional<LiveControl> control, long contentSize)
      throws FilterFormatException {
    if (control.isEmpty()) {
      return;
    }
    if (control.get().state().isOpen()) {
      throw open(LiveState.of(control.get()).toString());
    }
    long size = control.get().contentSize();
    if (contentSize != size) {
      throw new FilterFormatException(
          contentSize < size ? Reason.TRUNCATED : Reason.INVALID,
          LiveControl.SIZE + Math.min(contentSize, size),
          "live file must have " + size + " bytes after its control, but has " + contentSize);
    }
  }

  /**
   * Returns why a file could not be read: that it was opened for writing meanwhile, if it was, or
   * the failure.
   */
  static FilterFormatException orOpened(FilterFormatException failure, FileInput in) {
    return in.isOpenedSince() ? open("opened for writing while it was read") : failure;
  }

  private static FilterFormatException open(String state) {
    return new FilterFormatException(
        Reason.OPEN_FOR_WRITING,
        0,
        "must be sealed to be read as a whole, but is "
            + state
            + "; it can be mapped now, and read once it is closed");
  }

  static FilterFormatException malformed(Malformed e) {
    Reason reason =
        switch (e.flaw()) {
          case NOT_LIVE -> Reason.NOT_A_FILTER;
          case VERSION -> Reason.UNSUPPORTED_VERSION;
          case TRUNCATED -> Reason.TRUNCATED;
          case DAMAGED -> Reason.DAMAGED;
          case INVALID -> Reason.INVALID;
        };
    return new FilterFormatException(reason, e.offset(), e.reason());
  }
}
