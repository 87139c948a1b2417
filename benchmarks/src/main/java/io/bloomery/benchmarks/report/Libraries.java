package io.bloomery.benchmarks.report;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions of the libraries that took part. */
final class Libraries {

  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[\\w.-]*)\\.jar");

  private Libraries() {}

  /** Returns what a class path names. */
  static List<Path> jars(String classPath) {
    return Arrays.stream(classPath.split(File.pathSeparator)).map(Path::of).toList();
  }

  /** Returns the version of each jar on a class path that has one in its name. */
  static Map<String, String> of(String classPath) {
    Map<String, String> versions = new TreeMap<>();
    jars(classPath).stream()
        .map(jar -> JAR.matcher(String.valueOf(jar.getFileName())))
        .filter(Matcher::matches)
        .forEach(name -> versions.put(name.group(1), name.group(2)));
    return versions;
  }
}
