package io.bloomery.cli.trial;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.sizing.ExactSet;
import io.bloomery.cli.sizing.SizeRequest;
import io.bloomery.cli.sizing.SizeRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * The conclusions that a comparison of a few seconds supports: which variants are smallest, and
 * which are fastest if all filters are so large that memory speed dominates, as it does where speed
 * matters.
 */
final class Advice {

  /**
   * The size of a filter, in multiples of the cache, at which three quarters of all reads miss it.
   */
  private static final int BEYOND = 4;

  /** A ratio of sizes that is not significant, since filters are rounded to whole words. */
  private static final double SAME_SIZE = 1.01;

  /** A ratio of times by which the same loop differs from run to run. */
  private static final double SAME_TIME = 1.1;

  private Advice() {}

  /**
   * Returns the advice as lines of text.
   *
   * @param keys the number of distinct keys added
   * @param cacheBytes the size of the processor's largest cache
   */
  static String of(Bloomery bloomery, Trials trials, int keys, double rate, long cacheBytes)
      throws Failure {
    List<TrialResult> results = trials.results();
    StringBuilder text = new StringBuilder("\n");
    append(
        text,
        "Smallest: %s.\n",
        joined(
            best(results, TrialResult::bitsPerKey, SAME_SIZE),
            result ->
                String.format(
                    Locale.ROOT, "%s, %.2f bits a key", result.variant(), result.bitsPerKey())));
    if (results.stream().allMatch(result -> bytes(result) >= BEYOND * (double) cacheBytes)) {
      append(
          text,
          "Fastest to query, in this run and for absent keys queried one by one:\n%s.\n",
          joined(
              best(results, TrialResult::nanosPerQuery, SAME_TIME),
              result ->
                  String.format(
                      Locale.ROOT,
                      "%s, %.0f ns at %.2f bits a key",
                      result.variant(),
                      result.nanosPerQuery(),
                      result.bitsPerKey())));
    } else {
      append(
          text,
          """
          No fastest is named: not all of these filters (%,d to %,d bytes) are %d times as
          large as the processor's cache (%,d bytes), and what is fast in a cache need not be
          beyond it. There it matters what a query reads%s
          """,
          (long) results.stream().mapToDouble(Advice::bytes).min().orElse(0),
          (long) results.stream().mapToDouble(Advice::bytes).max().orElse(0),
          BEYOND,
          cacheBytes,
          costs(results));
    }
    exact(bloomery, keys, rate).ifPresent(sentence -> append(text, "\n%s\n", sentence));
    return text.toString();
  }

  /** Returns all results within a factor of the lowest cost, in ascending order of cost. */
  private static List<TrialResult> best(
      List<TrialResult> results, ToDoubleFunction<TrialResult> cost, double factor) {
    double least = results.stream().mapToDouble(cost).min().orElseThrow();
    List<TrialResult> best =
        new ArrayList<>(
            results.stream()
                .filter(result -> cost.applyAsDouble(result) <= factor * least)
                .toList());
    best.sort((one, other) -> Double.compare(cost.applyAsDouble(one), cost.applyAsDouble(other)));
    return best;
  }

  private static String joined(List<TrialResult> results, Function<TrialResult, String> words) {
    return results.stream().map(words).collect(Collectors.joining("; "));
  }

  private static double bytes(TrialResult result) {
    return result.bitsPerKey() * result.keys() / Byte.SIZE;
  }

  private static String costs(List<TrialResult> results) {
    Map<String, List<String>> variants = new LinkedHashMap<>();
    for (TrialResult result : results) {
      String cost = result.description().queryCost();
      if (!cost.isEmpty()) {
        variants.computeIfAbsent(cost, none -> new ArrayList<>()).add(result.variant());
      }
    }
    return variants.isEmpty()
        ? "."
        : variants.entrySet().stream()
            .map(cost -> "  " + cost.getKey() + ": " + String.join(", ", cost.getValue()))
            .collect(Collectors.joining("\n", ":\n", ""));
  }

  private static Optional<String> exact(Bloomery bloomery, int keys, double rate) throws Failure {
    SizeRequest request = SizeRequest.of((long) keys, rate, null, null);
    return ExactSet.insteadOf(
        bloomery.providers().variants().stream()
            .map(variant -> SizeRow.of(request, bloomery, variant))
            .toList());
  }

  private static void append(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values));
  }
}
