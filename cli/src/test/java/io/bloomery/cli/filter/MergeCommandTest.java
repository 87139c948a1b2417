package io.bloomery.cli.filter;

import static io.bloomery.cli.Run.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.cli.JavaProcess;
import io.bloomery.cli.Main;
import io.bloomery.cli.PronounceableWords;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.conformance.run.Capability;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MergeCommandTest {

  private static final FilterSpec FOLDING = FilterSpec.of(40_000, 0.005);

  @TempDir private Path folder;
  private Path one;
  private Path other;
  private Path merged;

  @BeforeEach
  void create() {
    one = folder.resolve("one.bloom");
    other = folder.resolve("other.bloom");
    merged = folder.resolve("merged.bloom");
    Run.piped("a\nb\n", "create -o %s --expected 100", one);
    Run.piped("c\nd\n", "create -o %s --expected 100", other);
  }

  private static List<FilterProvider> merging() {
    return Bloomery.installed().providers().all().stream()
        .filter(Capability.MERGING::isOfferedBy)
        .toList();
  }

  @Test
  void theMergedFilterHasTheLinesOfAll() throws IOException {
    Run run = Run.command("merge -o %s %s %s", merged, one, other).assertEnds(ExitCode.OK);
    assertEquals("", run.out());
    assertEquals(
        "bloomery: " + merged + ": 2 filters merged, " + Files.size(merged) + " bytes\n",
        run.err());
    assertEquals("a\nb\nc\nd\n", Run.withInput("a\nb\nc\nd\nxyzzy\n", "check", merged).out());
  }

  @Test
  void largerFiltersAreFoldedToTheSizeOfTheSmallestIfAsked() throws IOException {
    List<String> folding =
        merging().stream()
            .filter(provider -> provider.plan(FOLDING).folding().refusal(1).isEmpty())
            .map(FilterProvider::variant)
            .toList();
    assertFalse(folding.isEmpty());
    for (String variant : folding) {
      String create =
          "create --force --foldable --fpp "
              + FOLDING.falsePositiveRate()
              + " --variant "
              + variant
              + " -o %s --expected ";
      Run.piped("a\nb\n", create + FOLDING.expectedKeys(), one);
      Run.piped("c\nd\n", create + 2 * FOLDING.expectedKeys(), other);
      byte[] before = Files.readAllBytes(other);
      Run.command("merge -o %s %s %s", merged, other, one)
          .assertEnds(ExitCode.USAGE, "; or add --fold");
      Run run = Run.command("merge --fold -o %s %s %s %s", merged, other, one, other);
      assertEquals(
          "bloomery: "
              + merged
              + ": 3 filters merged, "
              + String.format(Locale.ROOT, "%,d", Files.size(one))
              + " bytes; folded: "
              + other
              + " by 2, "
              + other
              + " by 2\n",
          run.err());
      assertEquals("a\nb\nc\nd\n", Run.withInput("a\nb\nc\nd\nxyzzy\n", "check", merged).out());
      assertArrayEquals(before, Files.readAllBytes(other));
      assertEquals(FOLDING.expectedKeys(), ((Number) info(merged).get("expectedKeys")).longValue());
      Files.delete(merged);
    }
  }

  private void createOfTwoSizes() {
    Run.piped("a\n", "create --force --foldable -o %s --expected 40000", one);
    Run.piped("b\n", "create --force --foldable -o %s --expected 80000", other);
  }

  @Test
  void foldingNeedsNoTemporaryFile() throws IOException, InterruptedException {
    createOfTwoSizes();
    Path printed = folder.resolve("printed");
    for (Path target : new Path[] {merged, Path.of("-")}) {
      int exitCode = mergeWithoutTemporaryFolder(printed, "--fold", "-o", target, other, one);
      assertEquals(ExitCode.OK, exitCode);
      Path whole = target.equals(merged) ? merged : printed;
      assertEquals("a\nb\n", Run.withInput("a\nb\n", "check", whole).out());
    }
    assertEquals(
        ExitCode.BAD_FILE, mergeWithoutTemporaryFolder(printed, "-o", Path.of("-"), one, one));
  }

  /** Runs a JVM of its own, since a JVM reads the property once. */
  private int mergeWithoutTemporaryFolder(Path printed, Object... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        JavaProcess.of(
            List.of(),
            Main.class,
            Stream.concat(Stream.of("merge"), Stream.of(arguments))
                .map(Object::toString)
                .toArray(String[]::new));
    builder.command().add(1, "-Djava.io.tmpdir=" + folder.resolve("missing"));
    return builder.redirectOutput(printed.toFile()).start().waitFor();
  }

  @Test
  void foldedFiltersMayBeMergedIntoOneOfThem() {
    for (boolean intoSmaller : new boolean[] {true, false}) {
      createOfTwoSizes();
      Path target = intoSmaller ? one : other;
      Run.command("merge --fold --force -o %s %s %s", target, other, one).assertEnds(ExitCode.OK);
      assertEquals("a\nb\n", Run.withInput("a\nb\n", "check", target).out());
    }
  }

  @Test
  void refusalsOfFoldedFiltersNameTheirFiles() throws IOException {
    createOfTwoSizes();
    BloomFilter<String> large = Bloomery.strings().open(other);
    large.intersection(Bloomery.strings().open(other)).save(other);
    Run run =
        Run.command("merge --fold -o %s %s %s", merged, one, other).assertEnds(ExitCode.USAGE);
    assertTrue(
        run.err().contains(one.toString()) && run.err().contains(other.toString()), run::err);
    assertFalse(Files.exists(merged));
  }

  private static Map<String, Object> info(Path file) throws IOException {
    return Run.command("info --json %s", file).json();
  }

  @Test
  void whatDoesNotFoldIsNotMerged() throws IOException {
    Run.piped("c\nd\n", "create --force --fpp 0.001 -o %s --expected 100", other);
    byte[] before = Files.readAllBytes(one);
    Run.command("merge --fold -o %s %s %s", merged, one, other)
        .assertEnds(ExitCode.USAGE, " does not fold to {bits=");
    assertArrayEquals(before, Files.readAllBytes(one));
    assertFalse(Files.exists(merged));
  }

  @Test
  void countsThatCanGoNoHigherAreNotMerged() throws IOException {
    Run.piped("a\n", "create --force --variant counting --expected 9 -o %s", one);
    Run run = Run.command("merge --force -o %s %s %s", one, one, one);
    byte[] before = Files.readAllBytes(one);
    for (int i = 0; i < 64 && run.exitCode() != ExitCode.USAGE; i++) {
      before = Files.readAllBytes(one);
      run = Run.command("merge --force -o %s %s %s", one, one, one);
    }
    run.assertEnds(ExitCode.USAGE, "no room for the filter in " + one, "at most 2^62");
    assertArrayEquals(before, Files.readAllBytes(one));
  }

  @Test
  void programsReadJsonAndTheOthersAskForQuiet() throws IOException {
    Run run = Run.command("merge --json -o %s %s %s %s", merged, one, other, one);
    assertEquals("", run.err());
    assertEquals(
        Map.of(
            "file",
            merged.toString(),
            "merged",
            3.0,
            "folded",
            0.0,
            "outgrown",
            false,
            "sizeInBytes",
            (double) Files.size(merged)),
        run.json());
    Run quiet = Run.command("merge --quiet --force -o %s %s %s", merged, one, other);
    assertEquals("", quiet.out() + quiet.err());
    quiet.assertEnds(ExitCode.OK);
  }

  @Test
  void togetherTheyMayBeMoreThanTheyWereMadeFor() throws IOException {
    for (FilterProvider provider : merging()) {
      String variant = provider.variant();
      for (int i = 0; i < 3; i++) {
        Path part = folder.resolve(i + ".bloom");
        Run.piped(
                PronounceableWords.lines(1_000 * i, 1_000 * i + 1_000),
                "create --force --variant %s --expected 1000 -o %s",
                variant,
                part)
            .assertEnds(ExitCode.OK);
      }
      Object[] parts = {folder.resolve("0.bloom"), folder.resolve("1.bloom")};
      Run run = Run.command("merge -q --force -o %s %s %s", merged, parts[0], parts[1]);
      assertEquals(ExitCode.OUTGROWN, run.exitCode(), variant);
      assertTrue(
          run.err().startsWith("bloomery: warning: " + merged + " expects 1,000 keys but holds "),
          run.err());
      assertTrue(Files.exists(merged));
      Run json = Run.command("merge --json --force -o %s %s %s", merged, parts[0], parts[1]);
      assertEquals(true, json.json().get("outgrown"));
      Run.command("merge --force -o %s %s %s", merged, parts[0], parts[0]).assertEnds(ExitCode.OK);
    }
  }

  @Test
  void theOutputMayBeAnInputIfItMayBeReplaced() throws IOException {
    byte[] before = Files.readAllBytes(one);
    Run run = Run.command("merge -o %s %s %s", one, one, other);
    assertFails(
        ExitCode.USAGE, one + " exists; choose another name, or --force to replace it", run);
    assertArrayEquals(before, Files.readAllBytes(one));
    Run.command("merge --force -o %s %s %s", one, one, other).assertEnds(ExitCode.OK);
    assertEquals("a\nc\n", Run.withInput("a\nc\n", "check", one).out());
  }

  @Test
  void filtersThatDoNotFitAreRefusedWithBothNames() {
    Path larger = folder.resolve("larger.bloom");
    Run.piped("e\n", "create -o %s --expected 1000", larger);
    assertFails(
        ExitCode.USAGE,
        "filters cannot be merged: expected keys must make the same layout, but 100 in "
            + one
            + " made {bits=1024, probes=5} and 1000 in "
            + larger
            + " made {bits=9600, probes=7}; make one of them again as the other was made",
        Run.command("merge -o %s %s %s %s", merged, one, other, larger));
    Path grown = folder.resolve("grown.bloom");
    Run.withInput("e\n", "create", "-o", grown);
    assertFails(
        ExitCode.USAGE,
        grown
            + ": variant 'scalable' does not merge; put the keys of one into the other, or ask"
            + " both",
        Run.command("merge -o %s %s %s", merged, grown, grown));
    assertFalse(Files.exists(merged));
  }

  @Test
  void countsAreAdded() {
    Path counted = folder.resolve("counted.bloom");
    Run.piped("a\n", "create -o %s --expected 100 --variant counting", counted);
    Run.command("merge -o %s %s %s", merged, counted, counted).assertEnds(ExitCode.OK);
    Run.withInput("a\na\n", "remove", merged).assertEnds(ExitCode.OK);
    Run.withInput("a\n", "remove", merged).assertEnds(ExitCode.NONE);
  }

  @Test
  void keysOfAnyKindAreMerged() throws IOException {
    Path longs = folder.resolve("longs.bloom");
    Bloomery.longs().expect(10).create().save(longs);
    Run.of("merge", "-o", merged, longs).assertEnds(ExitCode.OK);
    assertTrue(Files.exists(merged));
  }

  @Test
  void filesThatCannotBeReadAreNamedAndNothingIsLeft() throws IOException {
    Path missing = folder.resolve("missing");
    assertFails(
        ExitCode.BAD_FILE,
        missing + ": no such file; name one that 'bloomery create' made",
        Run.command("merge -o %s %s %s", merged, one, missing));
    byte[] bytes = Files.readAllBytes(other);
    bytes[130] ^= 1;
    Files.write(other, bytes);
    assertFails(
        ExitCode.BAD_FILE,
        other
            + ": byte 128: content damaged, here or in the 127 bytes behind: its checksum does not"
            + " match;"
            + " restore it from a copy, or create it again",
        Run.command("merge -o %s %s %s", merged, one, other));
    assertFalse(Files.exists(merged));
  }

  @Test
  void foldingIsAdvisedOnlyWhereItHelps() throws IOException {
    BloomFilter<String> first = Bloomery.strings().open(one);
    first.intersection(Bloomery.strings().open(one)).save(other);
    assertRefusedAsWithFolding();
    for (FilterProvider provider : merging()) {
      String variant = provider.variant();
      Run.piped("a\n", "create --force --expected 1000 -o %s --variant " + variant, one);
      Run.piped("b\n", "create --force --expected 1700 -o %s --variant " + variant, other);
      assertRefusedAsWithFolding();
    }
  }

  private void assertRefusedAsWithFolding() {
    Run run = Run.command("merge -o %s %s %s", merged, one, other);
    Run folded = Run.command("merge --fold --force -o %s %s %s", merged, one, other);
    run.assertEnds(ExitCode.USAGE);
    folded.assertEnds(ExitCode.USAGE);
    assertFalse(run.err().contains("--fold"), run.err());
  }
}
