package io.bloomery.cli.sizing;

import io.bloomery.cli.session.Failure;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The file formats of pictures, selected by the extension of the file name. */
enum PictureFormat {
  PNG,
  SVG;

  /**
   * Returns the format of a file to write.
   *
   * @throws Failure if its name has no known extension
   */
  static PictureFormat of(Path file) throws Failure {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    for (PictureFormat format : values()) {
      if (name.endsWith(format.ending())) {
        return format;
      }
    }
    throw Failure.usage(
        "a picture's name must end in %s, but was '%s'; name it so, or leave out -o for a"
            + " drawing with letters",
        Arrays.stream(values()).map(PictureFormat::ending).collect(Collectors.joining(" or ")),
        file);
  }

  private String ending() {
    return "." + name().toLowerCase(Locale.ROOT);
  }
}
