package io.bloomery.conformance.hostile;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The results of a campaign.
 *
 * @param seed the seed of all random choices
 * @param mutants the number of mutants for each variant
 * @param duration the duration of the campaign
 * @param counts the numbers of inputs by variant and kind
 * @param costs the maximum costs by variant
 * @param firstFailure the first input without a permitted outcome
 */
public record HostileReport(
    long seed,
    long mutants,
    Duration duration,
    List<Count> counts,
    List<Cost> costs,
    Optional<Failure> firstFailure) {

  /** Copies the lists. */
  public HostileReport {
    counts = List.copyOf(counts);
    costs = List.copyOf(costs);
  }

  /**
   * The outcomes of inputs of one kind.
   *
   * @param refused rejected with FilterFormatException, or with the exception of a stream made to
   *     fail
   * @param accepted accepted and written again as the same bytes
   * @param failed any other outcome
   */
  public record Count(String variant, Kind kind, long refused, long accepted, long failed) {

    /** Returns the number of inputs of this kind. */
    public long tried() {
      return refused + accepted + failed;
    }
  }

  /**
   * The maximum cost of inputs of a variant.
   *
   * @param allocatedShare bytes allocated, as a fraction of the limit for the input
   * @param slowest the longest time for one input
   */
  public record Cost(String variant, double allocatedShare, Duration slowest) {}

  /**
   * An input without a permitted outcome.
   *
   * @param variant the variant of the filter that the input was derived from
   * @param kind how it was made
   * @param source how it was passed to the reader: {@code ARRAY}, {@code STREAM} and so on
   * @param problem what happened
   * @param number the number of inputs of the variant before it; with the seed, it reproduces the
   *     input
   * @param length the length in bytes
   * @param hex its first bytes, in hexadecimal
   */
  public record Failure(
      String variant,
      Kind kind,
      String source,
      String problem,
      long number,
      int length,
      String hex) {}

  /** Returns the number of inputs tried. */
  public long tried() {
    return counts.stream().mapToLong(Count::tried).sum();
  }

  /** Returns the number of inputs without a permitted outcome. */
  public long failures() {
    return counts.stream().mapToLong(Count::failed).sum();
  }

  /** Returns the totals of all variants in one line. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%,d hostile inputs: %,d refused, %,d accepted as they are, %,d failures; seed %d, %.1f s",
        tried(),
        counts.stream().mapToLong(Count::refused).sum(),
        counts.stream().mapToLong(Count::accepted).sum(),
        failures(),
        seed,
        duration.toMillis() / 1e3);
  }

  /** Returns the summary and, if there is one, the first failure. */
  @Override
  public String toString() {
    return summary() + firstFailure.map(failure -> "; first: " + failure).orElse("");
  }
}
