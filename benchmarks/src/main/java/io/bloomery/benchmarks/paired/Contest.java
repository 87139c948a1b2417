package io.bloomery.benchmarks.paired;

import io.bloomery.benchmarks.paired.Matrix.Extra;
import io.bloomery.benchmarks.paired.Operation.Share;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/** One run: a duel for each kind of key and each number of keys in a {@link Matrix}. */
public final class Contest {

  /** How many keys the filters hold that two threads use. */
  public static final long SHARED_KEYS = 1_000_000;

  private static final long SMALL = 200_000;
  private static final long TINY = 20_000;
  private static final int TINY_BUILDS = 100;
  private static final int SMALL_BUILDS = 20;
  private static final int SHARED_BUILDS = 6;
  private static final int SLOWER = 5;
  private static final int WHOLE_ROUNDS = 11;
  private static final long ASKED = 2_000_000;
  private static final long OTHERS_ASKED_OF_HUGE = 4_000_000;
  // A filter of 1 % is then known to 0.1 % of it: one part in 200 shows.
  private static final long OURS_ASKED_OF_HUGE = 100_000_000;
  private static final List<Operation> SHARED_OPERATIONS =
      List.of(Operation.PUT_AGAIN, Operation.HIT);
  private static final Set<String> SHARED_ENTRANTS =
      Set.of(
          Entrant.REFERENCE,
          "standard",
          "partitioned",
          "split-block",
          "split-block-vector",
          "counting",
          "scalable");

  private final Matrix matrix;
  private final List<Entrant> entrants;
  private final Consumer<? super String> progress;
  private final List<Figures> figures = new ArrayList<>();
  private final List<Measure> measures = new ArrayList<>();

  private Contest(Matrix matrix, Consumer<? super String> progress) {
    this.matrix = matrix;
    this.progress = progress;
    this.entrants =
        Entrant.all().stream()
            .filter(entrant -> matrix.entrants().contains(entrant.name()) && entrant.available())
            .toList();
  }

  /** Returns the names of all who can take part, the one that ratios are taken to first. */
  public static List<String> entrants() {
    return Entrant.all().stream().map(Entrant::name).toList();
  }

  /**
   * Measures all that is asked for; who cannot be loaded here, such as those with vectors where the
   * JVM was started without, is left out.
   *
   * @param progress is told what is done next, a line each time
   */
  public static Results run(Matrix matrix, Consumer<? super String> progress) throws IOException {
    Contest contest = new Contest(matrix, progress);
    contest.run();
    return new Results(contest.figures, contest.measures);
  }

  private void run() throws IOException {
    for (KeyKind kind : KeyKind.values()) {
      if (matrix.kinds().contains(kind)) {
        for (long keys : matrix.sizes()) {
          if (kind == KeyKind.LONG || keys <= Matrix.MOST_OBJECTS) {
            duel(kind, keys);
          }
        }
        if (matrix.extras().contains(Extra.ALLOCATION)) {
          progress.accept(kind.label() + " keys: allocation");
          measures.addAll(Allocation.measure(kind, entrants));
        }
      }
    }
    // Last, so that its figures for one thread, from the same rounds as those for two, are found.
    if (matrix.extras().contains(Extra.TWO_THREADS) && matrix.kinds().contains(KeyKind.LONG)) {
      twoThreads();
    }
  }

  private void duel(KeyKind kind, long keys) throws IOException {
    String where = String.format(Locale.ROOT, "%,d %s keys: ", keys, kind.label());
    try (Duel duel = new Duel(kind, keys, entrants, turn(kind, keys))) {
      progress.accept(where + "warming up");
      duel.warmUp();
      progress.accept(where + "filling");
      for (Figures built : duel.build(builds(keys))) {
        if (matrix.operations().stream().anyMatch(one -> one.label().equals(built.operation()))) {
          figures.add(built);
        }
      }
      for (Operation operation : Operation.values()) {
        if (matrix.operations().contains(operation) && operation.share() != Share.NEW) {
          progress.accept(where + operation.label());
          add(duel.run(operation, rounds(keys)));
        }
      }
      if (matrix.extras().contains(Extra.RATES)) {
        progress.accept(where + "rate");
        measures.addAll(duel.sizes());
        measures.addAll(
            keys > Matrix.MOST_OBJECTS
                ? duel.rates(OURS_ASKED_OF_HUGE, OTHERS_ASKED_OF_HUGE)
                : duel.rates(ASKED, ASKED));
      }
      if (matrix.extras().contains(Extra.WHOLES)
          && kind == KeyKind.LONG
          && keys <= Matrix.MOST_OBJECTS) {
        for (Whole whole : Whole.values()) {
          progress.accept(where + whole.label());
          add(duel.run(whole, WHOLE_ROUNDS));
        }
      }
    }
  }

  // Nobody may be there who can do it.
  private void add(Figures taken) {
    if (!taken.entrants().isEmpty()) {
      figures.add(taken);
    }
  }

  private void twoThreads() throws IOException {
    String where = String.format(Locale.ROOT, "%,d long keys, two threads: ", SHARED_KEYS);
    List<Entrant> shared =
        entrants.stream().filter(one -> SHARED_ENTRANTS.contains(one.name())).toList();
    try (Duel duel = new Duel(KeyKind.LONG, SHARED_KEYS, shared, turn(KeyKind.LONG, SHARED_KEYS))) {
      progress.accept(where + "warming up");
      duel.warmUp();
      progress.accept(where + "filling");
      figures.addAll(duel.buildByTwo(SHARED_BUILDS));
      for (Operation operation : SHARED_OPERATIONS) {
        progress.accept(where + operation.label());
        figures.addAll(duel.runByTwo(operation, matrix.rounds()));
      }
    }
  }

  // Warm for as long as it takes to have as much of one's own filter in the caches as will fit.
  private static Turn turn(KeyKind kind, long keys) {
    if (kind != KeyKind.LONG) {
      // Only as many objects as stay in the second-level cache beside a small filter: a key is
      // there when a program asks for it, and what is timed is not how it came there.
      return new Turn(Turn.CHUNK, 3);
    }
    if (keys <= SMALL) {
      return new Turn(4 * Turn.CHUNK, 8);
    }
    if (keys <= Matrix.MOST_OBJECTS) {
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
