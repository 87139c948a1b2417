package io.bloomery.conformance.hostile;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What came of a campaign.
 *
 * @param seed where its randomness came from
 * @param mutants how many mutants were made for each variant
 * @param duration how long it took
 * @param counts inputs by variant and kind
 * @param costs what they took, by variant
 * @param firstFailure the first input that had none of the outcomes allowed
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
   * What came of inputs of one kind.
   *
   * @param refused with FilterFormatException, or the exception of a stream that was made to fail
   * @param accepted and written again as the same bytes
   * @param failed anything else
   */
  public record Count(String variant, Kind kind, long refused, long accepted, long failed) {

    /** Returns how many there were. */
    public long tried() {
      return refused + accepted + failed;
    }
  }

  /**
   * What the inputs of a variant took at most.
   *
   * @param allocatedShare bytes allocated, as a share of what was allowed for the input
   * @param slowest time for one input
   */
  public record Cost(String variant, double allocatedShare, Duration slowest) {}

  /**
   * An input that had none of the outcomes allowed.
   *
   * @param variant of the filter that the input was made of
   * @param kind how it was made
   * @param way how it came to the reader: {@code ARRAY}, {@code STREAM} and so on
   * @param problem what happened
   * @param number how many inputs of the variant came before it; with the seed, this makes it again
   * @param length how many bytes it has
   * @param hex its first bytes, in hexadecimal
   */
  public record Failure(
      String variant, Kind kind, String way, String problem, long number, int length, String hex) {}

  /** Returns how many inputs were tried. */
  public long tried() {
    return counts.stream().mapToLong(Count::tried).sum();
  }

  /** Returns how many had none of the outcomes allowed. */
  public long failures() {
    return counts.stream().mapToLong(Count::failed).sum();
  }

  /** Returns the figures of all variants in one line. */
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
