package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LayersTest {

  /** The packages of the command, each of which depends only on those after it. */
  private static final List<String> ORDER =
      List.of(
          "",
          "conformance",
          "dedupe",
          "filter",
          "redis",
          "foreign",
          "trial",
          "sizing",
          "input",
          "key",
          "option",
          "session");

  private static final Path SOURCES = Path.of("src/main/java/io/bloomery/cli");

  private static final Pattern PACKAGE =
      Pattern.compile("\\bio\\.bloomery\\.cli\\.(?:([a-z]+)\\.)?[A-Z]");

  private static final Pattern NAME = Pattern.compile("\\bio\\.bloomery((\\.[a-z]+)*)\\.[A-Z]");

  /** The command is like any other program, which can access only unqualified exports. */
  @Test
  void theCommandUsesOnlyWhatTheLibraryExports() throws IOException {
    Set<String> exported = new TreeSet<>();
    for (String module : List.of("api", "interop", "integrations/redis")) {
      Path descriptor = Path.of("..", module, "src/main/java/module-info.java");
      Matcher exports =
          Pattern.compile("exports (io\\.bloomery[a-z.]*);").matcher(Files.readString(descriptor));
      while (exports.find()) {
        exported.add(exports.group(1));
      }
    }
    assertTrue(exported.contains(Bloomery.class.getPackageName()), exported + "");
    // These are jars without modules, so all of their packages are accessible.
    Predicate<String> isOfJar =
        name -> name.matches("io\\.bloomery\\.(cli.*|window|conformance(\\.(?!internal)[a-z]+)?)");
    try (Stream<Path> paths = Files.walk(Path.of("src/main/java"))) {
      List<Path> sources = paths.filter(path -> path.toString().endsWith(".java")).toList();
      assertTrue(sources.size() >= 90, sources.size() + " sources");
      for (Path source : sources) {
        Matcher name = NAME.matcher(Files.readString(source));
        Set<String> used = new TreeSet<>();
        while (name.find()) {
          used.add("io.bloomery" + name.group(1));
        }
        used.removeIf(isOfJar.or(exported::contains));
        assertEquals(Set.of(), used, source::toString);
      }
    }
  }

  @Test
  void noPackageUsesOneBeforeIt() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < ORDER.size(); i++) {
      List<Path> sources = sources(ORDER.get(i));
      assertTrue(sources.size() <= 30, "files in " + ORDER.get(i) + ": " + sources.size());
      for (Path source : sources) {
        Matcher name = PACKAGE.matcher(Files.readString(source).replaceAll("(?s)/\\*.*?\\*/", ""));
        while (name.find()) {
          if (ORDER.indexOf(Objects.requireNonNullElse(name.group(1), "")) < i) {
            wrong.add(source + " uses " + name.group());
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void everyPackageHasItsPlace() throws IOException {
    try (Stream<Path> folders = Files.list(SOURCES)) {
      assertEquals(
          Set.copyOf(ORDER.subList(1, ORDER.size())),
          folders
              .filter(Files::isDirectory)
              .map(folder -> folder.getFileName().toString())
              .collect(Collectors.toSet()));
    }
  }

  private static List<Path> sources(String name) throws IOException {
    try (Stream<Path> files = Files.list(SOURCES.resolve(name))) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }
}
