package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.conformance.broken.PatchedFilter;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import io.bloomery.standard.StandardProvider;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Checks that no provider ends a run, or passes by ending it. */
class SupervisedRunnerTest {

  private static final Set<Rule> SOME = Set.of(Rule.R01, Rule.R04, Rule.R18, Rule.R49);

  private final List<String> log = new CopyOnWriteArrayList<>();

  private ConformanceReport run(ConformanceRunner runner, FilterProvider provider) {
    return SupervisedRunner.of(runner).log(log::add).run(provider);
  }

  private ConformanceReport run(FilterProvider provider) {
    return run(new ConformanceRunner().rules(SOME).patience(Duration.ZERO), provider);
  }

  @Test
  void theReportIsTheOneThatIsMadeHere() {
    ConformanceRunner runner =
        new ConformanceRunner().rules(Set.of(Rule.R01, Rule.R11, Rule.R38, Rule.R51)).seed(7);
    ConformanceReport here = runner.run(new StandardProvider());
    ConformanceReport there = run(runner, new StandardProvider());
    assertEquals(Verdict.PASS, there.verdict(), there::toString);
    assertEquals(here.toString(), there.toString());
    assertEquals(here.origin(), there.origin());
    assertEquals(here.coverage(), there.coverage());
    assertEquals(here.alphaSpent(), there.alphaSpent());
    assertEquals(here.keysQueried(), there.keysQueried());
    assertEquals(here.badInputs(), there.badInputs());
    assertEquals(here.evidence().get(Rule.R11).rates(), there.evidence().get(Rule.R11).rates());
    assertEquals(0, there.raceSensitivity(), "none of these races");
    assertEquals(List.of(), log);
  }

  @Test
  void howOftenALostUpdateShowsIsMeasuredForRulesThatRace() {
    ConformanceRunner runner = new ConformanceRunner().tier(Tier.SMOKE).rules(Set.of(Rule.R42));
    ConformanceReport report = run(runner, new StandardProvider());
    assertEquals(Verdict.PASS, report.verdict(), report::toString);
    assertTrue(report.raceSensitivity() > 0, report::summary);
  }

  @Test
  void whoeverEndsTheJvmHasBrokenTheRuleThatWasChecked() {
    ConformanceRunner runner =
        new ConformanceRunner().rules(Set.of(Rule.R01, Rule.R04, Rule.R18, Rule.R24));
    ConformanceReport report = run(runner, new Escaping.Exits());
    assertEquals(Set.of(Rule.R01, Rule.R24), report.failures(), report::toString);
    String detail = report.outcome(Rule.R01).detail();
    assertTrue(
        detail.matches(
            "(?s)the JVM of the provider ended with exit code 0, which no filter may bring about\n"
                + "  the case tried last: [0-9,]+ keys at .*"),
        detail);
    assertEquals(Status.KEPT, report.outcome(Rule.R04).status());
    assertEquals(Status.KEPT, report.outcome(Rule.R18).status());
    // One thing breaks both.
    assertEquals(List.of(List.of(Rule.R01, Rule.R24)), report.groupedFailures());
  }

  @Test
  void nobodyElseCanSayThatAllIsDone() {
    ConformanceReport report = run(new Escaping.Pretends());
    assertEquals(Set.of(Rule.R01, Rule.R04, Rule.R49), report.failures(), report::toString);
    assertEquals(Status.KEPT, report.outcome(Rule.R18).status());
    assertTrue(log.contains("DONE "), log::toString);
  }

  @Test
  void aProviderThatEndsTheJvmWhenItIsLoadedBreaksAllRules() {
    ConformanceReport report = run(new Escaping.EndsAtOnce());
    assertEquals(SOME, report.failures());
    assertEquals(Verdict.FAIL, report.verdict(), report::toString);
    assertTrue(
        report.outcome(Rule.R01).detail().endsWith(", while it was loaded"), report::toString);
  }

  @Test
  void aProviderThatHangsBreaksTheRuleThatWasChecked() {
    ConformanceRunner runner =
        new ConformanceRunner()
            .rules(Set.of(Rule.R01, Rule.R04, Rule.R18))
            .patience(Duration.ZERO)
            .limit(Duration.ofSeconds(2));
    ConformanceReport report = run(runner, new Escaping.Hangs());
    assertEquals(Set.of(Rule.R01, Rule.R04), report.failures(), report::toString);
    assertEquals(Status.KEPT, report.outcome(Rule.R18).status(), report::toString);
    String detail = report.outcome(Rule.R04).detail();
    assertTrue(detail.contains("was not done after 2 seconds"), detail);
    assertTrue(detail.contains("mightContain"), detail);
  }

  @Test
  void whatAProviderPrintsGoesToTheLog() {
    ConformanceReport report = run(new Escaping.Chatters());
    assertEquals(Verdict.PASS, report.verdict(), report::toString);
    assertTrue(log.contains("wrapped by SHARED"), log::toString);
  }

  @Test
  void aProviderThatOnlyTheCallerCanMakeIsCheckedHere() {
    int[] created = new int[1];
    ConformanceReport report =
        run(
            PatchedProvider.of(
                (provider, inner, mode) -> {
                  created[0]++;
                  return new PatchedFilter(provider, inner, mode);
                }));
    assertEquals(Verdict.PASS, report.verdict(), report::toString);
    assertTrue(created[0] > 0);
  }
}
