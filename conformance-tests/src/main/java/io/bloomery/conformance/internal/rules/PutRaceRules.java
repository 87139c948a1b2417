package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.check.Race;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.StripedTables;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.RemovableFilter;
import java.util.function.Supplier;

/** The rules on two threads that put into one filter. */
public final class PutRaceRules extends RuleGroup {

  /** The maximum number of hashes put or queried when two threads race on drawn filters. */
  private static final int MAX_RACED = 10_000;

  /** The length of batches that are put while another thread queries. */
  private static final int BATCH = 1_000;

  public PutRaceRules(RuleContext context) {
    super(context);
  }

  public void concurrentPutsLoseNothing() {
    for (int size : new int[] {16, 64, 256}) {
      int rounds = Race.rounds(tier());
      Race.run(evidence(), size == 16 ? rounds : rounds / 4, new PutRace(size));
    }
    forAll(
        StripedTables.domain(context(), "r40", 2, MAX_RACED),
        drawn -> Race.run(evidence(), 3, new FillRace(drawn)));
  }

  /**
   * Each thread puts half of the hashes that fill a filter: both one by one, both in batches, or
   * one of each.
   */
  private final class FillRace implements Race.Round {
    private final Case drawn;
    private final int perRound = tier().choose(1, 10, 10, 10);
    private final boolean[] inBatches = new boolean[2];
    private int times;
    private FilledFilter filled;
    private Filter filter;
    private long[] hashes;

    FillRace(Case drawn) {
      this.drawn = drawn;
    }

    @Override
    public void prepare(int round) {
      // With its history, which copying might undo.
      filled = new FilledFilter(subject(), drawn.withPut(drawn.put() / 8));
      filter = filled.filter();
      hashes = new Hashes(drawn.seed() + 1 + round).next(drawn.put() - drawn.put() / 8);
      inBatches[0] = round % 3 > 0;
      inBatches[1] = round % 3 > 1;
      times = filter instanceof RemovableFilter ? 1 + round * perRound : 1;
    }

    @Override
    public void act(int thread) {
      // If puts are counted, two threads find room for high counts at once.
      for (int time = 0; time < times; time++) {
        putMine(thread);
      }
    }

    private void putMine(int thread) {
      int half = hashes.length / 2;
      int end = thread == 0 ? half : hashes.length;
      for (int i = thread * half; i < end; ) {
        int to = inBatches[thread] ? Math.min(end, i + BATCH) : i + 1;
        if (inBatches[thread]) {
          filter.putAll(hashes, i, to);
        } else {
          filter.put(hashes[i]);
        }
        i = to;
      }
    }

    @Override
    public void verify() {
      Subject.checkFound(filter, hashes);
      Subject.checkFound(filter, filled.hashes());
      assertEquals(
          subject().read(Subject.write(filter)).stats().setBits(),
          filter.stats().setBits(),
          "set bits when they are counted anew, and as told after puts of two threads");
      // Counts are written as equal bytes in whatever order hashes were put.
      if (filter instanceof RemovableFilter) {
        Filter reference = filled.reference();
        for (int time = 0; time < times; time++) {
          Subject.put(reference, hashes);
        }
        assertArrayEquals(
            Subject.write(reference),
            Subject.write(filter),
            "bytes of what one thread puts, and two");
      }
    }
  }

  /** Returns the fraction of rounds in which a put is lost; the rule permits none. */
  public double shareOfLosses(int rounds) {
    return Race.shareOfFailingRounds(rounds, new PutRace(16));
  }

  /** Both threads put alternate hashes, into a filter copied or read from a file. */
  private final class PutRace implements Race.Round {
    private final Supplier<Filter> empties;
    private final int size;
    private Filter filter;
    private long[] hashes;

    PutRace(int size) {
      this.empties = smallFilters(size);
      this.size = size;
    }

    @Override
    public void prepare(int round) {
      Filter empty = empties.get();
      filter = round % 2 == 0 ? empty : subject().read(Subject.write(empty));
      hashes = hashes("r40/" + round, size);
    }

    @Override
    public void act(int thread) {
      Filter target = filter;
      long[] mine = hashes;
      for (int i = thread; i < size; i += 2) {
        target.put(mine[i]);
      }
    }

    @Override
    public void verify() {
      Subject.checkFound(filter, hashes);
    }
  }

  public void ofRacingEqualPutsExactlyOneIsFirst() {
    // A new filter every 16 rounds: some hashes are then covered by others.
    Race.run(evidence(), 2 * Race.rounds(tier()), new EqualPutRace(smallFilters(16), 16));
    int rounds = Race.rounds(tier()) / 4;
    forAll(
        StripedTables.domain(context(), "r41", 2, MAX_RACED),
        drawn -> {
          Supplier<Filter> filled =
              () -> new FilledFilter(subject(), drawn.withPut(drawn.put() / 8)).filter();
          Race.run(
              evidence(),
              rounds,
              new EqualPutRace(filled, (int) Math.min(drawn.keys() / 4, MAX_RACED) + 1));
        });
  }

  /** Both threads put the same hash. */
  private final class EqualPutRace implements Race.Round {
    private final Supplier<Filter> base;
    private final int puts; // the number of puts per filter
    private final Hashes hashes = hashes("r41");
    private final boolean[] first = new boolean[2];
    private final boolean[] seen = new boolean[2];
    private Filter filter;
    private long hash;
    private boolean covered;

    EqualPutRace(Supplier<Filter> base, int puts) {
      this.base = base;
      this.puts = puts;
    }

    @Override
    public void prepare(int round) {
      if (round % puts == 0) {
        filter = base.get();
      }
      hash = hashes.next();
      covered = filter.mightContain(hash);
    }

    @Override
    public void act(int thread) {
      first[thread] = filter.put(hash);
      seen[thread] = filter.mightContain(hash);
    }

    @Override
    public void verify() {
      int winners = (first[0] ? 1 : 0) + (first[1] ? 1 : 0);
      assertEquals(covered ? 0 : 1, winners, () -> "puts of " + hash + " that returned true");
      assertTrue(seen[0] && seen[1], () -> hash + " is seen by who put it, first or not");
    }
  }
}
