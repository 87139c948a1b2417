package io.bloomery.benchmarks.paired;

import io.bloomery.benchmarks.paired.Operation.Share;
import java.util.ArrayList;
import java.util.List;

/**
 * A contest with one kind of key and one number of keys: in each round everybody has a turn with
 * the same keys, so that whatever else the machine does, it does to all.
 */
final class Duel {

  private static final double RATE = 0.01;
  private static final int WARM_UP_KEYS = 64 * Turn.CHUNK;
  private static final int WARM_UP_ROUNDS = 60;
  private static final Turn FILLING = new Turn(0, 8);

  private record Player(Entrant entrant, Contender contender) {

    // A filter that counts takes each put, again and again, until a counter of four bits is full.
    boolean can(Operation operation) {
      return contender.actions().contains(operation.action())
          && (operation != Operation.PUT_AGAIN || entrant.role() != Entrant.Role.COUNTING);
    }
  }

  private final KeyKind kind;
  private final long keys;
  private final Turn turn;
  private final KeyStream stream;
  private final List<Player> players = new ArrayList<>();

  Duel(KeyKind kind, long keys, List<Entrant> entrants, Turn turn) {
    this.kind = kind;
    this.keys = keys;
    this.turn = turn;
    this.stream = new KeyStream(kind);
    for (Entrant entrant : entrants) {
      if (entrant.takes(kind)) {
        players.add(new Player(entrant, entrant.load(kind)));
      }
    }
  }

  /** Has everything compiled, by hits and misses alike, with filters that are soon filled. */
  void warmUp() {
    build(WARM_UP_KEYS, 1);
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      for (Operation operation : Operation.values()) {
        if (operation.share() != Share.NEW) {
          round(operation, FILLING, i, figures(operation));
        }
      }
    }
  }

  /** Makes filters and fills them, so many times; puts and batches of puts take turns. */
  List<Figures> build(int times) {
    return build(keys, times);
  }

  private List<Figures> build(long size, int times) {
    Figures singles = figures(Operation.PUT_FRESH);
    Figures batches = figures(Operation.BUILD);
    for (int time = 0; time < times; time++) {
      for (Player player : players) {
        player.contender.create(size, RATE);
      }
      stream.restart();
      for (int round = 0; stream.put() + FILLING.size() <= size; round++) {
        if ((round + time) % 2 == 0) {
          round(Operation.PUT_FRESH, FILLING, round, singles);
        } else {
          round(Operation.BUILD, FILLING, round, batches);
        }
      }
    }
    return List.of(singles, batches);
  }

  /** Times an operation on filters that were built. */
  Figures run(Operation operation, int rounds) {
    Figures figures = figures(operation);
    for (int round = 0; round < rounds; round++) {
      round(operation, turn, round, figures);
    }
    return figures;
  }

  private void round(Operation operation, Turn turn, int round, Figures figures) {
    Object chunk = stream.next(operation.share(), turn.size());
    for (int i = 0; i < players.size(); i++) {
      Player player = players.get((i + round) % players.size());
      if (player.can(operation)) {
        double nanos = turn.run(player.contender, operation.action(), chunk);
        figures.add(player.entrant.name(), nanos);
      }
    }
  }

  private Figures figures(Operation operation) {
    return new Figures(kind, keys, operation.label(), 1);
  }
}
