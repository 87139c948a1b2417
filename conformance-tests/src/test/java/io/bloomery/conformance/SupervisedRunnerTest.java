package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.conformance.broken.PatchedFilter;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.VariantProvider;
import io.bloomery.standard.StandardProvider;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that no provider ends a run, or passes by ending it. */
class SupervisedRunnerTest {

  private static final Set<Rule> SOME = Set.of(Rule.R01, Rule.R04, Rule.R18, Rule.R49);

  private final List<String> log = new CopyOnWriteArrayList<>();

  private ConformanceReport run(
      ConformanceRunner runner, Class<? extends VariantProvider> provider) {
    return SupervisedRunner.of(runner).log(log::add).run(provider);
  }

  private ConformanceReport run(Class<? extends VariantProvider> provider) {
    return run(new ConformanceRunner().rules(SOME).patience(Duration.ZERO), provider);
  }

  @Test
  void theReportIsTheOneThatIsMadeHere() {
    ConformanceRunner runner =
        new ConformanceRunner()
            .tier(Tier.SMOKE)
            .rules(Set.of(Rule.R01, Rule.R11, Rule.R38, Rule.R51))
            .seed(7);
    ConformanceReport here = runner.run(new StandardProvider());
    ConformanceReport there = run(runner, StandardProvider.class);
    assertEquals(Verdict.PASS, there.verdict(), there::toString);
    assertEquals(here.toString(), there.toString());
    assertEquals(here.code(), there.code());
    assertEquals(here.coverage(), there.coverage());
    assertEquals(here.alphaSpent(), there.alphaSpent());
    assertEquals(here.keysQueried(), there.keysQueried());
    assertEquals(here.badInputs(), there.badInputs());
    assertEquals(here.evidence().get(Rule.R11).rates(), there.evidence().get(Rule.R11).rates());
    assertEquals(0, there.raceSensitivity(), "none of these races");
    assertEquals(List.of(), log);
  }

  /** A thread that shows progress goes on until the JVM ends. */
  @Test
  void nothingIsWrittenBehindTheLastRecord(@TempDir Path folder) throws IOException {
    for (ChildTask.Mark last : List.of(ChildTask.Mark.DONE, ChildTask.Mark.STUCK)) {
      File file = folder.resolve(last.name()).toFile();
      SecretKey key = ProgressFile.newKey();
      ProgressFile out = new ProgressFile(file, key);
      out.write(ChildTask.Mark.PROGRESS);
      out.write(last);
      out.write(ChildTask.Mark.PROGRESS);
      List<Object> records = new ArrayList<>();
      ProgressFile.read(file, key, records::add);
      assertEquals(List.of(ChildTask.Mark.PROGRESS, last), records);
    }
  }

  @Test
  @Tag("nightly")
  void howOftenALostUpdateShowsIsMeasuredForRulesThatRace() {
    ConformanceRunner runner = new ConformanceRunner().tier(Tier.SMOKE).rules(Set.of(Rule.R42));
    ConformanceReport report = run(runner, StandardProvider.class);
    assertEquals(Verdict.PASS, report.verdict(), report::toString);
    assertTrue(report.raceSensitivity() > 0, report::summary);
  }

  @Test
  void whoeverEndsTheJvmHasBrokenTheRuleThatWasChecked() {
    ConformanceRunner runner =
        new ConformanceRunner()
            .tier(Tier.SMOKE)
            .rules(Set.of(Rule.R01, Rule.R04, Rule.R18, Rule.R24))
            .patience(Duration.ZERO);
    ConformanceReport report = run(runner, Escaping.Exits.class);
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
  @Tag("nightly")
  void nobodyElseCanSayThatAllIsDone() {
    ConformanceReport report = run(Escaping.Pretends.class);
    assertEquals(Set.of(Rule.R01, Rule.R04, Rule.R49), report.failures(), report::toString);
    assertEquals(Status.KEPT, report.outcome(Rule.R18).status());
    assertTrue(log.contains("says that all is done"), log::toString);
  }

  @Test
  @Tag("nightly")
  void aProviderThatEndsTheJvmWhenItIsLoadedBreaksAllRules() {
    ConformanceReport report = run(Escaping.EndsAtOnce.class);
    assertEquals(SOME, report.failures());
    assertEquals(Verdict.FAIL, report.verdict(), report::toString);
    assertTrue(
        report.outcome(Rule.R01).detail().endsWith(", while it was loaded"), report::toString);
  }

  @Test
  @Tag("nightly")
  void aProviderThatHangsWhenItIsLoadedBreaksAllRules() {
    ConformanceRunner runner = new ConformanceRunner().rules(SOME).limit(Duration.ofSeconds(2));
    ConformanceReport report = run(runner, Escaping.HangsAtOnce.class);
    assertEquals(Verdict.FAIL, report.verdict(), report::toString);
    assertEquals(SOME, report.failures());
    String detail = report.outcome(Rule.R01).detail();
    assertTrue(detail.contains("HangsAtOnce must end, but was not done after 2 s"), detail);
  }

  @Test
  void variantsAreKnownWithoutLoadingProvidersHere() throws IOException {
    SupervisedRunner runner = SupervisedRunner.of(new ConformanceRunner()).log(log::add);
    assertEquals(
        Map.of("standard", StandardProvider.class),
        runner.variants(List.of(StandardProvider.class)));
    ServiceConfigurationError ended =
        assertThrows(
            ServiceConfigurationError.class,
            () -> runner.variants(List.of(StandardProvider.class, Escaping.EndsAtOnce.class)));
    assertEquals(
        "the JVM that loads " + Escaping.EndsAtOnce.class.getName() + " ended with exit code 0",
        ended.getMessage());
    IllegalStateException twice =
        assertThrows(
            IllegalStateException.class,
            () -> runner.variants(List.of(StandardProvider.class, Escaping.Exits.class)));
    assertTrue(
        twice.getMessage().startsWith("each variant must have one provider, but 'standard' has "),
        twice::getMessage);
  }

  @Test
  @Tag("nightly")
  void aProviderThatHangsBreaksTheRuleThatWasChecked() {
    ConformanceRunner runner =
        new ConformanceRunner()
            .rules(Set.of(Rule.R01, Rule.R04, Rule.R18))
            .patience(Duration.ZERO)
            .limit(Duration.ofSeconds(2));
    ConformanceReport report = run(runner, Escaping.Hangs.class);
    assertEquals(Set.of(Rule.R01, Rule.R04), report.failures(), report::toString);
    assertEquals(Status.KEPT, report.outcome(Rule.R18).status(), report::toString);
    String detail = report.outcome(Rule.R04).detail();
    assertTrue(detail.contains("was not done after 2 seconds"), detail);
    assertTrue(detail.contains("mightContain"), detail);
  }

  @Test
  @Tag("nightly")
  void whatAProviderPrintsGoesToTheLog() {
    ConformanceReport report = run(Escaping.Chatters.class);
    assertEquals(Verdict.PASS, report.verdict(), report::toString);
    assertTrue(log.contains("wrapped by SHARED"), log::toString);
  }

  @Test
  @Tag("nightly")
  void aProviderThatOnlyTheCallerCanMakeIsNotRun() {
    ConformanceReport report = run(PatchedProvider.of(PatchedFilter::new).getClass());
    assertEquals(Verdict.INCONCLUSIVE, report.verdict(), report::toString);
    assertEquals(SOME, report.failures());
    String detail = report.outcome(Rule.R01).detail();
    assertTrue(detail.endsWith("must have a constructor without parameters, but has none"), detail);
  }

  @Test
  void recordsOfOthersAreNotRead(@TempDir Path folder) throws IOException {
    File file = folder.resolve("progress").toFile();
    SecretKey key = ProgressFile.newKey();
    ProgressFile out = new ProgressFile(file, key);
    out.write(Rule.R01);
    byte[] first = Files.readAllBytes(file.toPath());
    out.write("a case");
    byte[] both = Files.readAllBytes(file.toPath());
    assertEquals(List.of(Rule.R01, "a case"), read(file, key));
    assertEquals(List.of(), read(file, ProgressFile.newKey()));
    for (int length = 0; length < both.length; length++) {
      Files.write(file.toPath(), Arrays.copyOf(both, length));
      int whole = length < first.length - 1 ? 0 : length < both.length - 1 ? 1 : 2;
      assertEquals(List.of(Rule.R01, "a case").subList(0, whole), read(file, key));
    }
    for (int at = 0; at < both.length; at++) {
      byte[] changed = both.clone();
      changed[at] ^= 1;
      Files.write(file.toPath(), changed);
      int whole = at < first.length ? 0 : 1;
      assertEquals(List.of(Rule.R01, "a case").subList(0, whole), read(file, key));
    }
  }

  private static List<Object> read(File file, SecretKey key) throws IOException {
    List<Object> records = new ArrayList<>();
    ProgressFile.read(file, key, records::add);
    return records;
  }
}
