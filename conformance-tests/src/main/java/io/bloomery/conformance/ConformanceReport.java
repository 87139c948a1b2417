package io.bloomery.conformance;

import io.bloomery.conformance.run.Evidence;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.RateCell;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of one run of the suite on one provider.
 *
 * @param code the code that was tested
 * @param tier the amount of testing
 * @param seed the seed of all random choices of the run
 * @param freshSeeds further seeds with which the rules of the quick tier were run
 * @param outcomes the outcome of each rule
 * @param evidence the evidence of each rule that was run
 * @param coverage the number of drawn cases in each class, such as a decade of keys
 * @param casesNeeded the number of cases required in each class that is offered; 0 in a run of some
 *     rules
 * @param doubts the reasons why the run is inconclusive even if every rule is kept; empty if there
 *     are none
 * @param raceSensitivity the fraction of rounds in which a lost update was detected on this machine
 * @param alphaSpent an upper bound on the probability that the statistical checks of the run fail a
 *     correct filter
 * @param started the start time
 * @param duration the duration of the run
 * @param processorTime the processor time that the JVMs of the run used, up to their last rule;
 *     zero if the system does not tell
 */
public record ConformanceReport(
    TestedCode code,
    Tier tier,
    long seed,
    List<Long> freshSeeds,
    Map<Rule, Outcome> outcomes,
    Map<Rule, Evidence> evidence,
    Map<String, Integer> coverage,
    int casesNeeded,
    List<String> doubts,
    double raceSensitivity,
    double alphaSpent,
    Instant started,
    Duration duration,
    Duration processorTime) {

  /** Copies lists and maps. */
  public ConformanceReport {
    freshSeeds = List.copyOf(freshSeeds);
    doubts = List.copyOf(doubts);
    outcomes = sorted(outcomes);
    evidence = sorted(evidence);
    coverage = Collections.unmodifiableMap(new LinkedHashMap<>(coverage));
  }

  private static <T> Map<Rule, T> sorted(Map<Rule, T> map) {
    Map<Rule, T> copy = new EnumMap<>(Rule.class);
    copy.putAll(map);
    return Collections.unmodifiableMap(copy);
  }

  /** The verdict of a run on a provider. */
  public enum Verdict {
    /** The provider keeps every applicable rule of the run. */
    PASS,
    /** The provider breaks a rule. */
    FAIL,
    /** There is no verdict: a rule was not run, or a filter with a known fault was not rejected. */
    INCONCLUSIVE
  }

  /** The status of a rule. */
  public enum Status {
    /** The rule is kept. */
    KEPT,
    /** The rule is broken. */
    BROKEN,
    /** The rule requires a capability that the filters do not have. */
    NOT_APPLICABLE,
    /** The rule was not checked, which counts as a failure. */
    NOT_RUN,
    /** The rule was not part of the run. */
    NOT_ASKED;

    /** Returns whether a run in which a rule has this status cannot pass. */
    public boolean isFailure() {
      return this == BROKEN || this == NOT_RUN;
    }
  }

  /**
   * The outcome of one rule.
   *
   * @param status whether the rule is kept
   * @param detail the reason if it is not, with the smallest failing case found; empty if it is
   *     kept
   * @param duration the duration of the check
   * @param cause the exception thrown within the provider and the line that threw it, which
   *     failures of other rules may share; empty if nothing was thrown there
   */
  public record Outcome(Status status, String detail, Duration duration, String cause)
      implements Serializable {

    /** Creates an outcome whose cause is not known to be a line of the provider. */
    public Outcome(Status status, String detail, Duration duration) {
      this(status, detail, duration, "");
    }

    static Outcome of(Status status, String detail) {
      return new Outcome(status, detail, Duration.ZERO);
    }

    Outcome after(Duration time) {
      return new Outcome(status, detail, time, cause);
    }

    Outcome saying(String other) {
      return new Outcome(status, other, duration, cause);
    }
  }

  /** Returns the variant of the provider. */
  public String variant() {
    return code.variant();
  }

  /** Returns the outcome of a rule. */
  public Outcome outcome(Rule rule) {
    return outcomes.getOrDefault(rule, Outcome.of(Status.NOT_RUN, "was not run"));
  }

  /**
   * Returns the rules that are broken or were not run: those on single calls first, since what they
   * name is the fault even where threads or sequences of operations show it as well.
   */
  public Set<Rule> failures() {
    return Arrays.stream(Rule.values())
        .filter(rule -> outcome(rule).status().isFailure())
        .sorted(Comparator.comparing(ConformanceReport::blamed))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static int blamed(Rule rule) {
    if (rule == Rule.R49) {
      return 2;
    }
    return SelfCheck.races(rule) ? 1 : 0;
  }

  /** Returns the verdict on the provider. */
  public Verdict verdict() {
    if (count(Status.BROKEN) > 0) {
      return Verdict.FAIL;
    }
    return count(Status.KEPT) == 0 || !failures().isEmpty() || !doubts.isEmpty()
        ? Verdict.INCONCLUSIVE
        : Verdict.PASS;
  }

  /** Returns the number of rules with a status. */
  public long count(Status status) {
    long count = 0;
    for (Rule rule : Rule.values()) {
      count += outcome(rule).status() == status ? 1 : 0;
    }
    return count;
  }

  /** Returns the rules that took longest, in descending order. */
  public List<Rule> slowest(int count) {
    return Arrays.stream(Rule.values())
        .filter(rule -> !outcome(rule).duration().isZero())
        .sorted(Comparator.comparing((Rule rule) -> outcome(rule).duration()).reversed())
        .limit(count)
        .toList();
  }

  /**
   * Returns groups of rules broken by the same cause: equal exceptions from one line of the
   * provider, if that is known. Each group begins with its first rule.
   */
  public List<List<Rule>> groupedFailures() {
    Map<String, List<Rule>> groups = new LinkedHashMap<>();
    for (Rule rule : failures()) {
      String cause = outcome(rule).cause();
      groups
          .computeIfAbsent(cause.isEmpty() ? rule.name() : cause, key -> new ArrayList<>())
          .add(rule);
    }
    return List.copyOf(groups.values());
  }

  /** Returns the number of queries for keys that had been put. */
  public long keysQueried() {
    return evidence.values().stream().mapToLong(Evidence::keysQueried).sum();
  }

  /**
   * Returns an upper bound on the rate of false negatives, with a confidence of 1 - 10^-6, given
   * that none of the queries was one: ln(10^6) divided by their number.
   */
  public double missedKeysBelow() {
    return Math.log(1e6) / Math.max(1, keysQueried());
  }

  /** Returns the number of inputs tried that were not written by a filter. */
  public long badInputs() {
    return evidence.values().stream()
        .flatMap(seen -> seen.inputs().values().stream())
        .mapToLong(inputs -> inputs.refused() + inputs.accepted())
        .sum();
  }

  /** Returns the number of rounds in which two threads raced. */
  public long raceRounds() {
    return evidence.values().stream().mapToLong(Evidence::rounds).sum();
  }

  /** Returns the report in one line, for human readers. */
  public String summary() {
    long applicable = count(Status.KEPT) + count(Status.BROKEN) + count(Status.NOT_RUN);
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT, "%s: %s %d/%d", variant(), verdict(), count(Status.KEPT), applicable));
    if (count(Status.NOT_ASKED) > 0) {
      int all = Rule.values().length;
      line.append(
          String.format(
              Locale.ROOT, " | %d of %d rules asked for", all - count(Status.NOT_ASKED), all));
    }
    if (verdict() == Verdict.PASS && keysQueried() > 0) {
      line.append(
          String.format(
              Locale.ROOT,
              " | 0 false negatives in %,d checks (rate < %.1e)",
              keysQueried(),
              missedKeysBelow()));
    }
    evidence.getOrDefault(Rule.R64, new Evidence()).rates().stream()
        .findFirst()
        .ifPresent(cell -> line.append(" | ").append(rate(cell)));
    if (badInputs() > 0) {
      line.append(String.format(Locale.ROOT, " | %,d bad inputs", badInputs()));
    }
    if (raceRounds() > 0) {
      line.append(
          String.format(
              Locale.ROOT,
              " | %,d races, a lost update shows in %.0f %%",
              raceRounds(),
              100 * raceSensitivity));
    }
    if (!processorTime.isZero()) {
      double seconds = processorTime.toMillis() / 1e3;
      line.append(String.format(Locale.ROOT, " | %.1f s of processor time", seconds));
    }
    line.append(" | seed ").append(seed);
    if (verdict() != Verdict.PASS) {
      if (!failures().isEmpty()) {
        line.append(" | ").append(failures());
      }
      doubts.forEach(doubt -> line.append(" | ").append(doubt));
    }
    return line.toString();
  }

  private static String rate(RateCell cell) {
    return String.format(
        Locale.ROOT,
        "rate %.3f %% of 1 %% (99.9999 %%: %.3f to %.3f)",
        100 * cell.sample().rate(),
        100 * cell.sample().lowest(),
        100 * cell.sample().highest());
  }

  /** Returns a line for each rule. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(variant() + ", tier " + tier + ", seed " + seed);
    for (Rule rule : Rule.values()) {
      Outcome outcome = outcome(rule);
      text.append(String.format("%n%s %s: %s", rule.id(), rule.title(), outcome.status()));
      if (!outcome.detail().isEmpty()) {
        text.append(", ").append(outcome.detail());
      }
    }
    doubts.forEach(doubt -> text.append(String.format("%nin doubt: %s", doubt)));
    return text.toString();
  }
}
