package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.broken.Patch;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.RateCell;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.standard.StandardProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reports for tests of what is made from them. */
public final class SampleReports {

  /** A detail as a failing race may have it: different in every run. */
  public static final String RACE_DETAIL = "hash 17 is lost in a round that no other run has";

  /** A variant with characters that file systems, shells and Markdown each take for their own. */
  public static final String ODD_VARIANT = "../Acme | `its` \"filter\" #1";

  private SampleReports() {}

  /** Returns a report on the standard filter, which was not run. */
  static ConformanceReport of(Map<Rule, Outcome> outcomes, String... doubts) {
    return new ConformanceReport(
        TestedCode.of(StandardProvider.class, "standard", Set.of()),
        Tier.QUICK,
        1,
        List.of(),
        outcomes,
        Map.of(),
        Map.of(),
        0,
        List.of(doubts),
        1,
        0,
        Instant.EPOCH,
        Duration.ZERO,
        Duration.ZERO);
  }

  /** Returns outcomes by which all rules are kept, for a test to change. */
  static Map<Rule, Outcome> allKept() {
    Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      outcomes.put(rule, Outcome.of(Status.KEPT, ""));
    }
    return outcomes;
  }

  /** Runs rules on the standard filter, which keeps them. */
  public static ConformanceReport standard(long seed, Collection<Rule> rules) {
    return new ConformanceRunner()
        .tier(Tier.SMOKE)
        .seed(seed)
        .rules(rules)
        .run(new StandardProvider());
  }

  /** Runs some rules on filters that find half of all absent hashes, but no negative one. */
  public static ConformanceReport broken(long seed) {
    return new ConformanceRunner()
        .tier(Tier.SMOKE)
        .seed(seed)
        .rules(List.of(Rule.R02, Rule.R11, Rule.R17, Rule.R40))
        .run(PatchedProvider.with(Patch.mightContain((filter, hash) -> hash >= 0)));
  }

  /**
   * Makes a report with something in every field, and with what must not break a file or a page. A
   * race is lost in it.
   *
   * @param detail why
   * @param raced in how many rounds it was not lost before
   */
  public static ConformanceReport odd(String variant, String detail, long raced) {
    Map<Rule, Outcome> outcomes = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      outcomes.put(rule, new Outcome(Status.KEPT, "", Duration.ofMillis(1_234)));
    }
    outcomes.put(Rule.R40, new Outcome(Status.BROKEN, detail, Duration.ofMillis(5)));
    outcomes.put(Rule.R42, new Outcome(Status.NOT_RUN, "| no |\n\n``` two cores", Duration.ZERO));
    outcomes.put(Rule.R50, Outcome.of(Status.NOT_APPLICABLE, "not applicable: no"));
    Map<Rule, Evidence> evidence = new EnumMap<>(Rule.class);
    Arrays.stream(Rule.values()).forEach(rule -> evidence.put(rule, new Evidence()));
    evidence.get(Rule.R01).found(123_456_789);
    evidence.get(Rule.R11).rate(cell("a | `b`\n<c>", 0.5, 7));
    evidence.get(Rule.R11).rate(cell("no plan", Double.NaN, 0));
    evidence.get(Rule.R11).rate(cell("no end", Double.POSITIVE_INFINITY, 1_000));
    evidence.get(Rule.R38).refused("layout | of old");
    evidence.get(Rule.R38).accepted("other k");
    evidence.get(Rule.R38).cost(4_096, 1_234_567);
    evidence.get(Rule.R40).raced(raced);
    evidence.get(Rule.R41).raced(1_400);
    evidence.get(Rule.R42).refused("before it was given up");
    return new ConformanceReport(
        new TestedCode(
            variant,
            "com.example.Acme$1",
            Optional.of("1.0"),
            Optional.of("unreadable: /home/somebody/acme.jar"),
            Set.of(Capability.MERGING, Capability.GROWTH)),
        Tier.NIGHTLY,
        Long.MIN_VALUE,
        List.of(1L, Long.MAX_VALUE),
        outcomes,
        evidence,
        Map.of("shared", 17, "a | `class`", 0),
        50,
        List.of("half a \ud800 pair", "two\nlines \u001b[31m"),
        0.97,
        Double.NaN,
        Instant.parse("2026-11-21T01:02:03Z"),
        Duration.ofSeconds(20),
        Duration.ofSeconds(33));
  }

  private static RateCell cell(String what, double bound, long hits) {
    return new RateCell(
        new RateSample(what, 10, 5, 3, 64, 1_000, hits), RateCell.Side.NOT_ABOVE, bound, 1e-20);
  }
}
