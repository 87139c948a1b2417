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
import java.util.regex.Pattern;
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

  // PluginWordsTest has each command that shows all variants.
  @Test
  void aVariantBesideTheJarIsOneOfThoseInstalled() throws Exception {
    Plugin.compileExample(folder.resolve("classes"));
    Files.writeString(folder.resolve("words"), PronounceableWords.lines(0, 2_000));
    String bloomery =
        String.format(
            "bloomery() { %s -cp '%s:classes' io.bloomery.cli.Main \"$@\"; }; bloomery ",
            Shell.java(), System.getProperty("bloomery.jar"));
    Run sizes = shell.run(bloomery + "size --keys 1K --json").assertEnds(0);
    assertEquals(
        withTheNewOnes(),
        Pattern.compile("\"variant\": *\"([^\"]*)\"")
            .matcher(sizes.out())
            .results()
            .map(found -> found.group(1))
            .toList());
    shell.run(bloomery + "create --variant acme-blocked -o own.bloom words");
    Run info = shell.run(bloomery + "info own.bloom");
    assertTrue(info.out().contains("acme-blocked"), info.toString());
    Run found = shell.run(bloomery + "check -c own.bloom words");
    assertEquals("2000\n", found.out(), found.err());
  }

  @Test
  void aPlugInThatBreaksARuleFails() throws Exception {
    Files.createDirectories(folder.resolve("plug ins"));
    PluginVariant.writeJar(folder.resolve("plug ins/set.jar"), PluginVariant.class.getName());
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
    String declaration =
        """
        class Quitter implements io.bloomery.filter.FilterProvider {
          private final io.bloomery.filter.FilterProvider whole =
              new io.bloomery.standard.StandardProvider();
          public String variant() { return "quitter"; }
          public Class<? extends io.bloomery.filter.Filter> filterType() {
            return whole.filterType();
          }
          public io.bloomery.filter.FilterPlan plan(io.bloomery.filter.FilterSpec spec) {
            return whole.plan(spec);
          }
          public io.bloomery.filter.Filter create(
              io.bloomery.filter.FilterSpec spec, io.bloomery.filter.ThreadMode mode,
              io.bloomery.filter.FilterLimits limits) {
            System.exit(0);
            return null;
          }
          public io.bloomery.filter.Filter read(
              io.bloomery.filter.FilterSpec spec, io.bloomery.filter.FilterLayout layout,
              io.bloomery.filter.PayloadInput in, io.bloomery.filter.ThreadMode mode,
              io.bloomery.filter.FilterLimits limits) {
            return null;
          }
        }
        """;
    Plugin.compile(folder.resolve("quitter"), "Quitter", declaration);
    Plugin.writeService(folder.resolve("quitter"), "acme.Quitter");
    Run answer =
        bloomery("conformance --path quitter --provider quitter --rule R04,R18,R19").assertEnds(1);
    assertTrue(answer.out().startsWith("quitter: FAIL 1/3"), answer.out());
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
    String declaration =
        """
        class Leaves extends io.bloomery.cli.PluginVariant {
          public Leaves() {
            super(io.bloomery.cli.SetVariant.Fault.FORGETS_ONE_IN_A_THOUSAND);
            THREAD;
            thread.setDaemon(true);
            thread.start();
          }
        }
        """
            .replace("THREAD", thread);
    Path classes = Plugin.compile(folder.resolve("classes"), "Leaves", declaration);
    Path jars = Files.createDirectory(folder.resolve("jars"));
    Plugin.jar(classes, jars.resolve("leaves.jar"));
    PluginVariant.writeJar(jars.resolve("set.jar"), "acme.Leaves");
    Run answer = bloomery("conformance --path jars --provider set --rule R01 --json").assertEnds(1);
    assertTrue(answer.out().startsWith("["), answer.out());
    assertEquals("FAIL", answer.json().get("verdict"));
  }

  /** On a variant that breaks rules at once: on others it takes as long as the command does. */
  @Test
  void theExampleOfACheckRunsOnTheJar() throws Exception {
    PluginVariant.writeJar(folder.resolve("lazy.jar"), "acme.Lazy");
    Plugin.compile(
        folder.resolve("lazy"),
        "Lazy",
        """
        class Lazy extends io.bloomery.cli.PluginVariant {
          public io.bloomery.filter.Filter create(
              io.bloomery.filter.FilterSpec spec, io.bloomery.filter.ThreadMode mode,
              io.bloomery.filter.FilterLimits limits) {
            throw new IllegalStateException("not today");
          }
        }
        """);
    Path source =
        Path.of("..", "examples/src/main/java/io/bloomery/examples/ConformanceCheck.java");
    Run answer =
        shell.run(
            Shell.java()
                + " -Dbloomery.conformance.tier=smoke -cp '"
                + System.getProperty("bloomery.jar")
                + ":lazy.jar:lazy' '"
                + source.toAbsolutePath()
                + "' set");
    assertEquals("", answer.err());
    assertTrue(
        answer.out().matches("(?s)set: FAIL \\d+/\\d\\d .*\nR01: .*not today.*"), answer.out());
    answer.assertEnds(1);
  }
}
