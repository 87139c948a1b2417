package io.bloomery.benchmarks.report;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The versions of the participating libraries. */
final class Libraries {

  private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[\\w.-]*)\\.jar");

  private Libraries() {}

  /** Returns the version of each jar on a class path whose name contains one. */
  static Map<String, String> of(String classPath) {
    Map<String, String> versions = new TreeMap<>();
    Arrays.stream(classPath.split(File.pathSeparator))
        .map(Path::of)
        .map(jar -> JAR.matcher(String.valueOf(jar.getFileName())))
        .filter(Matcher::matches)
        .forEach(name -> versions.put(name.group(1), name.group(2)));
    return versions;
  }
}
