package io.bloomery.cli.session;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a file or stream is packed, recognised by its first bytes, and the commands that unpack it.
 *
 * @param what what it is, in words that follow its name
 * @param ofFile the command for a file, with FILE in place of its name
 * @param inPipe the command in a pipe, or empty if there is none
 */
public record Packing(String what, String ofFile, String inPipe) {

  /** How many of the first bytes show all there is to see. */
  public static final int HEAD = 64;

  /** The first bytes of something, of which some may not have arrived yet. */
  @FunctionalInterface
  public interface Head {

    /** Returns a byte, or a negative number if there are not that many. */
    int at(int index) throws IOException;
  }

  /**
   * The first bytes of a kind of file that no line of text starts with.
   *
   * @param bytes in hex; a dot matches any digit
   */
  public record Signature(String bytes, Packing packing) {

    public boolean begins(Head head) throws IOException {
      for (int i = 0; i < bytes.length() / 2; i++) {
        int next = head.at(i);
        String hex = bytes.substring(2 * i, 2 * i + 2);
        if (next < 0 || !String.format("%02x", next).matches(hex)) {
          return false;
        }
      }
      return true;
    }
  }

  private static final List<Signature> COMPRESSED =
      List.of(
          new Signature("1f8b08", compressed("gzip")),
          new Signature("fd377a585a00", compressed("xz")),
          new Signature("28b52ffd", compressed("zstd")),
          // BZh1 to BZh9, then the digits of pi in front of a block, or of its root if there is no
          // block.
          new Signature("425a683.314159265359", compressed("bzip2")),
          new Signature("425a683.177245385090", compressed("bzip2")),
          new Signature("04224d18", compressed("lz4")),
          new Signature("4c5a495001", compressed("lzip")),
          new Signature("894c5a4f000d0a1a0a", compressed("lzop")),
          new Signature(
              "5d0000....ffffffffffffffff",
              compressed("lzma", "xz -dc --format=lzma FILE", "xz -dc --format=lzma")),
          new Signature("1f9d", compressed("compress", "gzip -dc FILE", "gzip -dc")),
          // In a pipe, funzip unpacks only the first file of an archive.
          new Signature("504b0304", compressed("zip", "unzip -p FILE", "")),
          new Signature("504b0506", compressed("zip", "unzip -p FILE", "")),
          new Signature("377abcaf271c", compressed("7-Zip", "7z x -so FILE", "")));

  private static final Packing BASE64 =
      new Packing("looks like Base64", "base64 -d FILE", "base64 -d");

  private static final Packing BASE64_FOR_URLS =
      new Packing(
          "looks like Base64 for URLs", "basenc -d --base64url FILE", "basenc -d --base64url");

  /** The least length of a line that is taken for Base64: words are shorter. */
  private static final int MIN_BASE64 = 16;

  private static Packing compressed(String tool) {
    return compressed(tool, tool + " -dc FILE", tool + " -dc");
  }

  /** Returns a kind of compression. */
  public static Packing compressed(String how, String ofFile, String inPipe) {
    return new Packing("is compressed by " + how, ofFile, inPipe);
  }

  /** Returns the kind of compression, if it is one. */
  public static Optional<Packing> compression(Head head) throws IOException {
    for (Signature signature : COMPRESSED) {
      if (signature.begins(head)) {
        return Optional.of(signature.packing);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns how something that should be a filter, and is none, is packed, with a command that
   * unpacks it; empty if it is not known to be packed.
   *
   * @param name its name, or null for the standard input
   * @param mayBeBase64 whether Base64 is a packing, and not what such filters are made of
   */
  private static Optional<String> ofFilter(String name, Head head, boolean mayBeBase64)
      throws IOException {
    return compression(head)
        .or(() -> mayBeBase64 ? base64(head) : Optional.empty())
        .map(
            packing ->
                packing.what
                    + (name == null
                        ? "; unpack it first, in the pipe: "
                            + (packing.inPipe.isEmpty()
                                ? "from a file, '" + packing.ofFile + "'"
                                : "'... | " + packing.inPipe)
                            + " | bloomery ... -'"
                        : "; unpack it first, into a file or a pipe: '"
                            + packing.ofFile.replace("FILE", quoted(name))
                            + " | bloomery ... -'"));
  }

  /** Returns the same for a file; empty also if it cannot be read again. */
  public static Optional<String> ofFilter(Path file, boolean mayBeBase64) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(HEAD);
      return ofFilter(file.toString(), i -> i < bytes.length ? bytes[i] & 0xff : -1, mayBeBase64);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Throws if what was read from a stream, and is no filter, is packed.
   *
   * @param e why it is no filter
   */
  public static void refuse(Path stream, Head head, IOException e, boolean mayBeBase64)
      throws Failure, IOException {
    Optional<String> packed = ofFilter(null, head, mayBeBase64);
    if (packed.isPresent()) {
      throw Failure.input(stream.toString(), e, packed.get());
    }
  }

  /** Looks at the first line, as far as it is within the head. */
  private static Optional<Packing> base64(Head head) {
    StringBuilder line = new StringBuilder();
    try {
      for (int i = 0; i < HEAD && head.at(i) > ' '; i++) {
        line.append((char) head.at(i));
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    String text = line.toString();
    // Lines of hex are hashes.
    if (text.length() < MIN_BASE64 || text.matches("(?=.*[0-9])([0-9A-F]+|[0-9a-f]+)")) {
      return Optional.empty();
    }
    return text.matches("[A-Za-z0-9+/]+={0,2}")
        ? Optional.of(BASE64)
        : text.matches("[A-Za-z0-9_-]+={0,2}") ? Optional.of(BASE64_FOR_URLS) : Optional.empty();
  }

  /** Returns a name quoted for a shell. */
  public static String quoted(String file) {
    String name = file.startsWith("-") ? "./" + file : file;
    return name.matches("[A-Za-z0-9_./,:=@%+-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
  }
}
