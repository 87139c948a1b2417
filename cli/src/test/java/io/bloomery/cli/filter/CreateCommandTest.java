package io.bloomery.cli.filter;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.StoredBloomFilter;
import io.bloomery.cli.CutCable;
import io.bloomery.cli.PronounceableWords;
import io.bloomery.cli.Run;
import io.bloomery.cli.SetVariant;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.option.Growth;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.VariantProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CreateCommandTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("made.bloom");
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content, StandardCharsets.UTF_8);
  }

  @Test
  void stringsOfAProgramAreFoundInAFilterOfLines() throws IOException {
    Path words = write("words", "iron\r\nbloom\n\ngr\u00fcn \ud83d\udd25\nlast");
    Run run = Run.of("create", "-o", file, words).assertEnds(ExitCode.OK);
    assertEquals("", run.out());
    assertEquals("bloomery: " + file + ": 5 lines added, at least 5 new\n", run.err());
    BloomFilter<String> filter = Bloomery.strings().open(file);
    for (String key : new String[] {"iron", "bloom", "", "gr\u00fcn \ud83d\udd25", "last"}) {
      assertTrue(filter.mightContain(key), key);
    }
    assertFalse(filter.mightContain("iron\r"));
    assertEquals(5, filter.spec().expectedKeys());
    assertEquals(0.01, filter.spec().falsePositiveRate());
    assertEquals("standard", filter.filter().variant());
  }

  @Test
  void linesOfAllFilesAreCountedAndPut() throws IOException {
    Path one = write("one", "a\nb\n");
    Path two = write("two", "c");
    Run.command("create -o %s --fpp 0.0001 --variant standard %s %s", file, one, two)
        .assertEnds(ExitCode.OK);
    BloomFilter<String> filter = Bloomery.strings().open(file);
    assertEquals(3, filter.spec().expectedKeys());
    assertEquals(0.0001, filter.spec().falsePositiveRate());
    assertTrue(filter.mightContain("a") && filter.mightContain("b") && filter.mightContain("c"));
  }

  @Test
  void aFileWithoutLinesMakesAnEmptyFilterForOneKey() throws IOException {
    Run run = Run.of("create", "-o", file, write("empty", "")).assertEnds(ExitCode.OK);
    BloomFilter<String> filter = Bloomery.strings().open(file);
    assertEquals(1, filter.spec().expectedKeys());
    assertEquals(0, filter.stats().setBits());
    assertTrue(run.err().contains("is empty and has room for one"), run.err());
    for (Object[] arguments :
        new Object[][] {
          {"--expected=9", write("empty", "")},
          {"-"},
          {"--format=guava", "--encoding=utf-8", write("empty", "")},
          {"--csv=a", write("header", "a\n")},
        }) {
      Run.of("create", "--force", "-o", file, arguments)
          .assertEnds(ExitCode.OK, "has no keys, so the filter is empty");
    }
  }

  @Test
  void theStandardInputIsReadWhenNothingOrADashIsNamed() throws IOException {
    Path other = write("other", "b\n");
    Run.piped("a\n", "create -o %s --expected 9", file).assertEnds(0);
    assertTrue(Bloomery.strings().open(file).mightContain("a"));
    Path both = folder.resolve("both.bloom");
    Run.piped("a\n", "create -o %s --expected 9 %s -", both, other).assertEnds(0);
    BloomFilter<String> filter = Bloomery.strings().open(both);
    assertTrue(filter.mightContain("a") && filter.mightContain("b"));
    assertEquals(9, filter.spec().expectedKeys());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10_000, 70_000})
  void linesThatCannotBeCountedFirstGoIntoAFilterThatGrows(int lines) throws IOException {
    String text = lines(0, lines);
    Run run = Run.piped(text, "create -o %s --fpp 0.02", file).assertEnds(ExitCode.OK);
    String warning = lines == 0 ? "bloomery: warning: .* the filter is empty; .*\n" : "";
    String[] parts = run.err().replaceFirst(warning, "").split("; ", 2);
    assertTrue(
        parts[0].startsWith(String.format("bloomery: %s: %,d lines added, ", file, lines)),
        run.err());
    assertEquals(
        "variant scalable, which grows, since the lines of the standard input cannot be counted"
            + " first\n",
        parts[1]);
    BloomFilter<String> filter = Bloomery.strings().open(file);
    assertEquals(DefaultVariants.GROWING, filter.filter().variant());
    assertEquals(10_000, filter.spec().expectedKeys());
    assertEquals(0.02, filter.spec().falsePositiveRate());
    for (int i = 0; i < lines; i++) {
      assertTrue(filter.mightContain(PronounceableWords.at(i)), "line " + i);
    }
    assertTrue(filter.stats().falsePositiveRate() <= 0.02, filter.stats() + "");
  }

  @Test
  void aVariantThatGrowsNeedsNoNumberEither() throws IOException {
    Run run = Run.piped("a\n", "create -o %s --variant scalable -", file);
    assertEquals("bloomery: " + file + ": 1 lines added, at least 1 new\n", run.err());
    assertEquals(10_000, Bloomery.strings().open(file).spec().expectedKeys());
  }

  @Test
  void aVariantThatGrowsIsMadeForTheLinesOfFiles() throws IOException {
    Path words = write("words", "a\nb\nc\n");
    Run run = Run.command("create -o %s --variant scalable %s", file, words);
    assertEquals("bloomery: " + file + ": 3 lines added, at least 3 new\n", run.err());
    BloomFilter<String> filter = Bloomery.strings().open(file);
    assertEquals(DefaultVariants.GROWING, filter.filter().variant());
    assertEquals(3, filter.spec().expectedKeys());
  }

  @Test
  void aPipeWithANumberOfKeysGoesIntoAFilterForThem() throws IOException {
    Run.piped("a\n", "create -o %s --expected 9", file);
    assertEquals("standard", Bloomery.strings().open(file).filter().variant());
  }

  static Stream<String> variantsThatDoNotGrow() {
    return Bloomery.installed().providers().all().stream()
        .filter(provider -> !Growth.isIn(provider.plan(FilterSpec.of(1_000, 0.01))))
        .map(FilterProvider::variant);
  }

  @ParameterizedTest
  @MethodSource("variantsThatDoNotGrow")
  void anyOtherVariantNeedsANumberOfKeysFromAPipe(String variant) {
    Run.assertFails(
        ExitCode.USAGE,
        "variant '"
            + variant
            + "' needs to know how many lines to expect, and those of the standard input cannot be"
            + " counted first; say it, as in --expected 1000000, or take variant 'scalable', which"
            + " needs no number",
        Run.reading(new CutCable(), "create", "-o", file, "--variant", variant));
    assertFalse(Files.exists(file));
  }

  @Test
  void aFilterThatIsBuiltOnceIsBuiltOfAPipe() throws IOException {
    int different = 20_000;
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 3 * different; i++) {
      lines.add("line " + i % different);
    }
    Run run =
        Run.piped(String.join("\n", lines), "create -o %s --variant fuse", file)
            .assertEnds(ExitCode.OK);
    assertEquals("bloomery: " + file + ": 60,000 lines added, at least 20,000 new\n", run.err());
    Collections.shuffle(lines, new Random(1));
    Path shuffled = write("lines", String.join("\n", lines));
    Path other = folder.resolve("other.bloom");
    Run.command("create -o %s --variant fuse %s", other, shuffled);
    assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(other));
    StoredBloomFilter<String> filter = Bloomery.strings().openView(file);
    assertEquals(different, filter.spec().expectedKeys());
    assertTrue(lines.stream().allMatch(filter::mightContain));
    Run found = Run.piped("line 7\nline x7\n", "check %s", file);
    assertEquals("line 7\n", found.out());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "--expected 2, there must be at most the 2 expected distinct hashes",
    "--fpp 1e-11, variant 'standard'",
    "--temporary-directory /no/such, must be an existing folder",
    "--variant standard --temporary-directory ., is for variants that are built once"
  })
  void whatNoFilterThatIsBuiltOnceKeepsIsRefused(String options, String reason) {
    Run.piped(
            "a\nb\nc",
            "create -o "
                + file
                + (options.contains("--variant ") ? " " : " --variant fuse ")
                + options)
        .assertEnds(ExitCode.USAGE, reason);
    assertFalse(Files.exists(file));
  }

  @Test
  void aRateTooLowForAFilterThatGrowsSaysWhatIs() {
    Run run = Run.piped("a", "create -o %s --fpp 2e-15", file).assertEnds(ExitCode.USAGE);
    assertTrue(
        run.err().startsWith("bloomery: the first layer of a scalable filter keeps a part of"),
        run.err());
    assertEquals(1, run.err().lines().count());
  }

  @Test
  void aFilterThatIsFullIsNotSaved() {
    SetVariant variant = new SetVariant(SetVariant.Fault.IS_FULL_WHEN_IT_HOLDS_WHAT_IT_EXPECTED);
    Run.assertFails(
        ExitCode.USAGE,
        file + " was not saved: the filter is full; allow more when creating it",
        Run.with(
            new ByteArrayInputStream(new byte[] {'a', '\n', 'b', '\n', 'c'}),
            () -> Bloomery.with(variant),
            "create --variant set --expected 2 -o".split(" "),
            file));
    assertFalse(Files.exists(file));
  }

  @Test
  void aFileThatExistsIsRefusedBeforeAnyInputIsRead() throws IOException {
    byte[] before = Files.readAllBytes(write("made.bloom", "precious"));
    // Reading would fail, with another message.
    Run.assertFails(
        ExitCode.USAGE,
        file + " exists; use 'bloomery add' to add to it, or --force to replace it",
        Run.reading(new CutCable(), "create", "-o", file, "--expected", 1));
    assertArrayEquals(before, Files.readAllBytes(file));
    Run.piped("a", "create -o %s --expected 1 --force", file).assertEnds(0);
    assertTrue(Bloomery.strings().open(file).mightContain("a"));
  }

  @Test
  void moreKeysThanExpectedAreSaidToRaiseTheRate() throws IOException {
    String lines = lines(0, 2_000);
    Run run =
        Run.piped(lines, "create -o %s --expected 1000", file)
            .assertEnds(
                ExitCode.OUTGROWN, "warning: " + file + " expects 1,000 keys but holds about ");
    assertEquals(2, run.err().lines().count(), run.err());
    Run quiet =
        Run.piped(lines, "create -q -o %s --force --expected 10", file)
            .assertEnds(ExitCode.OUTGROWN);
    assertTrue(
        quiet.err().startsWith("bloomery: warning: " + file + " expects 10 keys but holds "),
        quiet.err());
    assertEquals(1, quiet.err().lines().count(), quiet.err());
    assertTrue(Files.exists(file));
    Run json = Run.piped(lines, "create -q --json -o %s --force --expected 1000", file);
    assertEquals(true, json.json().get("outgrown"));
  }

  /**
   * With 22 estimated keys, four deviations are too few to exclude 10, but the keys were counted.
   */
  @Test
  void aFewKeysMoreThanExpectedAreCountedAndNotOnlyEstimated() {
    String lines = lines(0, 20);
    Run.piped(lines, "create -q -o %s --expected 10", file)
        .assertEnds(ExitCode.OUTGROWN, " expects 10 keys but holds about ");
  }

  @Test
  void theExitCodeOfAFilterThatIsTooSmallIsExplained() {
    for (String command : new String[] {"create", "add", "merge", "dedupe", ""}) {
      String help = Run.of((Object[]) (command + " --help").strip().split(" ")).out();
      assertTrue(help.contains("\n  5   "), help);
    }
  }

  @Test
  void asManyKeysAsExpectedRaiseNoWarning() {
    for (int keys : new int[] {1, 10, 1_000, 50_000}) {
      String lines = lines(0, keys);
      Run run = Run.piped(lines, "create -o %s --force --expected %s", file, keys);
      assertEquals(1, run.err().lines().count(), run.err());
      run.assertEnds(ExitCode.OK);
    }
  }

  @Test
  void aFailingInputLeavesNothingBehind() throws IOException {
    Run.assertFails(
        ExitCode.BAD_FILE,
        "the standard input: the cable is cut; see that it can be read",
        Run.reading(new CutCable(), "create", "-o", file, "--expected", 1));
    try (var files = Files.list(folder)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void aBuildThatNeedsMoreMemoryNamesWhatToGiveJava() {
    VariantProvider fuse = Bloomery.installed().providers().variant("fuse");
    long needed = Runtime.getRuntime().maxMemory() / 2 + 1;
    VariantProvider greedy =
        (VariantProvider)
            Proxy.newProxyInstance(
                StaticFilterProvider.class.getClassLoader(),
                new Class<?>[] {StaticFilterProvider.class},
                (proxy, method, arguments) ->
                    method.getName().equals("bytesToBuild")
                        ? needed
                        : method.invoke(fuse, arguments));
    Run run =
        Run.with(
                new ByteArrayInputStream("a\n".getBytes(StandardCharsets.US_ASCII)),
                () -> Bloomery.with(greedy),
                "create --variant fuse -o".split(" "),
                file)
            .assertEnds(ExitCode.USAGE);
    Matcher advised = Pattern.compile("JAVA_OPTS=-Xmx(\\d+)m bloomery").matcher(run.err());
    assertTrue(advised.find(), run.err());
    assertTrue((Long.parseLong(advised.group(1)) << 20) > 2 * needed, run.err());
    assertTrue(run.err().contains("half of Java's is allowed"), run.err());
  }
}
