package io.bloomery.benchmarks.paired;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Another build of Bloomery, such as that of an earlier commit: what a change costs is seen beside
 * it, in the same rounds.
 *
 * @param root the root of a checkout whose modules are compiled
 */
public record OtherBuild(Path root) {

  private static final Pattern JAR = Pattern.compile("bloomery-([a-z-]+?)-\\d.*\\.jar");
  private static final Path CLASSES = Path.of("target", "classes");
  private static final String BENCHMARKS = "benchmarks";

  /**
   * Returns what this build has in place of an entry of the class path: the entry itself if it is
   * another library, or the benchmarks, which are the same for both.
   *
   * @throws IllegalArgumentException if it is a module that is not compiled here
   */
  Path inPlaceOf(Path entry) {
    String module = module(entry);
    if (module.isEmpty() || module.equals(BENCHMARKS)) {
      return entry;
    }
    Path classes = root.resolve(module).resolve(CLASSES);
    if (!Files.isDirectory(classes)) {
      throw new IllegalArgumentException(
          "the other build must be compiled, but has no "
              + classes
              + "; run mvn -DskipTests package in it");
    }
    return classes;
  }

  /** Returns the module that an entry is of, or an empty name if it is not ours. */
  private static String module(Path entry) {
    Matcher jar = JAR.matcher(String.valueOf(entry.getFileName()));
    if (jar.matches()) {
      return jar.group(1);
    }
    Path module = entry.endsWith(CLASSES) ? entry.getParent().getParent() : null;
    return module == null ? "" : String.valueOf(module.getFileName());
  }
}
