package io.bloomery.proof.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** jcstress observes no forbidden outcome of any race, in shared filters of each variant. */
final class RacesTest {

  private static final Pattern RESULTS =
      Pattern.compile(
          "Results: (\\d+) planned; (\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard errs");

  static Stream<String> variants() {
    return ServiceLoader.load(FilterProvider.class).stream()
        .map(provider -> provider.get().variant())
        .sorted();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void noForbiddenOutcomeIsObserved(String variant) throws IOException, InterruptedException {
    List<String> races = races(variant);
    Path folder = Files.createDirectories(Path.of("target", "jcstress", variant).toAbsolutePath());
    Path log = folder.resolve("log.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + Variant.PROPERTY + "=" + variant,
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-m",
                "quick",
                "-f",
                "1",
                "-iters",
                "2",
                "-time",
                "200",
                "-t",
                "\\.race\\.(" + String.join("|", races) + ")$",
                "-r",
                folder.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()))
            .start();
    int exitCode = process.waitFor();
    String printed = Files.readString(log);
    MatchResult results =
        RESULTS
            .matcher(printed)
            .results()
            .reduce((first, second) -> second)
            .orElseThrow(() -> new AssertionError("jcstress did not run: " + printed));
    System.out.printf(
        "%-14s %3d races, %4s runs of them, %4s passed, %s failed%n",
        variant, races.size(), results.group(1), results.group(2), results.group(3));
    assertEquals(0, exitCode, () -> printed);
    assertEquals(results.group(1), results.group(2), () -> printed);
    assertTrue(Integer.parseInt(results.group(1)) >= races.size(), () -> printed);
  }

  private static List<String> races(String variant) {
    FilterProvider provider =
        ServiceLoader.load(FilterProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(found -> found.variant().equals(variant))
            .findFirst()
            .orElseThrow();
    Filter filter = provider.create(FilterSpec.of(1, 0.01), ThreadMode.SHARED);
    List<Class<?>> races =
        new ArrayList<>(
            List.of(
                EqualPuts.class,
                PutThenQuery.class,
                PutThenSelect.class,
                PutThenCopy.class,
                PutThenSave.class,
                PutThenStats.class,
                RegionEdge.class,
                PlainPublication.class));
    if (filter instanceof MergeableFilter) {
      races.addAll(List.of(PutThenMerge.class, MergeBesidePut.class));
    }
    if (filter instanceof RemovableFilter) {
      races.addAll(
          List.of(RemoveBesideQuery.class, RemoveBesidePut.class, SnapshotBesideRemove.class));
    }
    if (filter.stats().grows()) {
      races.addAll(List.of(EqualPutsAtGrowth.class, PutsAtGrowth.class));
    }
    return races.stream().map(Class::getSimpleName).toList();
  }
}
