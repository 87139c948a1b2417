package io.bloomery.cli.trial;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.JsonObjects;
import io.bloomery.cli.Run;
import io.bloomery.cli.SetVariant;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.Terminal;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.RemovableFilter;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoCommandTest {

  private static final String LINES = lines(0, 30_000);

  @TempDir private Path folder;

  private static Run demo(SetVariant.Fault fault, Object... arguments) {
    InputStream in = new ByteArrayInputStream(LINES.getBytes(StandardCharsets.US_ASCII));
    return Run.with(in, () -> Bloomery.with(new SetVariant(fault)), arguments);
  }

  @Test
  void everyInstalledVariantKeepsItsPromises() throws IOException {
    Run run = Run.of("demo", "--json").assertEnds(ExitCode.OK);
    List<Map<String, Object>> results = JsonObjects.parse(run.out());
    assertEquals(
        Bloomery.installed().providers().variants(),
        results.stream().map(result -> result.get("variant")).toList());
    for (Map<String, Object> result : results) {
      assertTrue((double) result.get("keys") > 5_000, result + " of some JDK");
      assertEquals(0.0, result.get("falseNegatives"), result + "");
      assertEquals(0.01, result.get("targetRate"));
      assertTrue((double) result.get("rateMeasured") > 0, result + "");
      assertTrue((double) result.get("rateLow") <= 0.01, result + "");
      assertEquals(1e-6, result.get("boundFalseAlarm"));
      double bound = (double) result.get("rateBound");
      assertTrue(bound > 0.01 && bound < 0.012, result + "");
      assertTrue((double) result.get("rateMeasured") <= bound, result + "");
      assertTrue((double) result.get("absentQueried") >= 100_000, result + "");
      assertTrue((double) result.get("bitsPerKey") > 8, result + "");
      assertTrue((double) result.get("nanosPerAdd") > 0, result + "");
      assertTrue((double) result.get("nanosPerQuery") > 0, result + "");
      assertEquals(true, result.get("rateKept"));
      assertEquals(true, result.get("reopenedAsSaved"));
    }
  }

  @Test
  void theTableFitsAHundredColumnsAndNamesEveryVariant() {
    Run run = Run.of("demo").assertEnds(ExitCode.OK);
    assertEquals("", run.err());
    assertTrue(run.out().lines().allMatch(line -> line.length() <= 100), run.out());
    for (String variant : Bloomery.installed().providers().variants()) {
      assertTrue(run.out().contains("\n" + variant + " "), run.out());
    }
    // The table shows the basis of the verdict: each measured rate beside its bound.
    Matcher rates =
        Pattern.compile(" 0\\.01  (0\\.0\\d+) \\(at most (0\\.01\\d+)\\) ").matcher(run.out());
    for (String variant : Bloomery.installed().providers().variants()) {
      assertTrue(rates.find(), variant + run.out());
      assertTrue(
          Double.parseDouble(rates.group(1)) <= Double.parseDouble(rates.group(2)), run.out());
    }
    String removing =
        Bloomery.installed().providers().all().stream()
            .filter(provider -> RemovableFilter.class.isAssignableFrom(provider.filterType()))
            .map(FilterProvider::variant)
            .collect(Collectors.joining(" and "));
    String verdict = run.out().substring(run.out().lastIndexOf("\n\n") + 2);
    assertTrue(
        verdict.matches(
            """
            Every promise was kept:
            - No key was lost.
            - None was lost when others were removed, which REMOVING can do.
            - No measured rate is above the requested one beyond chance: none exceeds its bound,
              which the requested rate itself would exceed once in a million runs.
            - Nor is that of scalable, which was made for [0-9,]+ keys and took [0-9,]+.
            - Every filter, saved and opened again, is the same to the byte.
            """
                .replace("REMOVING", removing)),
        verdict);
  }

  @Test
  void aVariantThatCanRemoveOrGrowsIsMadeTo() throws IOException {
    Run run = demo(SetVariant.Fault.NONE, "demo", "--json", "--keys", "-").assertEnds(ExitCode.OK);
    Map<String, Object> result = run.json();
    assertEquals(30_000.0, result.get("keys"));
    assertEquals(3_000.0, result.get("expectedKeys"));
    assertEquals(15_000.0, result.get("removed"));
    assertEquals(0.0, result.get("rateMeasured"));
    String table = demo(SetVariant.Fault.NONE, "demo", "--keys", "-").out();
    assertTrue(table.contains("\n- None was lost when others were removed, which set can"), table);
    assertTrue(
        table.contains("\n- Nor is that of set, which was made for 3,000 keys and took 30,000.\n"),
        table);
  }

  @Test
  void bitsPerKeyAreThoseOfEverythingThatIsHeld() throws IOException {
    Path lines = Files.writeString(folder.resolve("lines"), LINES);
    for (Map<String, Object> result :
        JsonObjects.parse(Run.of("demo", "--json", "--keys", lines).out())) {
      String variant = (String) result.get("variant");
      Path file = folder.resolve(variant);
      Run.piped(
          LINES,
          "create -o %s --variant %s --expected %s",
          file,
          variant,
          Math.round((double) result.get("expectedKeys")));
      Map<String, Object> info = Run.of("info", "--json", file).json();
      assertEquals((double) info.get("payloadInBits") / 30_000, result.get("bitsPerKey"), variant);
    }
  }

  @Test
  void aLongNameOfAVariantKeepsTheColumnsInLine() {
    ExactRate rate = new ExactRate(0, 1);
    TrialResult shortName =
        new TrialResult("a", FilterDescription.NONE, 1, 1, 1, 0, 0.01, rate, 1, 1, 1, 0, true);
    TrialResult longName =
        new TrialResult(
            "acme-eighteen-long", FilterDescription.NONE, 1, 1, 1, 0, 0.01, rate, 1, 1, 1, 0, true);
    Session session =
        new Session(
            new ByteArrayInputStream(new byte[] {'a'}),
            null,
            null,
            Terminal.NONE,
            Bloomery::installed);
    DemoKeys keys = assertDoesNotThrow(() -> DemoKeys.of(Inputs.of(session, List.of()), "-"));
    List<String> lines =
        DemoTable.of(keys, new Trials(List.of(shortName, longName), Map.of())).lines().toList();
    assertEquals(List.of(100, 100), lines.subList(5, 7).stream().map(String::length).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FORGETS_ONE_IN_A_THOUSAND    | set denied [1-9][0-9]* keys that it holds",
        "SAYS_YES_TO_TWO_IN_A_HUNDRED | set has a rate above the requested one beyond chance:"
            + " 0.0\\d+, where 0.01\\d+ is the bound",
        "FORGETS_ALL_ON_REMOVE        | set denied [1-9][0-9]* keys that it holds",
        "PUTS_SOMETHING_WHEN_OPENED   | set is not the same after saving and opening",
        "FORGETS_WHAT_IT_DID_NOT_EXPECT              | set denied [1-9][0-9]* keys that it holds",
        "SAYS_YES_MORE_OFTEN_THAN_PLANNED_WHEN_GROWN | set has a rate above the requested one"
            + " beyond chance: 0.0\\d+, where 0.01\\d+ is the bound"
      })
  void aBrokenPromiseIsNamedAndIsExitCodeOne(SetVariant.Fault fault, String words) {
    Run run = demo(fault, "demo", "--keys", "-").assertEnds(ExitCode.NONE);
    String last = run.out().lines().reduce((one, other) -> other).orElseThrow();
    assertTrue(last.matches("- " + words), last);
    assertTrue(run.out().contains("\n\nA promise was broken:\n"), run.out());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 500})
  void fewKeysAreTriedInManyFilters(int keys) throws IOException {
    String lines = lines(0, keys);
    Path file = Files.writeString(folder.resolve("few"), lines);
    FilterProvider standard = Bloomery.installed().providers().get("standard");
    Run run =
        Run.with(
                InputStream.nullInputStream(),
                () -> Bloomery.with(standard),
                "demo",
                "--json",
                "--keys",
                file)
            .assertEnds(ExitCode.OK);
    for (Map<String, Object> result : JsonObjects.parse(run.out())) {
      assertEquals((double) keys, result.get("keys"));
      assertEquals(Math.ceil(100_000.0 / keys), result.get("filters"));
      assertTrue((double) result.get("absentQueried") >= 100_000, result + "");
    }
  }

  @Test
  void absentKeysAreNoneOfTheKeysEvenIfThoseLookDerived() throws Exception {
    // Appending '~' to a key, as for an absent key, gives the next key.
    String lines = IntStream.range(0, 200).mapToObj("~"::repeat).collect(Collectors.joining("\n"));
    Path file = Files.writeString(folder.resolve("waves"), lines + "\n" + lines + "\n");
    Session session = new Session(null, null, null, Terminal.NONE, Bloomery::installed);
    DemoKeys keys = DemoKeys.of(Inputs.of(session, List.of(file.toString())), "waves");
    assertEquals(200, keys.present().size(), "duplicates count once");
    Set<String> present = new HashSet<>();
    keys.present().forEach(key -> present.add(new String(key, StandardCharsets.US_ASCII)));
    assertEquals(200, keys.absent().size());
    for (byte[] key : keys.absent()) {
      assertTrue(present.add(new String(key, StandardCharsets.US_ASCII)), "length " + key.length);
      present.remove(new String(key, StandardCharsets.US_ASCII));
    }
  }

  @Test
  void aFileWithoutLinesIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("empty"));
    Run.assertFails(
        ExitCode.USAGE,
        file + " has no lines; a demo needs at least one key",
        Run.of("demo", "--keys", file));
  }
}
