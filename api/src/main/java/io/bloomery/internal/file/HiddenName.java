package io.bloomery.internal.file;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/** The names of the hidden files beside a file: {@code .NAME} and an end that says what it is. */
final class HiddenName {
  /** The maximum length of NAME, so that every file system accepts the whole name. */
  private static final int MAX_LENGTH = 80;

  private HiddenName() {}

  /**
   * Returns the path of a hidden file. A name that is long or not of ASCII alone is represented by
   * its CRC-32C, the same in every process: in the locale C of a container, Java lists names that
   * it cannot write.
   *
   * @param end ASCII
   */
  static Path beside(Path file, String end) {
    String name = String.valueOf(file.getFileName());
    boolean fits = name.length() <= MAX_LENGTH && name.chars().allMatch(c -> c <= 0x7f);
    return file.resolveSibling("." + (fits ? name : checksum(file)) + end);
  }

  // A URI has the bytes of a name, whatever the locale.
  private static String checksum(Path file) {
    String uri = file.toUri().toString();
    CRC32C crc = new CRC32C();
    crc.update(uri.substring(uri.lastIndexOf('/') + 1).getBytes(StandardCharsets.US_ASCII));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
