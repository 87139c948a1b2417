package io.bloomery.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the golden files of the current version into a folder. No build runs this: once version 1
 * is frozen, its files are never written again. Until then: compile the tests of this module, and
 * run this class with the folder {@code docs/golden/version-1}.
 */
final class WriteGoldenFiles {

  private WriteGoldenFiles() {}

  public static void main(String... args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args[0]));
    for (GoldenFile file : GoldenFile.all()) {
      Files.write(folder.resolve(file.name() + ".bloom"), file.bytes());
      Files.writeString(folder.resolve(file.name() + ".tsv"), file.table());
    }
  }
}
