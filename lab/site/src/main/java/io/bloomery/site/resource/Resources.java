package io.bloomery.site.resource;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files among the resources of this module. */
public final class Resources {

  private static final String FOLDER = "/io/bloomery/site/";

  private static final List<String> COPIED =
      List.of("site.css", "site.js", "search.js", "icon.svg", "sizing.js");

  private Resources() {}

  /** Returns the text of a resource. */
  public static String text(String name) throws IOException {
    try (InputStream in = Resources.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new FileNotFoundException(FOLDER + name + " must be on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Copies the resources that pages reference. */
  public static void copyTo(Path folder) throws IOException {
    for (String name : COPIED) {
      Files.writeString(folder.resolve(name), text(name));
    }
  }
}
