package io.bloomery.cli.input;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What an input may be instead of lines of UTF-8, so that its keys would be garbage: known by its
 * first bytes, and refused with the command that makes lines of it.
 *
 * @param what what is wrong, with the name of the input before it
 * @param ofFile the command for a file, whose name stands in it as FILE
 * @param inPipe the command in a pipe, or empty if there is none
 */
record Foreign(String what, String ofFile, String inPipe) {

  /** Returns whether it is a filter, which no command makes lines of. */
  boolean isFilter() {
    return equals(FILTER.foreign);
  }

  /** Says on the way through what only knows streams that an input is of this kind. */
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

  /** Lines that end as those of old Macs did; found where lines are looked for. */
  static final Foreign RETURNS =
      new Foreign(
          "has no LF, but CR, as if its lines ended with that",
          "tr '\\r' '\\n' <FILE",
          "tr '\\r' '\\n'");

  /**
   * A filter, by how the header of one begins, up to a zero that no line of text has there: what to
   * do instead depends on the command.
   */
  private static final Signature FILTER =
      new Signature("424c4f4f4d455259..00", new Foreign("is a filter, and not lines", "", ""));

  /** gzip within gzip; the outer one is read. */
  static final Foreign TWICE = compressed("gzip once more", "gzip -dc FILE", "gzip -dc");

  /**
   * How a kind of compressed file begins; no line of text does.
   *
   * @param bytes in hex; a dot is any digit
   */
  private record Signature(String bytes, Foreign foreign) {

    boolean begins(PeekingInput in) throws IOException {
      for (int i = 0; i < bytes.length() / 2; i++) {
        int next = in.peek(i);
        String hex = bytes.substring(2 * i, 2 * i + 2);
        if (next == PeekingInput.END || !String.format("%02x", next).matches(hex)) {
          return false;
        }
      }
      return true;
    }
  }

  private static final List<Signature> COMPRESSED =
      List.of(
          new Signature("fd377a585a00", compressed("xz")),
          new Signature("28b52ffd", compressed("zstd")),
          // BZh1 to BZh9, and the digits of pi in front of a block, or of its root where none is.
          new Signature("425a683.314159265359", compressed("bzip2")),
          new Signature("425a683.177245385090", compressed("bzip2")),
          new Signature("04224d18", compressed("lz4")),
          new Signature("4c5a495001", compressed("lzip")),
          new Signature("894c5a4f000d0a1a0a", compressed("lzop")),
          new Signature(
              "5d0000....ffffffffffffffff",
              compressed("lzma", "xz -dc --format=lzma FILE", "xz -dc --format=lzma")),
          new Signature("1f9d", compressed("compress", "gzip -dc FILE", "gzip -dc")),
          // In a pipe, funzip unpacks the first file of an archive and leaves out all others.
          new Signature("504b0304", compressed("zip", "unzip -p FILE", "")),
          new Signature("504b0506", compressed("zip", "unzip -p FILE", "")),
          new Signature("377abcaf271c", compressed("7-Zip", "7z x -so FILE", "")));

  private static final byte[] LITTLE_16 = {(byte) 0xff, (byte) 0xfe};
  private static final byte[] BIG_16 = {(byte) 0xfe, (byte) 0xff};
  private static final byte[] LITTLE_32 = {(byte) 0xff, (byte) 0xfe, 0, 0};
  private static final byte[] BIG_32 = {0, 0, (byte) 0xfe, (byte) 0xff};

  private static Foreign compressed(String tool) {
    return compressed(tool, tool + " -dc FILE", tool + " -dc");
  }

  private static Foreign compressed(String how, String ofFile, String inPipe) {
    return new Foreign("is compressed by " + how, ofFile, inPipe);
  }

  private static Foreign encoded(String encoding) {
    String command = "iconv -f " + encoding + " -t UTF-8";
    return new Foreign("is " + encoding + " and must be UTF-8", command + " FILE", command);
  }

  /** Looks whether an input is a filter. */
  static Optional<Foreign> filter(PeekingInput in) throws IOException {
    return FILTER.begins(in) ? Optional.of(FILTER.foreign) : Optional.empty();
  }

  /** Looks whether an input is compressed in a way that is not read here. */
  static Optional<Foreign> compression(PeekingInput in) throws IOException {
    for (Signature signature : COMPRESSED) {
      if (signature.begins(in)) {
        return Optional.of(signature.foreign);
      }
    }
    return Optional.empty();
  }

  /**
   * Looks whether an input of lines has characters of two or four bytes: by its byte order mark,
   * which UTF-8 never begins with, or by ASCII with zeros between.
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

  /** Four characters, or two and the end, each a byte at this place and zeros besides. */
  private static boolean isWide(PeekingInput in, int width, int place) throws IOException {
    for (int i = 0; i < 4 * width; i++) {
      int next = in.peek(i);
      if (next == PeekingInput.END && i % width == 0 && i >= 2 * width) {
        return true;
      }
      boolean isEmptyLine = i == place && next == '\n'; // which must not wait for what follows
      if (next == PeekingInput.END || isEmptyLine || (next != 0) != (i % width == place)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns what to say of an input: what is wrong, and the command.
   *
   * @param file its name, or null if it is the standard input
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
    return what + "; use '" + command.replace("FILE", quoted(file)) + " | bloomery ... -'";
  }

  /** Returns a name as a shell understands it. */
  private static String quoted(String file) {
    String name = file.startsWith("-") ? "./" + file : file;
    return name.matches("[A-Za-z0-9_./,:=@%+-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
  }
}
