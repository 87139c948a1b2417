package io.bloomery.benchmarks.report;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The versions of the participating libraries. */
final class Libraries {

  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[\\w.-]*)\\.jar");

  /** The jars whose filters take part, and that of ours that they are compared with. */
  private static final Set<String> NAMES =
      Set.of(
          "bloomery-api",
          "commons-collections4",
          "datasketches-java",
          "fastfilter",
          "guava",
          "hive-storage-api",
          "parquet-column",
          "spark-sketch_2.13");

  private Libraries() {}

  /** Returns the version of each of them on a class path. */
  static Map<String, String> of(String classPath) {
    Map<String, String> versions = new TreeMap<>();
    Arrays.stream(classPath.split(File.pathSeparator))
        .map(Path::of)
        .map(jar -> JAR.matcher(String.valueOf(jar.getFileName())))
        .filter(name -> name.matches() && NAMES.contains(name.group(1)))
        .forEach(name -> versions.put(name.group(1), name.group(2)));
    return versions;
  }
}
