package io.bloomery.benchmarks.paired;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The measurements of a run.
 *
 * @param kinds the kinds of keys; sizes above {@link #MAX_STRINGS} are omitted for Strings
 * @param sizes the numbers of keys that filters are created for
 * @param operations the operations timed on filters of every size
 * @param subjects the participants, named as in {@link Contest#subjects}
 * @param rounds the number of rounds per figure for small filters; a fifth of it for large ones,
 *     whose rounds take longer
 * @param extras further measurements
 */
public record Matrix(
    Set<KeyKind> kinds,
    List<Long> sizes,
    Set<Operation> operations,
    Set<String> subjects,
    int rounds,
    Set<Extra> extras) {

  /** The maximum number of Strings. */
  public static final long MAX_STRINGS = 20_000_000;

  /** Measurements besides the times of operations in one thread. */
  public enum Extra {
    /** Sizes, and rates with absent keys. */
    RATES,
    /** Merging, saving and opening whole filters of up to 20 million long keys. */
    FILTERS,
    /** Puts and queries in two threads, with a million long keys. */
    TWO_THREADS
  }

  private static final long SMALL = 100_000;
  private static final long LARGE = 10_000_000;
  private static final long HUGE = 100_000_000;
  private static final int ROUNDS = 101;
  private static final int QUICK_ROUNDS = 15;

  /** Copies the sets and the list, and checks the names. */
  public Matrix {
    kinds = Set.copyOf(kinds);
    sizes = List.copyOf(sizes);
    operations = Set.copyOf(operations);
    subjects = Set.copyOf(subjects);
    extras = Set.copyOf(extras);
    for (String subject : subjects) {
      if (!Contest.subjects().contains(subject)) {
        throw new IllegalArgumentException(
            "subject must be one of " + Contest.subjects() + ", but is " + subject);
      }
    }
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds must be at least 1, but were " + rounds);
    }
  }

  /** Returns all measurements; takes 5 GB and twenty minutes. */
  public static Matrix full() {
    return of(List.of(SMALL, LARGE, HUGE), ROUNDS);
  }

  /** Returns all measurements with 100,000 keys and few rounds, which take about three minutes. */
  public static Matrix quick() {
    return of(List.of(SMALL), QUICK_ROUNDS);
  }

  private static Matrix of(List<Long> sizes, int rounds) {
    return new Matrix(
        EnumSet.allOf(KeyKind.class),
        sizes,
        EnumSet.allOf(Operation.class),
        Set.copyOf(Contest.subjects()),
        rounds,
        EnumSet.allOf(Extra.class));
  }
}
