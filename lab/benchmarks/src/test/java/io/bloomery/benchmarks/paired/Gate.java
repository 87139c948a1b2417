package io.bloomery.benchmarks.paired;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A bound on a number in results.
 *
 * @param what the comparison
 * @param found extracts the number
 * @param least whether the bound is the least number, and not the most
 */
record Gate(String what, Function<Results, OptionalDouble> found, boolean least, double bound) {

  /** Requires a minimum factor by which one subject is faster than another, with long keys. */
  static Gate faster(String subject, String than, Operation operation, long keys, double min) {
    return new Gate(
        text("%s: %s, times faster than %s, %,d keys", subject, operation.label(), than, keys),
        results -> ratio(results, subject, than, operation, keys),
        true,
        min);
  }

  /** Limits the time of a subject relative to that of another, with long keys. */
  static Gate cost(String subject, String against, Operation operation, long keys, double max) {
    return new Gate(
        text("%s: %s, time against %s, %,d keys", subject, operation.label(), against, keys),
        results -> ratio(results, against, subject, operation, keys),
        false,
        max);
  }

  /** Limits the increase in the time of a call while another thread makes the same calls. */
  static Gate costByTwo(String subject, Operation operation, long keys, double max) {
    return new Gate(
        text("%s: %s, time of two threads against one", subject, operation.label()),
        results -> {
          Figures one = results.figures(KeyKind.LONG, keys, operation.label(), 1).orElse(null);
          Figures two = results.figures(KeyKind.LONG, keys, operation.label(), 2).orElse(null);
          return one == null || two == null
              ? OptionalDouble.empty()
              : OptionalDouble.of(one.ratio(subject, two, subject).orElseThrow().median());
        },
        false,
        max);
  }

  /** Limits a measured value. */
  static Gate max(String subject, String what, long keys, double max) {
    return new Gate(
        text("%s: %s, %,d keys", subject, what, keys),
        results -> results.measure(what, KeyKind.LONG, keys, subject),
        false,
        max);
  }

  /** Limits the deviation of a rate from the planned one, as a part of the latter. */
  static Gate asPlanned(String subject, long keys, double max) {
    return new Gate(
        text("%s: deviation of the rate, %,d keys", subject, keys),
        results -> {
          OptionalDouble rate = results.measure(Stats.RATE, KeyKind.LONG, keys, subject);
          OptionalDouble plan = results.measure(Stats.PLANNED_RATE, KeyKind.LONG, keys, subject);
          return rate.isEmpty() || plan.isEmpty()
              ? OptionalDouble.empty()
              : OptionalDouble.of(Math.abs(rate.getAsDouble() / plan.getAsDouble() - 1));
        },
        false,
        max);
  }

  private static OptionalDouble ratio(
      Results results, String subject, String than, Operation operation, long keys) {
    return results
        .figures(KeyKind.LONG, keys, operation.label(), 1)
        .flatMap(figures -> figures.ratio(subject, than))
        .map(ratio -> OptionalDouble.of(ratio.median()))
        .orElse(OptionalDouble.empty());
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Returns whether results keep the bound; those without the number do not. */
  boolean isKeptBy(Results results) {
    OptionalDouble number = found.apply(results);
    return number.isPresent()
        && (least ? number.getAsDouble() >= bound : number.getAsDouble() <= bound);
  }

  /** Returns the number in results, if it is there, beside the bound. */
  String in(Results results) {
    OptionalDouble number = found.apply(results);
    return text(
        "%s: %s, %s %s",
        what,
        number.isPresent() ? number.getAsDouble() : "not measured",
        least ? "at least" : "at most",
        bound);
  }
}
