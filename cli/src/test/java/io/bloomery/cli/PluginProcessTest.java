package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.Rule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds variants to the conformance suite by the finished jar. */
@Tag("jar")
class PluginProcessTest {

  @TempDir private Path folder;
  private Shell shell;

  @BeforeEach
  void makeShell() {
    shell = new Shell(folder);
  }

  private Run bloomery(String arguments) throws Exception {
    return shell.runWithJar("bloomery " + arguments);
  }

  /** An eighth of the rules, drawn: only a change of how the jar is made can leave one out. */
  @Test
  void theSuiteIsInTheJarAndHoldsOnThePlugInOfTheExamples() throws Exception {
    List<String> rules = new ArrayList<>(Stream.of(Rule.values()).map(Rule::id).toList());
    Collections.shuffle(rules, Shell.draw());
    String out = testPlugIn(" --rule R01," + String.join(",", rules.subList(0, rules.size() / 8)));
    assertTrue(out.startsWith("acme-power-of-two: PASS "), out);
  }

  // The tests of the suite and of the variants check rules with more cases than these.
  @Test
  @Tag("nightly")
  void theWholeSuiteHoldsOnThePlugInOfTheExamples() throws Exception {
    String out = testPlugIn("");
    assertTrue(
        out.matches(
            "acme-power-of-two: PASS (\\d\\d)/\\1 \\| 0 false negatives in [1-9][0-9,]{3,}"
                + " checks .*, a lost update shows in \\d+ % \\|"
                + " \\d+\\.\\d s of processor time \\| seed -?\\d+\n"),
        out);
  }

  private String testPlugIn(String rules) throws Exception {
    Path plugin = folder.resolve("acme-filter.jar");
    Plugin.jar(Plugin.compileExample(folder.resolve("acme")), plugin);
    Run answer =
        bloomery(
            "conformance --path acme-filter.jar --provider acme-power-of-two --tier smoke" + rules);
    assertEquals("", answer.err());
    answer.assertEnds(0);
    return answer.out();
  }

  @Test
  @Tag("nightly")
  void everyVariantInTheJarIsTestedBesideTheNewOnes() throws Exception {
    Plugin.compileExample(folder.resolve("classes"));
    Run answer = bloomery("conformance --path classes --tier smoke --rule R02 --rule R04");
    assertEquals("", answer.err());
    assertEquals(
        withTheNewOnes(),
        answer.out().lines().map(line -> line.substring(0, line.indexOf(": PASS 2/2"))).toList());
    answer.assertEnds(0);
  }

  private static List<String> withTheNewOnes() {
    return Stream.concat(
            Stream.of("acme-blocked", "acme-power-of-two"),
            Bloomery.installed().providers().variants().stream())
        .sorted()
        .toList();
  }

  @Test
  void aPlugInThatBreaksARuleFails() throws Exception {
    Files.createDirectories(folder.resolve("plug ins"));
    Plugin.jarOfSet(folder.resolve("plug ins/set.jar"));
    String broken = "conformance --path 'plug ins/set.jar' --provider set --rule R16";
    Run answer = bloomery(broken).assertEnds(1);
    assertTrue(answer.out().startsWith("set: FAIL 0/1"), answer.out());
    List<String> lines = answer.out().lines().toList();
    String command = lines.get(lines.size() - 1).strip();
    assertTrue(
        command.startsWith("bloomery conformance --path 'plug ins/set.jar' --provider set"),
        command);
    Run again = shell.runWithJar(command).assertEnds(1);
    assertTrue(again.out().startsWith("set: FAIL 0/1"), again.out());
    assertEquals(lines.subList(1, lines.size()), again.out().lines().skip(1).toList());
  }

  @Test
  void aPlugInThatEndsItsJvmHasNotPassed() throws Exception {
    Plugin.compileSet(
        folder.resolve("quitter"),
        "Quitter",
        """
        public io.bloomery.filter.Filter create(
            io.bloomery.filter.FilterSpec spec, io.bloomery.filter.ThreadMode mode,
            io.bloomery.filter.FilterLimits limits) {
          System.exit(0);
          return null;
        }
        """);
    Run answer =
        bloomery("conformance --path quitter --provider set --rule R04,R18,R19").assertEnds(1);
    assertTrue(answer.out().startsWith("set: FAIL 1/3"), answer.out());
    assertTrue(answer.out().contains("ended with exit code 0"), answer.out());
  }

  /** What a variant starts or registers where it is loaded reaches only the child JVM. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Thread thread = new Thread(() -> { try { Thread.sleep(300); } catch (InterruptedException e) {}"
            + " System.exit(0); })",
        "Runtime.getRuntime().addShutdownHook(new Thread(() -> { while (true) {"
            + " java.util.concurrent.locks.LockSupport.park(); } })); Thread thread = new Thread()",
      })
  void whatAVariantLeavesBehindDoesNotReachTheCommand(String thread) throws Exception {
    Plugin.compileSet(
        folder.resolve("leaves"),
        "Leaves",
        """
        public Leaves() {
          super(Fault.FORGETS_ONE_IN_A_THOUSAND);
          THREAD;
          thread.setDaemon(true);
          thread.start();
        }
        """
            .replace("THREAD", thread));
    Run answer =
        bloomery("conformance --path leaves --provider set --rule R01 --json").assertEnds(1);
    assertTrue(answer.out().startsWith("["), answer.out());
    assertEquals("FAIL", answer.json().get("verdict"));
  }

  /** On a variant that breaks rules at once: on others it takes as long as the command does. */
  @Test
  void theExampleOfACheckRunsOnTheJar() throws Exception {
    Plugin.compileLazy(folder.resolve("lazy"));
    Path source =
        Path.of("..", "examples/src/main/java/io/bloomery/examples/ConformanceCheck.java");
    Run answer =
        shell.run(
            Shell.java()
                + " -Dbloomery.conformance.tier=smoke -cp '"
                + System.getProperty("bloomery.jar")
                + ":lazy' '"
                + source.toAbsolutePath()
                + "' set");
    assertEquals("", answer.err());
    assertTrue(
        answer.out().matches("(?s)set: FAIL \\d+/\\d\\d .*\nR01: .*not today.*"), answer.out());
    answer.assertEnds(1);
  }
}
