package io.bloomery.benchmarks.paired;

import io.bloomery.benchmarks.paired.Matrix.Extra;
import io.bloomery.benchmarks.paired.Operation.Share;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One run: a comparison for each kind of key and each number of keys in a {@link Matrix}. */
public final class Contest {

  /** The number of keys in filters that two threads use. */
  public static final long SHARED_KEYS = 1_000_000;

  private static final long SMALL = 200_000;
  private static final long TINY = 20_000;
  private static final int TINY_BUILDS = 100;
  private static final int SMALL_BUILDS = 20;
  private static final int SHARED_BUILDS = 6;
  private static final int SLOWER = 5;
  private static final int FILTER_OPERATION_ROUNDS = 11;
  private static final long ASKED = 2_000_000;
  private static final long OTHERS_ASKED_OF_HUGE = 4_000_000;
  // The rate of a filter of 1 % is then accurate to 0.1 % of itself: a deviation of one part in 200
  // is visible.
  private static final long OURS_ASKED_OF_HUGE = 100_000_000;
  private static final List<Operation> SHARED_OPERATIONS =
      List.of(Operation.PUT_AGAIN, Operation.HIT);
  private final Matrix matrix;
  private final WarmUp warmUp;
  private final List<Subject> subjects;
  private final Consumer<? super String> progress;
  private final List<Figures> figures = new ArrayList<>();
  private final List<Stats> stats = new ArrayList<>();

  private Contest(
      Matrix matrix, WarmUp warmUp, Stream<Subject> subjects, Consumer<? super String> progress) {
    this.matrix = matrix;
    this.warmUp = warmUp;
    this.progress = progress;
    this.subjects = subjects.toList();
  }

  private static Stream<Subject> subjects(Matrix matrix) {
    return Subject.all().stream()
        .filter(subject -> matrix.subjects().contains(subject.name()) && subject.available());
  }

  /** Returns the names of all possible participants, beginning with the reference of ratios. */
  public static List<String> subjects() {
    return Subject.all().stream().map(Subject::name).toList();
  }

  /**
   * Measures everything in a matrix; subjects that cannot be loaded, such as those with vectors if
   * the JVM was started without them, are omitted.
   *
   * @param progress receives a line before each step
   */
  public static Results run(Matrix matrix, Consumer<? super String> progress) throws IOException {
    return run(matrix, WarmUp.MIXED, progress);
  }

  /** Measures everything in a matrix, as the other method does, after a kind of warm-up. */
  public static Results run(Matrix matrix, WarmUp warmUp, Consumer<? super String> progress)
      throws IOException {
    return new Contest(matrix, warmUp, subjects(matrix), progress).results();
  }

  /**
   * Measures ours in a matrix twice: as they are, and as they are in another build, named with
   * {@link Subject#BEFORE} at the end.
   *
   * @throws IllegalArgumentException if the other build is not compiled, or has another API
   */
  public static Results beside(OtherBuild build, Matrix matrix, Consumer<? super String> progress)
      throws IOException {
    Stream<Subject> both =
        subjects(matrix)
            .filter(Subject::ours)
            .flatMap(subject -> Stream.of(subject, subject.before(build)));
    try {
      return new Contest(matrix, WarmUp.MIXED, both, progress).results();
    } catch (LinkageError e) {
      throw new IllegalArgumentException(
          "the other build must have the API that the benchmarks use, but has not: " + e, e);
    }
  }

  private Results results() throws IOException {
    run();
    return new Results(figures, stats);
  }

  private void run() throws IOException {
    for (KeyKind kind : KeyKind.values()) {
      if (matrix.kinds().contains(kind)) {
        for (long keys : matrix.sizes()) {
          if (kind == KeyKind.LONG || keys <= Matrix.MAX_STRINGS) {
            comparison(kind, keys);
          }
        }
      }
    }
    // Last, so that its figures for one thread, from the same rounds as those for two, are the ones
    // found.
    if (matrix.extras().contains(Extra.TWO_THREADS) && matrix.kinds().contains(KeyKind.LONG)) {
      twoThreads();
    }
  }

  private void comparison(KeyKind kind, long keys) throws IOException {
    String where = String.format(Locale.ROOT, "%,d %s keys: ", keys, kind.label());
    try (Comparison comparison = new Comparison(kind, keys, subjects, turn(kind, keys), warmUp)) {
      progress.accept(where + "warming up");
      comparison.warmUp();
      progress.accept(where + "filling");
      for (Figures built : comparison.build(builds(keys))) {
        if (matrix.operations().stream().anyMatch(one -> one.label().equals(built.operation()))) {
          figures.add(built);
        }
      }
      for (Operation operation : Operation.values()) {
        if (matrix.operations().contains(operation) && operation.share() != Share.NEW) {
          progress.accept(where + operation.label());
          add(comparison.run(operation, rounds(keys)));
        }
      }
      if (matrix.extras().contains(Extra.RATES)) {
        progress.accept(where + "rate");
        stats.addAll(comparison.sizes());
        stats.addAll(
            keys > Matrix.MAX_STRINGS
                ? comparison.rates(OURS_ASKED_OF_HUGE, OTHERS_ASKED_OF_HUGE)
                : comparison.rates(ASKED, ASKED));
      }
      if (matrix.extras().contains(Extra.FILTERS)
          && kind == KeyKind.LONG
          && keys <= Matrix.MAX_STRINGS) {
        for (FilterOperation operation : FilterOperation.values()) {
          progress.accept(where + operation.label());
          add(comparison.run(operation, FILTER_OPERATION_ROUNDS));
        }
      }
    }
  }

  // There may be no subject that supports it.
  private void add(Figures taken) {
    if (!taken.subjects().isEmpty()) {
      figures.add(taken);
    }
  }

  private void twoThreads() throws IOException {
    String where = String.format(Locale.ROOT, "%,d long keys, two threads: ", SHARED_KEYS);
    List<Subject> shared = subjects.stream().filter(Subject::isShared).toList();
    try (Comparison comparison =
        new Comparison(
            KeyKind.LONG, SHARED_KEYS, shared, turn(KeyKind.LONG, SHARED_KEYS), warmUp)) {
      progress.accept(where + "warming up");
      comparison.warmUp();
      progress.accept(where + "filling");
      figures.addAll(comparison.buildByTwo(SHARED_BUILDS));
      for (Operation operation : SHARED_OPERATIONS) {
        progress.accept(where + operation.label());
        figures.addAll(comparison.runByTwo(operation, matrix.rounds()));
      }
    }
  }

  // Warm-up is long enough to bring as much of the filter into the caches as fits.
  private static Turn turn(KeyKind kind, long keys) {
    if (kind != KeyKind.LONG) {
      // Only as many objects as fit in the second-level cache together with a small filter:
      // programs query keys that they have just accessed, and fetching them is not to be timed.
      return new Turn(Turn.CHUNK, 3);
    }
    if (keys <= SMALL) {
      return new Turn(4 * Turn.CHUNK, 8);
    }
    if (keys <= Matrix.MAX_STRINGS) {
      return new Turn(256 * Turn.CHUNK, 64);
    }
    return new Turn(8 * Turn.CHUNK, 64);
  }

  private int rounds(long keys) {
    return keys <= SMALL ? matrix.rounds() : matrix.rounds() / SLOWER + 1;
  }

  private static int builds(long keys) {
    if (keys <= TINY) {
      return TINY_BUILDS;
    }
    return keys <= SMALL ? SMALL_BUILDS : 1;
  }
}
