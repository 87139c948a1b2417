package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoCommandTest {

  private static final String LINES =
      IntStream.range(0, 30_000).mapToObj(i -> "line-" + i).collect(Collectors.joining("\n"));

  @TempDir private Path folder;

  private static Run demo(SetVariant.Fault fault, Object... arguments) {
    InputStream in = new ByteArrayInputStream(LINES.getBytes(StandardCharsets.US_ASCII));
    return Run.with(in, () -> Bloomery.with(new SetVariant(fault)), arguments);
  }

  @Test
  void everyInstalledVariantKeepsItsPromises() throws IOException {
    Run run = Run.of("demo", "--json");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    List<Map<String, Object>> results = JsonObjects.parse(run.out());
    assertEquals(
        Bloomery.installed().variants(),
        results.stream().map(result -> result.get("variant")).toList());
    for (Map<String, Object> result : results) {
      assertTrue((double) result.get("keys") > 5_000, result + " of some JDK");
      assertEquals(0.0, result.get("falseNegatives"), result + "");
      assertEquals(0.01, result.get("rateAsked"));
      assertTrue((double) result.get("rateMeasured") > 0, result + "");
      assertTrue((double) result.get("rateLow") <= 0.01, result + "");
      assertTrue((double) result.get("absentAsked") >= 100_000, result + "");
      assertTrue((double) result.get("bitsPerKey") > 1, result + "");
      assertTrue((double) result.get("nanosPerPut") > 0, result + "");
      assertTrue((double) result.get("nanosPerQuery") > 0, result + "");
      assertEquals(true, result.get("rateKept"));
      assertEquals(true, result.get("reopenedAsSaved"));
    }
  }

  @Test
  void theTableFitsAHundredColumnsAndNamesEveryVariant() {
    Run run = Run.of("demo");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    assertEquals("", run.err());
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 100), run.out());
    for (String variant : Bloomery.installed().variants()) {
      assertTrue(run.out().contains("\n" + variant + " "), run.out());
    }
    assertTrue(
        run.out().contains("\n\nEvery promise was kept: no key was lost, no rate"), run.out());
  }

  @Test
  void aVariantThatCanRemoveIsMadeTo() throws IOException {
    Run run = demo(SetVariant.Fault.NONE, "demo", "--json", "--keys", "-");
    assertEquals(ExitCode.OK, run.exitCode(), run.err());
    Map<String, Object> result = JsonObjects.parse(run.out()).get(0);
    assertEquals(30_000.0, result.get("keys"));
    assertEquals(15_000.0, result.get("removed"));
    assertEquals(0.0, result.get("rateMeasured"));
    Run table = demo(SetVariant.Fault.NONE, "demo", "--keys", "-");
    assertTrue(table.out().contains("no key was lost, also when others were removed"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FORGETS_ONE_IN_A_THOUSAND    | set denied [1-9][0-9]* keys that it holds",
        "SAYS_YES_TO_TWO_IN_A_HUNDRED | set has a rate above the one asked",
        "FORGETS_ALL_ON_REMOVE        | set denied [1-9][0-9]* keys that it holds",
        "PUTS_SOMETHING_WHEN_OPENED   | set is not the same after saving and opening"
      })
  void aBrokenPromiseIsNamedAndIsExitCodeOne(SetVariant.Fault fault, String words) {
    Run run = demo(fault, "demo", "--keys", "-");
    assertEquals(ExitCode.NONE, run.exitCode(), run.out());
    String last = run.out().lines().reduce((one, other) -> other).orElseThrow();
    assertTrue(last.matches("A promise was broken: " + words + "\\."), last);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 500})
  void fewKeysAreTriedInManyFilters(int keys) throws IOException {
    String lines =
        IntStream.range(0, keys).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
    Path file = Files.writeString(folder.resolve("few"), lines);
    Run run = Run.of("demo", "--json", "--keys", file);
    assertEquals(ExitCode.OK, run.exitCode(), run.out());
    for (Map<String, Object> result : JsonObjects.parse(run.out())) {
      assertEquals((double) keys, result.get("keys"));
      assertEquals(Math.ceil(100_000.0 / (4 * keys)), result.get("filters"));
      assertTrue((double) result.get("absentAsked") >= 100_000, result + "");
    }
  }

  @Test
  void absentKeysAreNoneOfTheKeysEvenIfThoseLookDerived() throws Exception {
    // Every key but the first is what the one before it would be derived into.
    String lines = IntStream.range(0, 200).mapToObj("~"::repeat).collect(Collectors.joining("\n"));
    Path file = Files.writeString(folder.resolve("waves"), lines + "\n" + lines + "\n");
    Session session = new Session(null, null, null, false, Bloomery::installed);
    DemoKeys keys = DemoKeys.of(Inputs.of(session, List.of(file.toString())), "waves");
    assertEquals(200, keys.present().size(), "duplicates count once");
    Set<String> present = new HashSet<>();
    keys.present().forEach(key -> present.add(new String(key, StandardCharsets.US_ASCII)));
    assertEquals(800, keys.absent().size());
    for (byte[] key : keys.absent()) {
      assertTrue(present.add(new String(key, StandardCharsets.US_ASCII)), "length " + key.length);
      present.remove(new String(key, StandardCharsets.US_ASCII));
    }
  }

  @Test
  void aFileWithoutLinesIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("empty"));
    Run run = Run.of("demo", "--keys", file);
    assertEquals(ExitCode.USAGE, run.exitCode());
    assertEquals("bloomery: " + file + " has no lines; a demo needs at least one key\n", run.err());
  }
}
