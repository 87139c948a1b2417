package io.bloomery.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The library versions in the parent POM. */
final class Versions {

  private static final Properties PINNED = new Properties();

  static {
    try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
      PINNED.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Versions() {}

  /** Returns {@code artifact:version}, with the version of a library. */
  static String coordinates(String artifact, String library) {
    return artifact + ":" + PINNED.getProperty(library);
  }
}
