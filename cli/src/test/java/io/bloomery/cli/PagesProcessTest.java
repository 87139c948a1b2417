package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the examples of the pages, with the finished jar as {@code bloomery}, in a folder with
 * access to the source tree; with {@code -Dbloomery.record=true} writes the actual output into the
 * pages. A build runs some of them, drawn, and the nightly one all.
 */
@Tag("jar")
class PagesProcessTest {

  private static final Path ROOT =
      Path.of(System.getProperty("bloomery.launcher")).toAbsolutePath().normalize().getParent();
  private static final Path COOKBOOK = ROOT.resolve("docs/cookbook.md");
  private static final Path README = ROOT.resolve("README.md");

  @TempDir private Path folder;
  private Shell shell;
  private Transcript transcript;

  @BeforeEach
  void makeAFolderToWorkIn() throws Exception {
    Path work = Files.createDirectory(folder.resolve("work"));
    for (String name : List.of("cli", "examples")) {
      Files.createSymbolicLink(work.resolve(name), ROOT.resolve(name));
    }
    Path tools = Files.createDirectory(folder.resolve("bin"));
    Files.createSymbolicLink(
        tools.resolve("bloomery"), Path.of(System.getProperty("bloomery.jar")).toAbsolutePath());
    String home = System.getProperty("java.home");
    shell =
        new Shell(work)
            .with("JAVA_HOME", home)
            .with("PATH", tools + ":" + home + "/bin:" + System.getenv("PATH"))
            .with("LC_ALL", "C.UTF-8")
            .with("BLOOMERY_PATH", null);
    transcript = new Transcript(shell, folder.resolve("script"));
  }

  /** Otherwise JUnit warns about each link that leads out of its folder. */
  @AfterEach
  void removeLinks() throws IOException {
    for (String link : List.of("work/cli", "work/examples", "bin/bloomery")) {
      Files.delete(folder.resolve(link));
    }
  }

  private static void compare(Path page, String shown, String now) throws IOException {
    if (Boolean.getBoolean("bloomery.record")) {
      Files.writeString(page, Files.readString(page).replace(shown, now));
    } else {
      assertEquals(
          shown,
          now,
          () -> page.getFileName() + ": if it should be so, run with -Dbloomery.record=true");
    }
  }

  static List<Named<String>> recipes() throws IOException {
    return Stream.of(Files.readString(COOKBOOK).split("(?=\n## )"))
        .skip(1)
        .map(recipe -> Named.of(recipe.strip().lines().findFirst().orElseThrow(), recipe))
        .toList();
  }

  /** The others are drawn on other days: each has commands that tests of their own run. */
  static List<Named<String>> someOfThem() throws IOException {
    List<Named<String>> drawn = new ArrayList<>(recipes());
    Collections.shuffle(drawn, Shell.draw());
    return Boolean.getBoolean("bloomery.record") ? drawn : drawn.subList(0, drawn.size() / 6);
  }

  @ParameterizedTest
  @MethodSource("someOfThem")
  void aRecipeDoesWhatItShows(String recipe) throws Exception {
    check(recipe);
  }

  @ParameterizedTest
  @MethodSource("recipes")
  @Tag("nightly")
  void everyRecipeDoesWhatItShows(String recipe) throws Exception {
    check(recipe);
  }

  private void check(String recipe) throws Exception {
    if (recipe.contains("python3")) {
      assumeTrue(shell.run("python3 -c ''").exitCode() == 0, "there is no Python");
    }
    if (recipe.contains("$REDIS")) {
      try (RedisServer server = RedisServer.start(RedisServer.Release.SEVEN)) {
        shell.with("REDIS", server.uri());
        compare(COOKBOOK, recipe, transcript.scripts(recipe));
      }
      return;
    }
    compare(COOKBOOK, recipe, transcript.scripts(recipe));
  }

  @Test
  void thereAreTwentyRecipesAndEachRuns() throws IOException {
    assertEquals(20, recipes().size());
    assertTrue(recipes().stream().allMatch(recipe -> recipe.getPayload().contains("\n```text\n")));
  }

  /** Readers run them one after another in one folder, where {@code create} replaces nothing. */
  @Test
  void noRecipeMakesAFileThatAnotherHasMade() throws IOException {
    Map<String, String> makers = new HashMap<>();
    for (Named<String> recipe : recipes()) {
      Pattern.compile("bloomery create (?!.*--force).*-o (\\S+)")
          .matcher(recipe.getPayload())
          .results()
          .map(made -> made.group(1))
          .forEach(file -> assertNull(makers.put(file, recipe.getName()), file));
    }
    assertTrue(makers.size() >= 12, makers + "");
  }

  @Test
  void theSessionOfTheReadmeIsWhatHappens() throws Exception {
    String page = Files.readString(README);
    assertTrue(page.contains("\n```console\n$ "));
    compare(README, page, transcript.sessions(page));
  }

  // RedisOperationsTest runs all commands that it names.
  @Test
  @Tag("nightly")
  void theCommandsOfTheRedisPageRun() throws Exception {
    String page = Files.readString(ROOT.resolve("docs/redis.md"));
    String block = page.substring(page.indexOf("```sh\n") + 6);
    Files.writeString(folder.resolve("work/urls.txt"), "one\ntwo\n");
    Files.writeString(folder.resolve("work/today.txt"), "two\nthree\n");
    try (RedisServer server = RedisServer.start(RedisServer.Release.SEVEN)) {
      String lines =
          block.substring(0, block.indexOf("```")).replace("redis://localhost:6379", server.uri());
      Run answer =
          shell
              .run("set -e\n" + lines + "cmp seen.bloom backup.bloom && bloomery info seen.bloom")
              .assertEnds(0);
      assertTrue(answer.out().startsWith("three\n"), answer.out());
    }
  }
}
