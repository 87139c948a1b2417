package io.bloomery.conformance;

import io.bloomery.conformance.run.Evidence;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.RateCell;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What came of one run of the suite.
 *
 * @param origin what was tested
 * @param tier how much was tried
 * @param seed where all randomness of the run came from
 * @param freshSeeds further seeds that the rules of the quick tier were run with
 * @param outcomes what came of each rule
 * @param evidence what each rule that was run has looked at
 * @param coverage how many of the cases drawn fell into each class, such as a decade of keys
 * @param casesNeeded how many there must be in each class that is offered; 0 in a run of some rules
 * @param doubts why the run says nothing, even if every rule is kept; empty if there is no reason
 * @param raceSensitivity the share of rounds in which a lost update showed on this machine
 * @param alphaSpent how likely the statistical checks of the run are to fail a filter that is right
 * @param started when the run began
 * @param duration how long it took
 */
public record ConformanceReport(
    Origin origin,
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
    Duration duration) {

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

  /** What a run says of a provider. */
  public enum Verdict {
    /** It keeps every rule that applies to it, of those asked for. */
    PASS,
    /** It breaks one. */
    FAIL,
    /** Nothing: a rule was not run, or a filter with a known fault was not rejected. */
    INCONCLUSIVE
  }

  /** Whether a rule is kept. */
  public enum Status {
    /** It is. */
    KEPT,
    /** It is not. */
    BROKEN,
    /** It asks for a capability that the filters do not have. */
    NOT_APPLICABLE,
    /** It was not checked, which is as bad as if it were broken. */
    NOT_RUN,
    /** The run was for other rules. */
    NOT_ASKED;

    /** Returns whether a run with such a rule cannot pass. */
    public boolean isFailure() {
      return this == BROKEN || this == NOT_RUN;
    }
  }

  /**
   * What came of one rule.
   *
   * @param status whether it is kept
   * @param detail why not, with the smallest example found; empty if it is kept
   * @param duration how long it took to check
   * @param cause what was thrown within the provider, and in which of its lines, which failures of
   *     other rules may share; empty if nothing was thrown there
   */
  public record Outcome(Status status, String detail, Duration duration, String cause) {

    /** An outcome whose cause is not known to lie in a line of the provider. */
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

  /** Returns the provider's variant. */
  public String variant() {
    return origin.variant();
  }

  /** Returns what came of a rule. */
  public Outcome outcome(Rule rule) {
    return outcomes.getOrDefault(rule, Outcome.of(Status.NOT_RUN, "was not run"));
  }

  /** Returns the rules that the provider does not keep, or that were not run. */
  public Set<Rule> failures() {
    Set<Rule> failures = new TreeSet<>();
    for (Rule rule : Rule.values()) {
      if (outcome(rule).status().isFailure()) {
        failures.add(rule);
      }
    }
    return failures;
  }

  /** Returns what the run says of the provider. */
  public Verdict verdict() {
    if (count(Status.BROKEN) > 0) {
      return Verdict.FAIL;
    }
    return count(Status.KEPT) == 0 || !failures().isEmpty() || !doubts.isEmpty()
        ? Verdict.INCONCLUSIVE
        : Verdict.PASS;
  }

  /** Returns how many rules have a status. */
  public long count(Status status) {
    long count = 0;
    for (Rule rule : Rule.values()) {
      count += outcome(rule).status() == status ? 1 : 0;
    }
    return count;
  }

  /** Returns the rules that took longest, the slowest first. */
  public List<Rule> slowest(int count) {
    return Arrays.stream(Rule.values())
        .filter(rule -> !outcome(rule).duration().isZero())
        .sorted(Comparator.comparing((Rule rule) -> outcome(rule).duration()).reversed())
        .limit(count)
        .toList();
  }

  /**
   * Returns the rules that were broken by one thing: equal exceptions from one line of the
   * provider, as far as that is known. Each group begins with its first rule.
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

  /** Returns how many queries asked for a key that had been put. */
  public long keysQueried() {
    return evidence.values().stream().mapToLong(Evidence::keysQueried).sum();
  }

  /**
   * Returns what the share of keys that are missed is below, with a confidence of 1 - 10^-6, if
   * none of those queried was missed: ln(10^6) divided by their number.
   */
  public double missedKeysBelow() {
    return Math.log(1e6) / Math.max(1, keysQueried());
  }

  /** Returns how many inputs were tried that no filter had written. */
  public long badInputs() {
    return evidence.values().stream()
        .flatMap(seen -> seen.inputs().values().stream())
        .mapToLong(inputs -> inputs.refused() + inputs.accepted())
        .sum();
  }

  /** Returns how many rounds two threads have raced. */
  public long raceRounds() {
    return evidence.values().stream().mapToLong(Evidence::rounds).sum();
  }

  /** Returns the report in one line, for people. */
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
