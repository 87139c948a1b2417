package io.bloomery.publishing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The source tree that is tested. */
final class SourceTree {

  static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

  private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

  private SourceTree() {}

  /** Returns the modules that the root pom names, relative to the root. */
  static List<String> modules() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  static String pom(String module) throws IOException {
    return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
  }

  static boolean isPublished(String pom) {
    return !pom.contains("<maven.deploy.skip>true");
  }
}
