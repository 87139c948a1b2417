package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.conformance.broken.Broken;
import io.bloomery.conformance.broken.BrokenCalls;
import io.bloomery.conformance.broken.BrokenLimits;
import io.bloomery.conformance.broken.Patch;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import io.bloomery.standard.StandardProvider;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** Checks what a run reports. */
class ConformanceRunnerTest {

  @Test
  void aRuleThatWasNotRunIsAFailure() {
    Map<Rule, Outcome> outcomes = SampleReports.allKept();
    assertEquals(Verdict.PASS, SampleReports.of(outcomes).verdict());
    outcomes.remove(Rule.R07);
    assertEquals(Set.of(Rule.R07), SampleReports.of(outcomes).failures());
    assertEquals(Verdict.INCONCLUSIVE, SampleReports.of(outcomes).verdict());
  }

  @Test
  void aBrokenRuleFailsWhateverElseIsInDoubt() {
    Map<Rule, Outcome> outcomes = SampleReports.allKept();
    outcomes.put(Rule.R07, Outcome.of(Status.BROKEN, "why"));
    assertEquals(Verdict.FAIL, SampleReports.of(outcomes, "no fault was seen").verdict());
  }

  @Test
  void aRunThatSeesNoKnownFaultProvesNothing() {
    ConformanceReport report = SampleReports.of(SampleReports.allKept(), "no fault was seen");
    assertEquals(Verdict.INCONCLUSIVE, report.verdict());
    assertTrue(report.summary().contains("no fault was seen"), report::summary);
  }

  @Test
  void aRunWithoutAnyRuleProvesNothing() {
    Map<Rule, Outcome> outcomes = SampleReports.allKept();
    outcomes.replaceAll((rule, kept) -> Outcome.of(Status.NOT_APPLICABLE, ""));
    assertEquals(Verdict.INCONCLUSIVE, SampleReports.of(outcomes).verdict());
  }

  @Test
  void aContractCannotReplaceARule() {
    for (Method method : FilterContract.class.getDeclaredMethods()) {
      boolean open =
          !Modifier.isFinal(method.getModifiers())
              && !Modifier.isPrivate(method.getModifiers())
              && !method.isSynthetic();
      assertEquals(method.getName().equals("provider"), open, method::toString);
    }
  }

  @Test
  void aContractHasATestOfEachRuleAndOneOfTheSuite() {
    FilterContract contract =
        new FilterContract() {
          @Override
          protected FilterProvider provider() {
            return PatchedProvider.of(BrokenLimits.Limited::new);
          }
        };
    assertEquals(Rule.values().length + 1, contract.everyRuleIsKept().count());
    System.setProperty(Rule.PROPERTY, "R45,R51");
    try {
      List<DynamicTest> tests = contract.everyRuleIsKept().toList();
      assertEquals(
          List.of(
              "filters with known faults are rejected",
              "r45: " + Rule.R45.title(),
              "r51: " + Rule.R51.title()),
          tests.stream().map(DynamicTest::getDisplayName).toList());
      assertDoesNotThrow(tests.get(0).getExecutable());
      assertDoesNotThrow(tests.get(1).getExecutable());
      assertEquals(
          "not applicable: filters do not remove",
          assertThrows(TestAbortedException.class, tests.get(2).getExecutable()).getMessage());
    } finally {
      System.clearProperty(Rule.PROPERTY);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void whateverAFilterThrowsBreaksTheRuleAndNotTheRun() {
    List<Supplier<Throwable>> all =
        List.of(
            () -> new OutOfMemoryError("on purpose"),
            () -> new StackOverflowError("on purpose"),
            () -> new IOException("on purpose"),
            () -> new IllegalStateException("on purpose"));
    for (Supplier<Throwable> thrown : all) {
      ConformanceReport report =
          new ConformanceRunner()
              .rules(Set.of(Rule.R01, Rule.R24, Rule.R45, Rule.R49))
              .run(
                  PatchedProvider.with(
                      Patch.mightContain(
                          (filter, hash) -> {
                            throw ConformanceRunnerTest.<RuntimeException>unchecked(thrown.get());
                          })));
      assertEquals(Set.of(Rule.R01, Rule.R24, Rule.R49), report.failures(), report::toString);
      String detail = report.outcome(Rule.R01).detail();
      assertTrue(detail.startsWith(thrown.get().toString()), detail);
      assertTrue(
          detail.contains("\nat io.bloomery.conformance.internal.rules.MembershipRules.check"),
          detail);
      assertEquals(Status.KEPT, report.outcome(Rule.R45).status());
    }
  }

  private static final class Textless extends IllegalStateException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new UnsupportedOperationException("no text");
    }
  }

  /** Of a filter without text that loses every hash, or throws what has no text either. */
  @Test
  void aToStringThatThrowsDoesNotHideTheFailure() {
    for (boolean isThrowing : new boolean[] {false, true}) {
      ConformanceReport report =
          new ConformanceRunner()
              .rules(Set.of(Rule.R01, Rule.R02, Rule.R40))
              .patience(Duration.ZERO)
              .run(
                  PatchedProvider.with(
                      Patch.put(
                          (filter, hash) -> {
                            if (isThrowing) {
                              throw new Textless();
                            }
                            return true;
                          }),
                      Patch.text(
                          (filter, text) -> {
                            throw new UnsupportedOperationException("no text");
                          })));
      assertEquals(Set.of(Rule.R01, Rule.R02, Rule.R40), report.failures());
      for (Rule rule : report.failures()) {
        String detail = report.outcome(rule).detail();
        String first = detail.lines().findFirst().orElseThrow();
        assertTrue(
            first.contains("AssertionFailedError") || first.contains("ConformanceRunnerTest$"),
            detail);
        assertFalse(first.startsWith(UnsupportedOperationException.class.getName()), detail);
      }
    }
  }

  @Test
  void aRunForSomeRulesLeavesOutTheOthers() {
    ConformanceReport report =
        new ConformanceRunner().rules(Set.of(Rule.R45, Rule.R51)).run(new StandardProvider());
    assertEquals(Verdict.PASS, report.verdict(), report::toString);
    assertEquals(Status.KEPT, report.outcome(Rule.R45).status());
    assertEquals(Status.NOT_APPLICABLE, report.outcome(Rule.R51).status());
    assertEquals(Rule.values().length - 2, report.count(Status.NOT_ASKED));
    assertTrue(report.summary().startsWith("standard: PASS 1/1"), report::summary);
  }

  @Test
  void twoProvidersOfOneVariantAreRefused() {
    List<FilterProvider> twice = List.of(new StandardProvider(), new StandardProvider());
    IllegalStateException error =
        assertThrows(IllegalStateException.class, () -> new ConformanceRunner().runAll(twice));
    assertTrue(error.getMessage().contains("standard"), error::getMessage);
  }

  @Test
  void aProviderThatCannotBeLoadedIsAnErrorAndNoSkip(@TempDir Path folder) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(FilterProvider.class.getName()), "com.example.Missing");
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      Thread.currentThread().setContextClassLoader(loader);
      ConformanceRunner runner = new ConformanceRunner();
      assertThrows(ServiceConfigurationError.class, runner::runInstalled);
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  private static FilterProvider cannotCreate() {
    return PatchedProvider.with(
        Patch.create(
            (right, spec, mode, limits) -> {
              throw new IllegalStateException("not today");
            }));
  }

  /** What single calls show, threads and sequences of operations show as well. */
  @Test
  void failuresOfRulesOnSingleCallsAreToldFirst() {
    List<Rule> order = List.of(Rule.R04, Rule.R66, Rule.R40, Rule.R73, Rule.R49);
    ConformanceReport report =
        new ConformanceRunner().tier(Tier.SMOKE).rules(order).run(cannotCreate());
    assertEquals(order, List.copyOf(report.failures()));
    assertEquals(order.get(0), report.groupedFailures().get(0).get(0));
    assertTrue(report.summary().contains(order.toString()), report::summary);
  }

  @Test
  void aProviderThatCannotCreateFailsEveryRuleButThoseOfPlans() {
    ConformanceReport report = new ConformanceRunner().run(cannotCreate());
    Set<Rule> all = EnumSet.complementOf(EnumSet.of(Rule.R18, Rule.R19));
    // Whether filters are built, grow, name their positions or live in files, is seen without one.
    Set<Capability> seen =
        EnumSet.of(Capability.BUILT, Capability.GROWTH, Capability.POSITIONS, Capability.LIVING);
    all.removeIf(rule -> seen.contains(rule.capability()));
    assertEquals(all, report.failures(), report::toString);
  }

  @Test
  void aFailureSaysWhereItCameFromInTheProviderAndInTheRule() {
    ConformanceReport report =
        new ConformanceRunner()
            .rules(Set.of(Rule.R04))
            .run(
                PatchedProvider.with(
                    Patch.create((right, spec, mode, limits) -> right.create(null, mode, limits))));
    String detail = report.outcome(Rule.R04).detail();
    List<String> lines = detail.lines().toList();
    assertTrue(lines.get(0).startsWith("java.lang.NullPointerException"), detail);
    assertTrue(
        lines.stream().anyMatch(line -> line.startsWith("  the smallest case found")), detail);
    assertTrue(
        lines.get(lines.size() - 2).matches("at io\\.bloomery\\.(?!conformance).*\\.java:\\d+\\)"),
        detail);
    assertTrue(
        lines
            .get(lines.size() - 1)
            .matches(
                "at io\\.bloomery\\.conformance\\.internal\\.rules\\.MembershipRules\\.\\w+"
                    + "\\(MembershipRules\\.java:\\d+\\)"),
        detail);
  }

  @Test
  void aFailingSequenceIsShrunkToWhatMatters() {
    Broken broken =
        BrokenCalls.all().stream()
            .filter(one -> one.fault().equals("clear goes back to what was read"))
            .findAny()
            .orElseThrow();
    // As much time as it takes, however busy the machine is.
    ConformanceRunner runner =
        new ConformanceRunner().rules(Set.of(Rule.R49)).patience(Duration.ofMinutes(2));
    String detail = runner.run(broken.provider()).outcome(Rule.R49).detail();
    // Hashes, by whichever action, and the two steps that it takes to see the fault.
    assertTrue(
        detail.matches(
            "(?s).*\\[\"(flood|(put|putAll|merge)( many| in two threads)? \\[?\\d+\\]?)\","
                + " \"(write and read|read in other mode)\","
                + " \"clear\"\\].*"),
        detail);
  }

  @Test
  void aLimitThatEveryRuleWouldPassIsRefused() {
    for (Duration limit : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> new ConformanceRunner().limit(limit));
      assertEquals("limit must be above 0, but was " + limit, refusal.getMessage());
    }
  }

  @Test
  void aPropertySetsAnotherSeed() {
    String before = System.setProperty(Seeds.PROPERTY, "4711");
    try {
      ConformanceRunner runner = new ConformanceRunner().rules(Set.of(Rule.R01, Rule.R49));
      ConformanceReport report = runner.run(new StandardProvider());
      assertEquals(4711, report.seed());
      assertEquals(Verdict.PASS, report.verdict(), report::toString);
      assertTrue(report.toString().contains("seed 4711"), report::toString);
    } finally {
      if (before == null) {
        System.clearProperty(Seeds.PROPERTY);
      } else {
        System.setProperty(Seeds.PROPERTY, before);
      }
    }
  }
}
