package io.bloomery.cli.filter;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.RemovableBloomFilter;
import io.bloomery.cli.CutCable;
import io.bloomery.cli.PronounceableWords;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.RemovableFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoveCommandTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void create() {
    file = folder.resolve("made.bloom");
    create(file, "a\nb\nb\nc\n");
  }

  private static void create(Path path, String lines) {
    Run.piped(lines, "create --variant counting -o %s --expected 20000", path)
        .assertEnds(ExitCode.OK);
  }

  private RemovableBloomFilter<String> open() throws IOException {
    return Bloomery.strings().openRemovable(file);
  }

  @Test
  void linesThatWerePutAreTakenBackOnceEach() throws IOException {
    Run run = Run.withInput("a\r\nb\n", "remove", file).assertEnds(ExitCode.OK);
    assertEquals("bloomery: " + file + ": 2 lines removed, 0 were not there\n", run.err());
    assertEquals("", run.out());
    assertFalse(open().mightContain("a"));
    assertEquals(1, open().approximateCount("b"));
    assertTrue(open().mightContain("c"));
  }

  @Test
  void linesThatWereNotThereAreCountedAndTheOthersRemoved() throws IOException {
    Path names = Files.writeString(folder.resolve("names"), "x\na\ny\na\n");
    Run run = Run.piped("c", "remove %s %s -", file, names).assertEnds(ExitCode.NONE);
    List<String> said = run.err().lines().toList();
    assertEquals(
        "bloomery: " + file + ": 2 lines removed, 3 were not there; 1 came before in the input",
        said.get(0));
    assertEquals(
        "bloomery: warning: "
            + file
            + ": the input has lines that were never added, or not that often, first in line 1 of "
            + names
            + ": 3 are not there, and fewer than 0.01 more are to be expected that seemed to be,"
            + " each of which may have made up to 4 other keys absent; restore the file from a"
            + " copy, or create it again, and try by --dry-run first",
        said.get(1));
    assertEquals(2, said.size());
    assertFalse(open().mightContain("a") || open().mightContain("c"));
    assertEquals(2, open().approximateCount("b"));
  }

  /** Compares the number of lines removed at the expense of other keys with the number reported. */
  @ParameterizedTest
  @CsvSource({"0.01, 20000, 20000, 4", "0.1, 20000, 5000, 2", "0.1, 3000, 20000, 2"})
  void linesThatWereNeverPutHarmAsManyOthersAsIsSaid(
      double rate, int keys, int strangers, int probes) throws IOException {
    Run.piped(
            lines(0, keys),
            "create --force --variant=counting --expected=20000 --fpp %s -o %s",
            rate,
            file)
        .assertEnds(ExitCode.OK);
    String input = lines(100_000, 100_000 + strangers);
    byte[] before = Files.readAllBytes(file);
    Run tried = Run.piped(input, "remove -q --dry-run --json %s", file);
    assertArrayEquals(before, Files.readAllBytes(file), "nothing is saved");
    Run run = Run.piped(input, "remove -q --json %s", file).assertEnds(ExitCode.NONE);
    Map<String, Object> found = run.json();
    double wrong = (double) found.get("removed");
    double stated = (double) found.get("expectedWrong");
    assertEquals(wrong, stated, 5 * Math.sqrt(wrong) + 0.05 * wrong);
    assertEquals(
        Map.of(
            "file",
            file.toString(),
            "lines",
            (double) strangers,
            "removed",
            wrong,
            "absent",
            strangers - wrong,
            "repeated",
            0.0,
            "expectedWrong",
            stated,
            "dryRun",
            false),
        found);
    Map<String, Object> same = tried.json();
    assertEquals(true, same.put("dryRun", false));
    assertEquals(found, same, "what is tried is what happens");
    // Printed even if quiet, since it is a loss.
    assertTrue(
        run.err()
            .matches(
                "bloomery: warning: .*"
                    + (stated < 10 ? "" : String.format("%,.0f", stated))
                    + " more are to be expected that .* up to "
                    + probes
                    + " other keys absent; .*\n"),
        run.err());
    RemovableBloomFilter<String> left = open();
    long harmed =
        IntStream.range(0, keys).filter(i -> !left.mightContain(PronounceableWords.at(i))).count();
    assertTrue(harmed > 0 && harmed <= 4 * wrong, harmed + " by " + wrong);
  }

  @Test
  void aDryRunSaysWhatWouldBeAndChangesNothing() throws IOException {
    byte[] before = Files.readAllBytes(file);
    Run good = Run.withInput("a\nb\nb\n", "remove", "--dry-run", file).assertEnds(ExitCode.OK);
    assertEquals(
        "bloomery: "
            + file
            + ": 3 lines would be removed, 0 are not there; 1 came before in the input; nothing was"
            + " changed\n",
        good.err());
    Run bad =
        Run.withInput("a\na\n", "remove", "--dry-run", file)
            .assertEnds(
                ExitCode.NONE, ": 1 lines would be removed, 1 are not there; 1 came before");
    assertTrue(bad.err().endsWith("; remove only what was added\n"), bad.err());
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void addingAndRemovingManyLinesMakesTheFileItWas() throws IOException {
    byte[] before = Files.readAllBytes(file);
    String lines = lines(0, 10_000);
    Run.withInput(lines, "add", file).assertEnds(ExitCode.OK);
    Run run = Run.withInput(lines, "remove", file).assertEnds(ExitCode.OK);
    assertTrue(run.err().endsWith(": 10,000 lines removed, 0 were not there\n"), run.err());
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void noLinesAtAllAreAllRemoved() {
    Run run = Run.withInput("", "remove", file).assertEnds(ExitCode.OK);
    assertEquals("bloomery: " + file + ": 0 lines removed, 0 were not there\n", run.err());
  }

  @Test
  void aFilterThatCannotRemoveIsRefusedBeforeAnyInputIsRead() throws IOException {
    for (FilterProvider provider : Bloomery.installed().providers().all()) {
      if (RemovableFilter.class.isAssignableFrom(provider.filterType())) {
        continue;
      }
      String variant = provider.variant();
      Run.piped("a", "create --variant %s --force -o %s --expected 9", variant, file);
      byte[] before = Files.readAllBytes(file);
      Run.assertFails(
          ExitCode.USAGE,
          file
              + " must be of a variant that can remove, but is '"
              + variant
              + "'; make it with 'bloomery create --variant counting'",
          Run.reading(new CutCable(), "remove", file));
      assertArrayEquals(before, Files.readAllBytes(file));
    }
  }

  @Test
  void aFailingInputLeavesTheOldFile() throws IOException {
    byte[] before = Files.readAllBytes(file);
    Run.reading(CutCable.after("a\n"), "remove", file).assertEnds(ExitCode.BAD_FILE);
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void theHelpSaysWhatMayBeRemovedAndWhatTheExitCodesMean() {
    Run run = Run.of("remove", "--help");
    assertTrue(run.out().contains("\nRemove only lines that were added: "), run.out());
    assertTrue(run.out().contains("\n  1   some lines were absent"), run.out());
    assertTrue(run.out().replaceAll("\\s+", " ").contains("a p / (1 - p) more"), run.out());
    assertTrue(run.out().contains("--dry-run"), run.out());
  }
}
