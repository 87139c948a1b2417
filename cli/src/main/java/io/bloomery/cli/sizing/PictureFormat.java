package io.bloomery.cli.sizing;

import io.bloomery.cli.session.Failure;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a picture is written, as the name of its file says. */
enum PictureFormat {
  PNG,
  SVG;

  /**
   * Returns the format of a file that is to be made.
   *
   * @throws Failure if its name ends in no format that is known
   */
  static PictureFormat of(Path file) throws Failure {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    for (PictureFormat format : values()) {
      if (name.endsWith(format.ending())) {
        return format;
      }
    }
    throw Failure.usage(
        "a picture's name must end in "
            + Arrays.stream(values()).map(PictureFormat::ending).collect(Collectors.joining(" or "))
            + ", but was '"
            + file
            + "'; name it so, or leave out -o for a drawing with letters");
  }

  private String ending() {
    return "." + name().toLowerCase(Locale.ROOT);
  }
}
