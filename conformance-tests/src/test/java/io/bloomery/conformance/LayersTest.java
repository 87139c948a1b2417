package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LayersTest {

  /** The packages of the suite, each of which uses only those behind it. */
  private static final List<String> ORDER =
      List.of(
          "report",
          "hostile",
          "",
          "internal.rules",
          "internal.check",
          "run",
          "internal.kit",
          "internal.cases",
          "statistics");

  private static final int MAX_FILES = 30;

  private static final Path SOURCES = Path.of("src/main/java/io/bloomery/conformance");

  private static final Pattern NAME =
      Pattern.compile("\\bio\\.bloomery\\.conformance\\.((?:[a-z]+\\.)*)[A-Z]");

  @Test
  void noPackageUsesOneBeforeIt() throws IOException {
    List<String> wrong = new ArrayList<>();
    int names = 0;
    for (int i = 0; i < ORDER.size(); i++) {
      for (Path source : sources(folder(ORDER.get(i)))) {
        Matcher name = NAME.matcher(withoutComments(Files.readString(source)));
        for (; name.find(); names++) {
          String used = name.group(1).replaceFirst("\\.$", "");
          if (ORDER.indexOf(used) < i) {
            wrong.add(source + " uses " + name.group());
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(names > 200, "only " + names + " names were looked at");
  }

  @Test
  void everyPackageHasItsPlaceAndRoom() throws IOException {
    TreeSet<String> packages = new TreeSet<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path folder : files.filter(Files::isDirectory).toList()) {
        int size = sources(folder).size();
        if (size > 0) {
          packages.add(SOURCES.relativize(folder).toString().replace('/', '.').replace('\\', '.'));
          assertTrue(size <= MAX_FILES, () -> size + " files in " + folder);
        }
      }
    }
    assertEquals(new TreeSet<>(ORDER), packages);
  }

  private static Path folder(String name) {
    return SOURCES.resolve(name.replace('.', '/'));
  }

  private static List<Path> sources(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> Objects.toString(file.getFileName()).endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .toList();
    }
  }

  private static String withoutComments(String source) {
    return source.replaceAll("(?s)/\\*.*?\\*/", "");
  }
}
