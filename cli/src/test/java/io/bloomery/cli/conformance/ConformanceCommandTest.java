package io.bloomery.cli.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.JsonObjects;
import io.bloomery.cli.Plugin;
import io.bloomery.cli.Run;
import io.bloomery.cli.SetVariant.Fault;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Terminal;
import io.bloomery.conformance.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks what is run and printed; that all rules run in the finished jar is checked there. Each
 * command starts JVMs: what is one more line or word of a report is checked by night.
 */
class ConformanceCommandTest {

  @TempDir private static Path plugins;

  private static Path plugin(Fault fault) throws IOException {
    Path folder = plugins.resolve(fault.name());
    return Files.isDirectory(folder)
        ? folder
        : Plugin.compileSet(folder, "Acme", "public Acme() { super(Fault." + fault + "); }");
  }

  /** Checks a variant with a fault. */
  private static Run conformance(Fault fault, Object... arguments) throws IOException {
    return conformance(plugin(fault), arguments);
  }

  private static Run conformance(Path plugin, Object... arguments) {
    return Run.of("conformance", "--path", plugin, "--provider", "set", arguments);
  }

  @Test
  void aFolderThatCannotBeMadeIsAnError(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    conformance(Fault.NONE, "--rule", "R04", "--report", file.resolve("reports"))
        .assertEnds(ExitCode.BAD_FILE, "reports");
  }

  @Test
  void onlyThoseAskedForAreTestedInTheirOrderAndOnce() {
    Run run =
        Run.command(
                "conformance --rule r04 --provider standard --provider counting --provider standard")
            .assertEnds(ExitCode.OK);
    assertTrue(run.out().matches("standard: PASS 1/1.*\ncounting: PASS 1/1.*\n"), run.out());
  }

  /** What that command shows is in PluginProcessTest. */
  @Test
  void aBrokenRuleIsShownWithACommandThatShowsItAgain() throws IOException {
    Run run =
        conformance(
                Fault.FORGETS_ONE_IN_A_THOUSAND, "--rule", "R01", "--rule", "R04", "--seed", "-17")
            .assertEnds(ExitCode.NONE);
    assertEquals("", run.err());
    List<String> lines = run.out().lines().toList();
    assertTrue(lines.get(0).startsWith("set: FAIL 1/2 | "), run.out());
    assertEquals("  R01 every hash that was put is found, at every size: broken", lines.get(1));
    assertTrue(lines.get(2).startsWith("    ") && lines.get(2).contains("Error"), run.out());
    String command = lines.get(lines.size() - 1);
    assertEquals(lines.size(), Set.copyOf(lines).size(), run.out());
    assertEquals(
        "    bloomery conformance --path "
            + plugin(Fault.FORGETS_ONE_IN_A_THOUSAND)
            + " --provider set --tier quick --seed -17 --rule R01",
        command);
  }

  @Test
  @Tag("nightly")
  void theSmallestExampleIsShown() throws IOException {
    Run run =
        conformance(Fault.PUTS_SOMETHING_WHEN_OPENED, "--rule", "R49").assertEnds(ExitCode.NONE);
    // The size of a set depends on its content, so an empty one fails before any action.
    assertTrue(run.out().contains(": after []: "), run.out());
    assertTrue(
        run.out().contains("\n    at io.bloomery.conformance.internal.rules.ModelRules."),
        run.out());
    assertTrue(run.out().lines().count() <= 11, run.out());
  }

  @Test
  @Tag("nightly")
  void oneFaultIsShownOnceWithAllThatItBreaks() throws IOException {
    Path lazy = Plugin.compileLazy(plugins.resolve("lazy"));
    Run run = conformance(lazy, "--rule", "R04,r06", "--rule", " R07").assertEnds(ExitCode.NONE);
    assertTrue(run.out().contains("\n    also breaks R06, R07\n"), run.out());
    assertEquals(1, run.out().split("not today", -1).length - 1, run.out());
  }

  /** A program reads the output, and a provider has the same streams as its JVM. */
  @Test
  void whatAVariantPrintsIsNotInTheOutput() throws IOException {
    Path loud =
        Plugin.compileSet(
            plugins.resolve("loud"),
            "Loud",
            """
            static { System.out.println("initialized"); }
            public Loud() {
              System.out.println("created");
              System.err.println("an \\u001b[31merror");
              new Thread(() -> System.out.println("in a thread")).start();
            }
            """);
    Run run = conformance(loud, "--rule", "R04", "--json").assertEnds(ExitCode.OK);
    assertEquals("PASS", run.json().get("verdict"));
    List<String> lines = run.err().lines().distinct().sorted().toList();
    assertEquals(
        List.of("an \\x1b[31merror", "created", "in a thread", "initialized"), lines, run.err());
  }

  @Test
  @Tag("nightly")
  void whoeverAsksSeesWhatWasTriedAndWhatTookLong() throws IOException {
    Run run =
        conformance(Fault.NONE, "--tier", "smoke", "--rule", "R01", "--verbose")
            .assertEnds(ExitCode.OK);
    assertTrue(run.out().contains("\n  cases tried:\n"), run.out());
    assertTrue(run.out().matches("(?s).* [1-9]\\d*  1 to 9 keys\n.*"), run.out());
    assertTrue(
        run.out().matches("(?s).*\\d s  R01 every hash that was put is found.*\n"), run.out());
  }

  @Test
  void nothingToSayIsNotAPass() {
    Run run =
        Run.command("conformance --provider standard --rule R59").assertEnds(ExitCode.INCONCLUSIVE);
    assertTrue(run.out().startsWith("standard: INCONCLUSIVE 0/0"), run.out());
    assertTrue(run.out().endsWith("\n  no rule that was asked for applies to it\n"), run.out());
  }

  @Test
  @Tag("nightly")
  void aBrokenRuleOutweighsARunThatProvedNothing() throws IOException {
    Run run = conformance(Fault.FORGETS_ALL_ON_REMOVE, "--provider", "standard", "--rule", "R54");
    assertTrue(run.out().contains("set: FAIL 0/1"), run.out());
    assertTrue(run.out().contains("standard: INCONCLUSIVE 0/0"), run.out());
    run.assertEnds(ExitCode.NONE);
  }

  @Test
  void programsGetTheSameAndMoreAndReports(@TempDir Path folder) throws IOException {
    Path written = folder.resolve("new").resolve("reports");
    Run run =
        conformance(
                Fault.FORGETS_ONE_IN_A_THOUSAND,
                "--rule=R01",
                "--rule=R04",
                "--seed=20261121",
                "--json",
                "--report",
                written)
            .assertEnds(ExitCode.NONE);
    assertTrue(Files.readString(written.resolve("set.json")).contains("\"FAIL\""));
    assertTrue(Files.readString(written.resolve("set.xml")).contains("R01"));
    List<Map<String, Object>> reports = JsonObjects.parse(run.out());
    assertEquals(1, reports.size());
    Map<String, Object> report = reports.get(0);
    assertEquals("set", report.get("variant"));
    assertEquals("acme.Acme", report.get("class"));
    assertTrue((double) report.get("processorSeconds") > 0, run.out());
    assertNull(report.get("jarSha256"));
    assertEquals("quick", report.get("tier"));
    assertEquals("20261121", report.get("seed"));
    assertEquals("FAIL", report.get("verdict"));
    assertEquals(1.0, report.get("kept"));
    assertEquals(1.0, report.get("broken"));
    assertEquals(Rule.values().length - 2.0, report.get("notAsked"));
    assertEquals(List.of(), report.get("doubts"));
    assertEquals("BROKEN", report.get("rules.R01.status"));
    assertFalse(((String) report.get("rules.R01.detail")).isEmpty());
    assertEquals("KEPT", report.get("rules.R04.status"));
    assertEquals("NOT_ASKED", report.get("rules.R02.status"));
  }

  /** Whatever comes of it: here nothing, as there is no such variant. */
  @Test
  void aNightlyRunSaysItsSeedFirst() {
    Pattern seed = Pattern.compile("\\Abloomery: seed (-?\\d+); --seed \\1 repeats this run\n");
    Set<String> seeds = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      Run run =
          Run.command("conformance --tier nightly --provider none").assertEnds(ExitCode.USAGE);
      Matcher first = seed.matcher(run.err());
      assertTrue(first.find() && seeds.add(first.group(1)), run.err());
    }
  }

  // A quarter of a minute, whatever the rule.
  @Test
  @Tag("nightly")
  void aNightlyRunReportsTheSeedThatItSaid() throws IOException {
    Run run =
        conformance(Fault.NONE, "--tier", "nightly", "--rule", "R04", "--json")
            .assertEnds(ExitCode.OK);
    String seed = (String) run.json().get("seed");
    assertEquals("bloomery: seed " + seed + "; --seed " + seed + " repeats this run\n", run.err());
  }

  @Test
  void rulesAreListed() throws IOException {
    List<String> lines = Run.of("conformance", "--list").out().lines().toList();
    assertEquals(Rule.values().length, lines.size());
    assertEquals("R01 every hash that was put is found, at every size", lines.get(0));
    List<Map<String, Object>> rules =
        JsonObjects.parse(Run.of("conformance", "--list", "--json").out());
    assertEquals(Rule.values().length, rules.size());
    assertEquals(Rule.R02.statement(), rules.get(1).get("statement"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--provider none   | no provider for variant 'none'; installed: ALL",
        "--rule R99        | no rule is named 'R99'; 'bloomery conformance --list' lists them",
        "--rule all        | no rule is named 'all'; 'bloomery conformance --list' lists them",
        "--tier quik       | tier must be smoke, quick, full or nightly, but was quik",
        "--seed x          | invalid value for option '--seed': must be a whole number, but was"
            + " 'x'; for a million write 1000000 or 1M; try 'bloomery conformance --help'",
      })
  void whatDoesNotExistIsSaid(String arguments, String message) {
    String all = String.join(", ", Bloomery.installed().providers().variants());
    Run.assertFails(
        ExitCode.USAGE,
        message.replace("ALL", all),
        Run.of("conformance", arguments.strip().split(" +")));
  }

  @Test
  void aVariantOfAPathIsOneOfThoseInstalled() throws IOException {
    String all =
        Stream.concat(Stream.of("set"), Bloomery.installed().providers().variants().stream())
            .sorted()
            .collect(Collectors.joining(", "));
    Run.assertFails(
        ExitCode.USAGE,
        "no provider for variant 'sett'; installed: " + all + "; did you mean 'set'?",
        Run.command("conformance --path %s --provider sett", plugin(Fault.NONE)));
  }

  @Test
  void whoeverWatchesSeesWhatIsTestedUntilItIsDone() throws IOException {
    Run run =
        Run.watched(
            new Terminal(false, true, false),
            Bloomery.installed(),
            "conformance --provider set --rule R04 --seed 5 --path".split(" "),
            plugin(Fault.NONE));
    run.assertEnds(ExitCode.OK);
    assertTrue(run.err().matches("(\\rtesting set, 1 of 1, \\d+ s)+\\r+ *\\r+"), run.err());
    String said = run.out();
    int all = Rule.values().length;
    assertTrue(said.startsWith("set: PASS 1/1 | 1 of " + all + " rules asked for"), said);
    assertTrue(said.matches(".* \\| [0-9.]+ s of processor time \\| seed 5\n"), said);
  }
}
