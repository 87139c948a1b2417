package io.bloomery.guard;

import io.bloomery.internal.file.BootNumber;
import io.bloomery.internal.file.FileReplacement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of the file in a folder that a guard's filter is kept in, as told by a file of one line.
 *
 * @param file the name
 * @param boot the number of the run of the system in which it was kept
 * @param began when its filling began
 */
record KeptName(String file, long boot, Instant began) {

  private static final Pattern LINE =
      Pattern.compile(
          "bloomery-guard 1 (filter-[0-9a-f]{16}\\.live) ([0-9a-f]{16}) ([0-9]{1,15})\n");

  private static final int LONGEST = 200;

  KeptName(String file, Instant began) {
    this(file, BootNumber.current(), began);
  }

  /** Returns whether all that was written to a mapped file since then is in it. */
  boolean isOfThisBoot() {
    return boot != BootNumber.UNKNOWN && boot == BootNumber.current();
  }

  /**
   * Reads a name.
   *
   * @return empty if there is no such file
   * @throws IOException if the file cannot be read, or was written by something else
   */
  static Optional<KeptName> read(Path path) throws IOException {
    String line;
    try {
      line = Files.size(path) > LONGEST ? "" : Files.readString(path, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IOException(path + " must be a line that a guard wrote, but is not");
    }
    return Optional.of(
        new KeptName(
            parts.group(1),
            HexFormat.fromHexDigitsToLong(parts.group(2)),
            Instant.ofEpochMilli(Long.parseLong(parts.group(3)))));
  }

  /** Writes this name, in place of another one, atomically and durably. */
  void write(Path path) throws IOException {
    String line =
        "bloomery-guard 1 "
            + file
            + " "
            + HexFormat.of().toHexDigits(boot)
            + " "
            + began.toEpochMilli()
            + "\n";
    FileReplacement.replace(path, out -> out.write(line.getBytes(StandardCharsets.ISO_8859_1)));
  }
}
