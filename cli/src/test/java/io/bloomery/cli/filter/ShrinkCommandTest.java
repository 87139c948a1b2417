package io.bloomery.cli.filter;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ShrinkCommandTest {

  private static final String LINES = lines(0, 1_000);

  @TempDir private Path folder;

  private Path created(String options) {
    Path file = folder.resolve("seen.bloom");
    Run.piped(LINES, "create " + options + " -o %s", file).assertEnds(ExitCode.OK);
    return file;
  }

  private static Stream<String> variants(double rate, boolean fold) {
    FilterSpec spec = FilterSpec.of(20_000, rate);
    return Bloomery.installed().providers().all().stream()
        .filter(provider -> provider.plan(spec).folding().refusal(1).isEmpty() == fold)
        .map(FilterProvider::variant);
  }

  static Stream<Arguments> variantsThatFold() {
    return DoubleStream.of(0.01, 0.001)
        .boxed()
        .flatMap(rate -> variants(rate, true).map(variant -> arguments(variant, rate)));
  }

  @ParameterizedTest
  @MethodSource("variantsThatFold")
  void everyKeyStaysAndTheRateIsKept(String variant, double rate) throws IOException {
    int shrunk = 0;
    for (int keys = 20_000; keys < 24_000; keys += 500) {
      Path file =
          created("--force --variant " + variant + " --fpp " + rate + " --expected " + keys);
      long before = Files.size(file);
      Map<String, Object> dry = Run.command("shrink --dry-run --json --fpp 0.02 %s", file).json();
      assertEquals(before, Files.size(file));
      Run run = Run.command("shrink --fpp 0.02 %s", file).assertEnds(ExitCode.OK);
      assertEquals(((Number) dry.get("sizeInBytes")).longValue(), Files.size(file));
      assertEquals(LINES, Run.withInput(LINES, "check", file).out());
      Map<String, Object> info = Run.command("info --json %s", file).json();
      assertTrue(((Number) info.get("estimatedRate")).doubleValue() <= 0.02, info::toString);
      assertEquals(dry.get("targetRate"), info.get("targetRate"));
      assertEquals(keys, ((Number) info.get("expectedKeys")).intValue());
      if (Files.size(file) < before) {
        shrunk++;
        assertTrue(run.err().contains(": folded by "), run::err);
        assertTrue(Run.command("shrink --fpp 0.02 %s", file).err().contains("stays as it is"));
      }
    }
    assertTrue(shrunk > 3, "only " + shrunk + " of 8 were folded");
  }

  @Test
  void aDryRunNeedsNoLock() throws IOException {
    Path file = created("--expected 99999");
    try (FilterUpdate<Filter> update =
        Bloomery.installed().files().update(file, Duration.ZERO, OpenOptions.confined())) {
      Run.command("shrink --dry-run --wait 0 %s", file)
          .assertEnds(ExitCode.OK, ": would be folded by ");
      Run locked = Run.command("shrink --wait 0 %s", file);
      assertTrue(locked.err().contains("changing"), locked::err);
      assertEquals(99_999, update.filter().spec().expectedKeys());
    }
  }

  static Stream<String> optionsOfWhatDoesNotFold() {
    Stream<String> withoutSize =
        Stream.of(
            "--variant scalable",
            "--variant scalable --expected 10",
            "--variant fuse --fpp 0.001",
            "--variant fuse",
            "--variant fuse --fpp 0.1");
    Stream<String> withSize =
        DoubleStream.of(0.01, 0.1)
            .boxed()
            .flatMap(
                rate ->
                    variants(rate, false)
                        .map(
                            variant -> "--expected 20000 --variant " + variant + " --fpp " + rate));
    return Stream.concat(withoutSize, withSize);
  }

  @ParameterizedTest
  @MethodSource("optionsOfWhatDoesNotFold")
  void whatDoesNotFoldIsRefusedWithTheCommandThatMakesItSmallerOrWithNone(String options)
      throws IOException {
    int helped = 0;
    for (String rate : List.of("0.001", "0.01", "0.05")) {
      Path file = created("--force " + options);
      byte[] before = Files.readAllBytes(file);
      Run run = Run.command("shrink --fpp " + rate + " %s", file).assertEnds(ExitCode.USAGE);
      assertArrayEquals(before, Files.readAllBytes(file));
      Matcher command = Pattern.compile("'bloomery (create .* -o )NEW'").matcher(run.err());
      if (command.find()) {
        Path smaller = folder.resolve("smaller.bloom");
        Run.piped(LINES, command.group(1).replace("-o", "--force -o") + "%s", smaller);
        assertTrue(Files.size(smaller) < before.length, run.err());
        helped++;
      } else {
        assertTrue(run.err().contains("would be no smaller"), run.err());
      }
    }
    assertTrue(helped > 0 || options.endsWith("--fpp 0.1"), options);
  }

  @Test
  void aFoldableFilterShrinksAndOthersAreRefused() throws IOException {
    FilterProviders providers = Bloomery.installed().providers();
    FilterSpec spec = FilterSpec.of(20_000, 0.009);
    for (String variant : providers.variants()) {
      String options = "--foldable --expected 20000 --fpp 0.009 --variant " + variant;
      if (providers.variant(variant).plan(spec).folding().refusal(1).isPresent()) {
        Path none = folder.resolve("none.bloom");
        Run.piped(LINES, "create " + options + " -o %s", none)
            .assertEnds(ExitCode.USAGE, "--foldable needs a variant that folds");
        continue;
      }
      Path file = created("--force " + options);
      long before = Files.size(file);
      Run run = Run.command("shrink --fpp 0.02 %s", file);
      assertTrue(run.err().contains(": folded by "), run::err);
      assertTrue(Files.size(file) < before / 7, run::err);
      assertTrue(Run.command("info %s", file).out().matches("(?s).*\n *foldable +true\n.*"));
    }
  }

  @Test
  void badInputIsRefused() throws IOException {
    Path file = created("--expected 9999");
    byte[] before = Files.readAllBytes(file);
    Path absent = folder.resolve("absent");
    Run.command("shrink --fpp 1.5 %s", file).assertEnds(ExitCode.USAGE);
    Run.command("shrink -").assertEnds(ExitCode.USAGE);
    Run.command("shrink %s", absent).assertEnds(ExitCode.BAD_FILE);
    assertArrayEquals(before, Files.readAllBytes(file));
  }
}
