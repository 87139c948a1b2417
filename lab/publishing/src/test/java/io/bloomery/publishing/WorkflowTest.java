package io.bloomery.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Looks up in the tree which modules, profiles, tests and scripts the workflows and CONTRIBUTING.md
 * name: nobody runs all of their commands with each build.
 */
class WorkflowTest {

  private static final Path FOLDER = SourceTree.ROOT.resolve(".github/workflows");
  private static final Pattern PROFILE =
      Pattern.compile("<profile>.*?<id>(.*?)</id>", Pattern.DOTALL);

  /** Returns what is named by a text behind an option of Maven, in a list or in several. */
  private static List<String> named(String option, String text) {
    return Pattern.compile("(?<= )" + option + "([\\w./*,-]+)")
        .matcher(text)
        .results()
        .flatMap(found -> Stream.of(found.group(1).split(",", -1)))
        .toList();
  }

  private static List<String> missing(String text) throws IOException {
    Set<String> profiles = new TreeSet<>();
    Set<String> tests = new TreeSet<>();
    Set<String> modules = new TreeSet<>(SourceTree.modules());
    modules.add("");
    for (String module : modules) {
      PROFILE
          .matcher(SourceTree.pom(module))
          .results()
          .forEach(found -> profiles.add(found.group(1)));
      Path folder = SourceTree.ROOT.resolve(module).resolve("src/test/java");
      if (!module.isEmpty() && Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.forEach(file -> tests.add(file.getFileName().toString().replace(".java", "")));
        }
      }
    }
    List<String> missing = new ArrayList<>();
    missing.addAll(named("-pl ", text).stream().filter(name -> !modules.contains(name)).toList());
    missing.addAll(named("-P", text).stream().filter(name -> !profiles.contains(name)).toList());
    missing.addAll(
        named("-Dtest=", text).stream()
            .map(name -> name.replaceFirst(".*\\.", ""))
            .filter(
                name ->
                    tests.stream()
                        .noneMatch(Pattern.compile(name.replace("*", ".*")).asMatchPredicate()))
            .toList());
    Pattern.compile("(?<=[ `])(?:\\./|lab/)[\\w/-]+(?=[` \\n])")
        .matcher(text)
        .results()
        .map(found -> found.group())
        .filter(script -> !Files.exists(SourceTree.ROOT.resolve(script)))
        .forEach(missing::add);
    return missing;
  }

  @Test
  void whatCommandsNameIsThere() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(SourceTree.ROOT.resolve("CONTRIBUTING.md")));
    try (Stream<Path> workflows = Files.list(FOLDER)) {
      workflows.forEach(pages::add);
    }
    for (Path page : pages) {
      assertEquals(List.of(), missing(Files.readString(page)), page::toString);
    }
    String contributing = Files.readString(pages.get(0));
    assertTrue(named("-pl ", contributing).size() > 15, contributing);
    assertTrue(named("-Dtest=", contributing).size() > 10, contributing);
  }

  @Test
  void whatIsNotThereIsMissed() throws IOException {
    assertEquals(
        List.of("apis", "night", "NoTest", "./deploy"),
        missing(
            "mvn verify -Pnightly,night -pl api,apis -Dtest=LayersTest,NoTest && ./deploy now"));
  }

  @Test
  void everythingIsVerifiedOnEachSystemAndJava() throws IOException {
    String verify = Files.readString(FOLDER.resolve("verify.yml"));
    for (String part :
        List.of(
            "os: [ubuntu-latest, windows-latest, macos-latest]",
            "java: ['17', '25']",
            "mvn -B -ntp verify\n",
            "pull_request:")) {
      assertTrue(verify.contains(part), part);
    }
  }
}
