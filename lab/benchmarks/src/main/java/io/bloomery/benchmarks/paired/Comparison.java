package io.bloomery.benchmarks.paired;

import io.bloomery.benchmarks.paired.Operation.Share;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A contest with one kind and number of keys: in each round every subject has a turn with the same
 * keys, so that disturbances by the machine affect all equally.
 */
final class Comparison implements AutoCloseable {

  static final double RATE = 0.01;

  private static final int WARM_UP_KEYS = 64 * Turn.CHUNK;
  private static final int WARM_UP_KEYS_OF_LARGE = 2_000_000;
  // A long loop is first compiled separately from the start of its method (on-stack replacement),
  // so that each call still begins in slow code. Only after hundreds of calls is the whole method
  // compiled.
  private static final int WARM_UP_CALLS = 2_400;
  private static final int WARM_UP_FILTER_OPERATIONS = 60;
  private static final long SETTLING_NANOS = 1_000_000_000;
  private static final long SETTLING_NANOS_A_ROUND = 50_000_000;
  private static final int BATCH = 65_536;
  private static final Turn WARMING = new Turn(0, 8);
  private static final long LARGE = 1_000_000;

  private record Side(Subject subject, Contender contender) {

    // A counting filter counts each repeated put until a counter of four bits is full; others do
    // not
    // support puts once they are asked.
    boolean can(Operation operation) {
      return contender.actions().contains(operation.action())
          && (operation != Operation.PUT_AGAIN || takesPutsAgain());
    }

    private boolean takesPutsAgain() {
      return subject.role() != Subject.Role.COUNTING && isFilledItself();
    }

    boolean counts(Operation operation) {
      return operation.share() != Share.NEW || isFilledItself();
    }

    // A mapped filter was filled by another one; of one that is built, keys are collected first.
    private boolean isFilledItself() {
      return subject.role() != Subject.Role.MAPPED && subject.role() != Subject.Role.BUILT;
    }

    boolean can(FilterOperation operation) {
      return contender.filterOperations().contains(operation);
    }
  }

  private final KeyKind kind;
  private final long keys;
  private final Turn turn;
  private final WarmUp warmUp;
  private final KeyStream stream;
  private final List<Side> sides = new ArrayList<>();

  Comparison(KeyKind kind, long keys, List<Subject> subjects, Turn turn, WarmUp warmUp) {
    this.kind = kind;
    this.keys = keys;
    this.turn = turn;
    this.warmUp = warmUp;
    this.stream = new KeyStream(kind);
    for (Subject subject : subjects) {
      if (subject.takes(kind)) {
        sides.add(new Side(subject, subject.load(kind)));
      }
    }
  }

  /**
   * Causes everything to be compiled, with small filters that are larger than the private cache of
   * a core if and only if the filters to measure are: some filters behave differently there.
   */
  void warmUp() throws IOException {
    int size = keys >= LARGE ? WARM_UP_KEYS_OF_LARGE : WARM_UP_KEYS;
    // Half of the calls are single puts, half are batches.
    build(size, 1 + 2 * WARM_UP_CALLS * Turn.CHUNK / size);
    for (int i = 0; i < WARM_UP_CALLS / WARMING.chunks(); i++) {
      for (Operation operation : Operation.values()) {
        if (warmUp.has(operation)) {
          round(operation, WARMING, i, figures(operation, 1));
        }
      }
    }
    for (FilterOperation operation : FilterOperation.values()) {
      run(operation, WARM_UP_FILTER_OPERATIONS);
    }
  }

  /** Creates and fills filters repeatedly; single puts and batches alternate. */
  List<Figures> build(int times) {
    return build(keys, times);
  }

  private List<Figures> build(long size, int times) {
    Figures singles = figures(Operation.PUT_FRESH, 1);
    Figures batches = figures(Operation.BUILD, 1);
    Turn filling = filling(size);
    for (int time = 0; time < times; time++) {
      create(size);
      for (int round = 0; stream.put() + filling.size() <= size; round++) {
        if ((round + time) % 2 == 0) {
          round(Operation.PUT_FRESH, filling, round, singles);
        } else {
          round(Operation.BUILD, filling, round, batches);
        }
      }
      fillUp(size);
    }
    return List.of(singles, batches);
  }

  // Long enough for a small filter to return to the caches, which the median chunk then does not
  // include; objects only as many as fit there, too.
  private Turn filling(long size) {
    Turn turn = new Turn(0, kind != KeyKind.LONG ? 3 : size < LARGE ? 24 : 64);
    // A filter too small for several turns is filled in two.
    return size < 2L * turn.size() ? new Turn(0, 1, (int) (size / 2)) : turn;
  }

  private void create(long size) {
    for (Side side : sides) {
      side.contender.create(size, RATE);
    }
    stream.restart();
  }

  // The rate is measured with a filter that holds all keys.
  private void fillUp(long size) {
    int left = (int) (size - stream.put());
    Object rest = stream.next(Share.NEW, left);
    for (Side side : sides) {
      if (side.can(Operation.PUT_FRESH)) {
        side.contender.run(Action.PUT, rest, 0, left);
      }
    }
  }

  /** Times an operation on the filters built. */
  Figures run(Operation operation, int rounds) {
    Figures figures = figures(operation, 1);
    settle(operation, rounds);
    for (int round = 0; round < rounds; round++) {
      round(operation, turn, round, figures);
    }
    return figures;
  }

  // Code compiled for earlier operations is discarded and recompiled meanwhile, so that the steady
  // state is timed.
  private void settle(Operation operation, int rounds) {
    Figures unused = figures(operation, 1);
    long end = System.nanoTime() + Math.min(SETTLING_NANOS, rounds * SETTLING_NANOS_A_ROUND);
    for (int round = 0; System.nanoTime() < end; round++) {
      round(operation, WARMING, round, unused);
    }
  }

  private void round(Operation operation, Turn turn, int round, Figures figures) {
    Object chunk = stream.next(operation.share(), turn.size());
    for (Side side : inTurn(round)) {
      if (side.can(operation)) {
        double nanos = turn.run(side.contender, operation.action(), chunk);
        if (side.counts(operation)) {
          figures.add(side.subject.name(), nanos);
        }
      }
    }
  }

  // The order is rotated, so that no subject always follows the same one.
  private List<Side> inTurn(int round) {
    List<Side> order = new ArrayList<>(sides);
    Collections.rotate(order, -round);
    return order;
  }

  /** Fills filters repeatedly, alternately in one thread and in two threads at the same time. */
  List<Figures> buildByTwo(int times) {
    Figures one = figures(Operation.PUT_FRESH, 1);
    Figures two = figures(Operation.PUT_FRESH, 2);
    Turn filling = filling(keys);
    for (int time = 0; time < times; time++) {
      create(keys);
      for (int round = 0; stream.put() + 3L * filling.size() <= keys; round++) {
        oneAndTwo(Operation.PUT_FRESH, filling, round, one, two);
      }
      fillUp(keys);
    }
    return List.of(one, two);
  }

  /** Times an operation in one thread and, in the same round, in two threads at the same time. */
  List<Figures> runByTwo(Operation operation, int rounds) {
    Figures one = figures(operation, 1);
    Figures two = figures(operation, 2);
    for (int round = 0; round < rounds; round++) {
      oneAndTwo(operation, turn, round, one, two);
    }
    return List.of(one, two);
  }

  private void oneAndTwo(Operation operation, Turn turn, int round, Figures one, Figures two) {
    round(operation, turn, round, one);
    Object keys = stream.next(operation.share(), turn.size());
    Object others = stream.next(operation.share(), turn.size());
    for (Side side : inTurn(round)) {
      if (side.can(operation)) {
        double nanos = SharedTurn.run(turn, side.contender, operation.action(), keys, others);
        two.add(side.subject.name(), nanos);
      }
    }
  }

  /** Times an operation on whole filters; the figures are nanoseconds per key. */
  Figures run(FilterOperation operation, int rounds) throws IOException {
    Figures figures = new Figures(kind, keys, operation.label(), 1);
    for (int round = 0; round < rounds; round++) {
      for (Side side : inTurn(round)) {
        if (side.can(operation)) {
          side.contender.prepare(operation);
          long start = System.nanoTime();
          side.contender.run(operation);
          figures.add(side.subject.name(), (double) (System.nanoTime() - start) / keys);
        }
      }
    }
    return figures;
  }

  /** Returns the size of each filter built. */
  List<Stats> sizes() {
    List<Stats> stats = new ArrayList<>();
    for (Side side : sides) {
      if (side.subject.role() != Subject.Role.LIMIT) {
        double bits = (double) side.contender.sizeInBits() / keys;
        stats.add(measure(Stats.BITS_PER_KEY, side, bits));
      }
    }
    return stats;
  }

  /** Queries the filters built for absent keys: more of them for Bloomery, fewer for others. */
  List<Stats> rates(long oursAsked, long othersAsked) {
    List<Side> filters =
        sides.stream().filter(one -> one.subject.role() != Subject.Role.LIMIT).toList();
    long[] found = new long[filters.size()];
    for (long asked = 0; asked < Math.max(oursAsked, othersAsked); asked += BATCH) {
      Object absent = stream.next(Share.ABSENT, BATCH);
      for (int i = 0; i < found.length; i++) {
        if (asked < (filters.get(i).subject.ours() ? oursAsked : othersAsked)) {
          found[i] += filters.get(i).contender.run(Action.SELECT, absent, 0, BATCH);
        }
      }
    }
    List<Stats> stats = new ArrayList<>();
    for (int i = 0; i < found.length; i++) {
      Side side = filters.get(i);
      long asked = roundUp(side.subject.ours() ? oursAsked : othersAsked);
      stats.add(measure(Stats.RATE, side, (double) found[i] / asked));
      side.contender
          .plannedRate(keys)
          .ifPresent(rate -> stats.add(measure(Stats.PLANNED_RATE, side, rate)));
    }
    return stats;
  }

  private static long roundUp(long asked) {
    return (asked + BATCH - 1) / BATCH * BATCH;
  }

  private Stats measure(String what, Side side, double value) {
    return new Stats(what, kind, keys, side.subject.name(), value);
  }

  private Figures figures(Operation operation, int threads) {
    return new Figures(kind, keys, operation.label(), threads);
  }

  /** Releases all filters and the classes loaded for them. */
  @Override
  public void close() throws IOException {
    for (Side side : sides) {
      ((Closeable) side.contender.getClass().getClassLoader()).close();
    }
    sides.clear();
  }
}
