package io.bloomery.conformance.run;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.Bloomery;
import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.conformance.ConformanceRunner;
import io.bloomery.conformance.DayDraw;
import io.bloomery.conformance.Rule;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the suite on every provider that ServiceLoader finds. */
class InstalledProvidersTest {

  /** The smallest tier has no large tables for batches and views of files. */
  private static final Set<Rule> OF_LARGE_TABLES = EnumSet.of(Rule.R24, Rule.R25, Rule.R76);

  private static final Set<Capability> FIXED =
      EnumSet.of(
          Capability.NONE,
          Capability.PUTS,
          Capability.MERGING,
          Capability.POSITIONS,
          Capability.LIVING);

  private static final Set<Capability> COUNTING =
      EnumSet.complementOf(
          EnumSet.of(Capability.BUILT, Capability.GROWTH, Capability.LIMIT, Capability.LIVING));

  private static final Set<Capability> GROWING =
      EnumSet.of(Capability.NONE, Capability.PUTS, Capability.GROWTH);

  private static final Set<Capability> STATIC = EnumSet.of(Capability.NONE, Capability.BUILT);

  /** Returns which rules apply to a variant of the family, which is one of four kinds. */
  private static Set<Capability> applicable(VariantProvider variant) {
    if (!(variant instanceof FilterProvider provider)) {
      return STATIC;
    }
    if (RemovableFilter.class.isAssignableFrom(provider.filterType())) {
      return COUNTING;
    }
    Filter filter = provider.create(FilterSpec.of(1, 0.1), ThreadMode.CONFINED);
    return filter.stats().grows() ? GROWING : FIXED;
  }

  /**
   * Each in the smallest tier and, for some rules, in the quick one, with the seed of the build.
   * One, drawn, has large tables as well, and a new seed: filters that suit one seed would not be
   * found out by builds that always have the same. At night all have many, in larger tiers.
   */
  @TestFactory
  Stream<DynamicTest> everyInstalledProviderKeepsEveryRule() {
    List<VariantProvider> all = installed();
    Random draw = DayDraw.random();
    VariantProvider drawn = all.get(draw.nextInt(all.size()));
    ConformanceRunner ofBuild = new ConformanceRunner();
    ConformanceRunner fresh = ofBuild.seed(draw.nextLong());
    return all.stream()
        .flatMap(
            provider -> {
              ConformanceRunner runner = provider == drawn ? fresh : ofBuild;
              EnumSet<Rule> inQuick = EnumSet.of(Rule.R64); // has no part in the smallest tier
              if (provider == drawn) {
                inQuick.addAll(OF_LARGE_TABLES);
              }
              return Stream.of(
                  runner.tier(Tier.SMOKE).rules(EnumSet.complementOf(inQuick)).run(provider),
                  runner.rules(inQuick).run(provider));
            })
        .peek(report -> System.out.println(report.summary()))
        .flatMap(report -> tests(report));
  }

  private static List<VariantProvider> installed() {
    FilterProviders providers = Bloomery.installed().providers();
    return providers.variants().stream().map(providers::variant).toList();
  }

  private static Stream<DynamicTest> tests(ConformanceReport report) {
    Set<Capability> applicable =
        applicable(Bloomery.installed().providers().variant(report.variant()));
    String run = report.variant() + ", " + report.tier() + ": ";
    DynamicTest sound =
        dynamicTest(
            run + "the run can be relied on",
            () -> assertEquals(Verdict.PASS, report.verdict(), report::toString));
    return Stream.concat(
        Stream.of(sound),
        report.outcomes().entrySet().stream()
            .filter(entry -> entry.getValue().status() != Status.NOT_ASKED)
            .map(
                entry ->
                    dynamicTest(
                        run + entry.getKey().id() + ": " + entry.getKey().title(),
                        () ->
                            assertEquals(
                                applicable.contains(entry.getKey().capability())
                                    ? Status.KEPT
                                    : Status.NOT_APPLICABLE,
                                entry.getValue().status(),
                                entry.getValue().detail()))));
  }

  @Test
  void runInstalledHasAReportOfEach() {
    List<ConformanceReport> reports =
        new ConformanceRunner().tier(Tier.SMOKE).rules(Set.of(Rule.R04)).runInstalled();
    assertEquals(
        Set.copyOf(Bloomery.installed().providers().variants()),
        reports.stream().map(ConformanceReport::variant).collect(toSet()));
    reports.forEach(report -> assertEquals(Verdict.PASS, report.verdict(), report::toString));
  }

  @Test
  void theVariantsOfTheFamilyAreFoundAndNoOthers() throws IOException {
    Set<String> named = new TreeSet<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(Path.of(".."))) {
      for (Path module : modules) {
        for (Class<?> service : List.of(FilterProvider.class, StaticFilterProvider.class)) {
          Path services =
              module.resolve("src/main/resources/META-INF/services/" + service.getName());
          if (Files.exists(services)) {
            named.addAll(Files.readAllLines(services));
          }
        }
      }
    }
    assertEquals(
        named,
        installed().stream()
            .map(provider -> provider.getClass().getName())
            .collect(toCollection(TreeSet::new)));
  }

  @Test
  void noProviderIsAFailure() {
    List<FilterProvider> none = List.of();
    assertThrows(IllegalStateException.class, () -> new ConformanceRunner().runAll(none));
  }
}
