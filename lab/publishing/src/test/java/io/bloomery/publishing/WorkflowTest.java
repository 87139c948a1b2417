package io.bloomery.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Looks up in the tree what the steps of workflows run, and the commands of CONTRIBUTING.md. */
class WorkflowTest {

  private static final Path FOLDER = SourceTree.ROOT.resolve(".github/workflows");
  private static final Pattern MATRIX = Pattern.compile("\\$\\{\\{ matrix\\.([a-z]+) }}");

  private static Map<?, ?> read(String name) throws IOException {
    LoadSettings strict = LoadSettings.builder().setAllowDuplicateKeys(false).build();
    return (Map<?, ?>) new Load(strict).loadFromString(Files.readString(FOLDER.resolve(name)));
  }

  private static List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static Object at(Object tree, String... keys) {
    Object at = tree;
    for (String key : keys) {
      at = at == null ? null : ((Map<?, ?>) at).get(key);
    }
    return at;
  }

  /**
   * Returns each command that the steps of a workflow run, for each word of the matrix it takes.
   */
  private static List<String> commands(Map<?, ?> workflow) {
    List<String> commands = new ArrayList<>();
    for (Object job : ((Map<?, ?>) workflow.get("jobs")).values()) {
      for (Object step : (List<?>) at(job, "steps")) {
        Optional.ofNullable((String) at(step, "run")).stream()
            .flatMap(run -> Stream.of(run.split(" && ", -1)))
            .forEach(
                command -> commands.addAll(inEachCell(command, at(job, "strategy", "matrix"))));
      }
    }
    return commands;
  }

  private static List<String> inEachCell(String run, Object matrix) {
    Matcher variable = MATRIX.matcher(run);
    if (!variable.find()) {
      return List.of(run);
    }
    return ((List<?>) at(matrix, variable.group(1)))
        .stream().map(value -> run.replace(variable.group(), value.toString())).toList();
  }

  /** Returns what a command names that is not there. */
  private static List<String> missing(String command) throws IOException {
    List<String> missing = new ArrayList<>();
    String root = Files.readString(SourceTree.ROOT.resolve("pom.xml"));
    List<String> words = List.of(command.split(" ", -1));
    String program = words.get(0);
    if (program.startsWith("./")) {
      Path script = SourceTree.ROOT.resolve(program);
      if (!Files.isExecutable(script)) {
        missing.add(program);
      } else {
        String text = Files.readString(script);
        words.stream()
            .skip(1)
            .filter(word -> word.startsWith("-") && !text.contains(word + ")"))
            .forEach(missing::add);
      }
      return missing;
    }
    if (program.equals("apt-get")) {
      // Of the image that the step runs in, which is not here.
      return List.of();
    }
    if (!program.equals("mvn")) {
      return List.of(program);
    }
    List<String> modules = new ArrayList<>();
    for (String word : words) {
      if (word.startsWith("-P")) {
        for (String profile : listed(word.substring(2))) {
          if (!profiles().contains(profile)) {
            missing.add("profile " + profile);
          }
        }
      }
      if (words.indexOf(word) > 0 && words.get(words.indexOf(word) - 1).equals("-pl")) {
        modules.addAll(listed(word));
      }
      if (word.startsWith("-Dtest=")) {
        for (String test : listed(word.substring("-Dtest=".length()))) {
          if (!isATest(test, modules)) {
            missing.add("test " + test);
          }
        }
      }
    }
    modules.stream()
        .filter(module -> !root.contains("<module>" + module + "</module>"))
        .forEach(module -> missing.add("module " + module));
    return missing;
  }

  private static List<String> listed(String words) {
    return List.of(words.split(",", -1));
  }

  private static List<String> profiles() throws IOException {
    List<String> profiles = new ArrayList<>();
    List<Path> poms = new ArrayList<>(List.of(SourceTree.ROOT.resolve("pom.xml")));
    Matcher modules =
        Pattern.compile("<module>(.*)</module>").matcher(Files.readString(poms.get(0)));
    while (modules.find()) {
      poms.add(SourceTree.ROOT.resolve(modules.group(1)).resolve("pom.xml"));
    }
    for (Path pom : poms) {
      Pattern.compile("(?s)<profile>.*?<id>(.*?)</id>")
          .matcher(Files.readString(pom))
          .results()
          .forEach(found -> profiles.add(found.group(1)));
    }
    return profiles;
  }

  private static boolean isATest(String test, List<String> modules) throws IOException {
    String file = test.replace('.', '/').replaceFirst(".*/", "").replace("*", ".*") + "\\.java";
    for (String module : modules) {
      Path tests = SourceTree.ROOT.resolve(module).resolve("src/test/java");
      if (Files.isDirectory(tests)) {
        try (Stream<Path> files = Files.walk(tests)) {
          if (files.anyMatch(found -> found.getFileName().toString().matches(file))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  @Test
  void everyStepRunsWhatIsThere() throws IOException {
    assertEquals(List.of("nightly.yml", "release.yml", "verify.yml"), names());
    for (String name : names()) {
      List<String> commands = commands(read(name));
      assertFalse(commands.isEmpty(), name);
      for (String command : commands) {
        assertEquals(List.of(), missing(command), name + ": " + command);
        assertFalse(command.contains("${{"), command);
      }
    }
  }

  @Test
  void theCommandsForContributorsRunWhatIsThere() throws IOException {
    List<String> commands =
        Pattern.compile("\\| `((?:mvn |\\./)[^`]*)` \\|")
            .matcher(Files.readString(SourceTree.ROOT.resolve("CONTRIBUTING.md")))
            .results()
            .map(command -> command.group(1))
            .toList();
    assertTrue(commands.size() > 15, commands::toString);
    for (String command : commands) {
      assertEquals(List.of(), missing(command), command);
    }
  }

  @Test
  void whatIsNotThereIsMissed() throws IOException {
    assertEquals(List.of("./deploy"), missing("./deploy --all"));
    assertEquals(List.of("--wet-run"), missing("./release --wet-run"));
    assertEquals(List.of("profile night"), missing("mvn verify -Pnightly,night -pl api"));
    assertEquals(List.of("module apis"), missing("mvn verify -pl apis"));
    assertEquals(List.of("test NoTest"), missing("mvn verify -pl api -Dtest=LayersTest,NoTest"));
    assertEquals(List.of("make"), missing("make all"));
    assertEquals(List.of(), missing("apt-get install maven"));
  }

  @Test
  void everythingIsVerifiedOnEachSystemAndJava() throws IOException {
    Map<?, ?> verify = read("verify.yml");
    assertEquals(
        List.of("ubuntu-latest", "windows-latest", "macos-latest"),
        at(verify, "jobs", "verify", "strategy", "matrix", "os"));
    assertEquals(List.of("17", "25"), at(verify, "jobs", "verify", "strategy", "matrix", "java"));
    assertEquals(
        List.of(
            "mvn -B -ntp verify", "mvn -B -ntp -Psite -pl lab/site -am -Dsite.browser=required"),
        commands(verify).stream().filter(command -> command.startsWith("mvn ")).toList());
    assertTrue(((Map<?, ?>) verify.get("on")).containsKey("pull_request"));
  }

  @Test
  void nightlyTestsRunByScheduleAndReleasesByTag() throws IOException {
    assertEquals(1, ((List<?>) at(read("nightly.yml"), "on", "schedule")).size());
    assertTrue(
        commands(read("nightly.yml")).stream().allMatch(command -> command.contains("-Pnightly")));
    assertEquals(List.of("v*"), at(read("release.yml"), "on", "push", "tags"));
    assertEquals(List.of("./release --dry-run"), commands(read("release.yml")));
  }
}
