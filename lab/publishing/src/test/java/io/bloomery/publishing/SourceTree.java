package io.bloomery.publishing;

import java.nio.file.Path;

/** The source tree that is tested. */
final class SourceTree {

  static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

  private SourceTree() {}
}
