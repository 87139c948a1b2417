package io.bloomery.cli.input;

import io.bloomery.cli.session.Packing;
import java.io.IOException;
import java.util.Optional;

/**
 * A kind of input that is not lines of UTF-8, so that its keys would be garbage: recognised by its
 * first bytes, and rejected with a command that converts it to lines.
 *
 * @param what the problem, in words that follow the name of the input
 * @param ofFile the command for a file, with FILE in place of its name
 * @param inPipe the command in a pipe, or empty if there is none
 */
record Foreign(String what, String ofFile, String inPipe) {
  // decisions.md#what-is-no-text-of-lines-is-refused-with-the-pipe-that-makes-it-so-not-read

  private Foreign(Packing packing) {
    this(packing.what(), packing.ofFile(), packing.inPipe());
  }

  /** Returns whether it is a filter, which no command converts to lines. */
  boolean isFilter() {
    return what.equals(FILTER.packing().what());
  }

  /** Reports an input of this kind through code that throws only IOException. */
  static final class Found extends IOException {

    private static final long serialVersionUID = 1;

    private final transient Foreign foreign;

    Found(Foreign foreign) {
      super(foreign.what);
      this.foreign = foreign;
    }

    Foreign foreign() {
      return foreign;
    }
  }

  /** Lines with the line ends of old Macs; found while searching for line ends. */
  static final Foreign RETURNS =
      new Foreign(
          "has no LF, but CR, as if its lines ended with that",
          "tr '\\r' '\\n' <FILE",
          "tr '\\r' '\\n'");

  /**
   * A filter, recognised by the start of its header, up to a zero that no line of text has at that
   * place. The remedy depends on the command.
   */
  private static final Packing.Signature FILTER =
      new Packing.Signature(
          "424c4f4f4d455259..00", new Packing("is a filter, and not lines", "", ""));

  /** gzip within gzip, of which the outer one is read. */
  static final Foreign TWICE =
      new Foreign(Packing.compressed("gzip once more", "gzip -dc FILE", "gzip -dc"));

  private static final byte[] LITTLE_16 = {(byte) 0xff, (byte) 0xfe};
  private static final byte[] BIG_16 = {(byte) 0xfe, (byte) 0xff};
  private static final byte[] LITTLE_32 = {(byte) 0xff, (byte) 0xfe, 0, 0};
  private static final byte[] BIG_32 = {0, 0, (byte) 0xfe, (byte) 0xff};

  private static Foreign encoded(String encoding) {
    String command = "iconv -f " + encoding + " -t UTF-8";
    return new Foreign("is " + encoding + " and must be UTF-8", command + " FILE", command);
  }

  /** Returns the kind of a filter if the input is one. */
  static Optional<Foreign> filter(PeekingInput in) throws IOException {
    return FILTER.begins(in::peek) ? Optional.of(new Foreign(FILTER.packing())) : Optional.empty();
  }

  /** Returns the kind of compression if the input is compressed in an unsupported way. */
  static Optional<Foreign> compression(PeekingInput in) throws IOException {
    return Packing.compression(in::peek).map(Foreign::new);
  }

  /**
   * Returns the encoding if the characters of the input have two or four bytes, which is recognised
   * by a byte order mark with which UTF-8 never starts, or by ASCII with zeros in between.
   */
  static Optional<Foreign> encoding(PeekingInput in) throws IOException {
    if (in.startsWith(LITTLE_16)) {
      return Optional.of(encoded(in.startsWith(LITTLE_32) ? "UTF-32" : "UTF-16"));
    }
    if (in.startsWith(BIG_16)) {
      return Optional.of(encoded("UTF-16"));
    }
    if (in.startsWith(BIG_32)) {
      return Optional.of(encoded("UTF-32"));
    }
    if (isWide(in, 2, 0)) {
      return Optional.of(encoded("UTF-16LE"));
    }
    if (isWide(in, 2, 1)) {
      return Optional.of(encoded("UTF-16BE"));
    }
    if (isWide(in, 4, 0)) {
      return Optional.of(encoded("UTF-32LE"));
    }
    return isWide(in, 4, 3) ? Optional.of(encoded("UTF-32BE")) : Optional.empty();
  }

  /**
   * Returns whether the input starts with four characters, or with two or three and its end, each
   * with a non-zero byte at this place and zeros elsewhere.
   */
  private static boolean isWide(PeekingInput in, int width, int place) throws IOException {
    for (int i = 0; i < 4 * width; i++) {
      int next = in.peek(i);
      if (next == PeekingInput.END && i % width == 0 && i >= 2 * width) {
        return true;
      }
      boolean isEmptyLine = i == place && next == '\n'; // decided without waiting for more
      if (next == PeekingInput.END || isEmptyLine || (next != 0) != (i % width == place)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the error message for an input: the problem and the command.
   *
   * @param file its name, or null for the standard input
   * @param unpacked whether it was found within gzip
   */
  String words(String file, boolean unpacked) {
    if (file == null) {
      String command = unpacked ? "gzip -dc | " + inPipe : inPipe;
      return what
          + (inPipe.isEmpty()
              ? "; write it into a file, and use '" + ofFile + " | bloomery ... -'"
              : "; pipe it through '" + command + "' first");
    }
    String command = unpacked && !inPipe.isEmpty() ? "gzip -dc FILE | " + inPipe : ofFile;
    return what + "; use '" + command.replace("FILE", Packing.quoted(file)) + " | bloomery ... -'";
  }
}
