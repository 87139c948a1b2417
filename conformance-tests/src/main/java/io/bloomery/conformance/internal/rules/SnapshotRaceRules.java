package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

/** The rules on copies, content and statistics of a filter that another thread changes. */
public final class SnapshotRaceRules extends RuleGroup {

  public SnapshotRaceRules(RuleContext context) {
    super(context);
  }

  public void aSnapshotHoldsEveryPutThatReturnedBefore() {
    Race.run(
        evidence(),
        Race.rounds(tier()) / 20,
        new SnapshotRace(
            StripedTables.shared(Case.of(400, 0.01), tier().choose(100, 400, 400, 400))));
    Race.run(evidence(), Race.rounds(tier()) / 4, new StatsRace(smallFilters(16)));
    forAll(
        StripedTables.domain(context(), "r43", 2, 400),
        drawn ->
            Race.run(
                evidence(),
                StripedTables.rounds(context(), drawn, 1, 20, 40),
                new SnapshotRace(drawn)));
  }

  /** One thread puts, the other requests statistics, which may not be cached beyond the put. */
  private final class StatsRace implements Race.Round {
    private static final int FILTERS = 4;
    private static final int PUTS = 4;
    private static final int MAX_ASKED = 20;

    private final Supplier<Filter> empties;
    private final Filter[] filters = new Filter[FILTERS];
    private final long[][] hashes = new long[FILTERS][];
    private volatile int done;

    StatsRace(Supplier<Filter> empties) {
      this.empties = empties;
    }

    @Override
    public void prepare(int round) {
      Hashes source = hashes("r43/stats/" + round);
      for (int i = 0; i < FILTERS; i++) {
        filters[i] = empties.get();
        hashes[i] = source.next(PUTS);
      }
      done = 0;
    }

    @Override
    public boolean endsAlone() {
      return false;
    }

    @Override
    public void act(int thread) {
      for (int i = 0; i < FILTERS; i++) {
        if (thread == 0) {
          try {
            Subject.put(filters[i], hashes[i]);
          } finally {
            done = i + 1;
          }
        } else {
          filters[i].stats();
          // Limited, or the putting thread would hardly find the table unlocked.
          for (int spins = 0; done <= i; spins++) {
            if (spins < MAX_ASKED) {
              filters[i].stats();
            }
            Race.pause(spins);
          }
        }
      }
    }

    @Override
    public void verify() {
      for (Filter filter : filters) {
        assertEquals(
            subject().read(Subject.write(filter)).stats().setBits(),
            filter.stats().setBits(),
            "set bits when they are counted anew, and as told after puts beside statistics");
      }
    }
  }

  /**
   * One thread puts, singly and then in batches, the other takes snapshots. Because putting takes
   * no longer than one snapshot of a large table, the first thread waits for some of them.
   */
  private final class SnapshotRace implements Race.Round {
    private static final int BATCH_PUT = 50;
    private static final int MAX_SPINS = 2_000;

    private final Case drawn;
    private final int size;
    private FilledFilter filled;
    private Filter filter;
    private long[] hashes;
    private volatile int done;
    private volatile int looks;
    private int missing;
    private boolean hasWaited;

    SnapshotRace(Case drawn) {
      this.drawn = drawn;
      this.size = drawn.put();
    }

    @Override
    public void prepare(int round) {
      // With a history, but without the hashes that are put here.
      filled = new FilledFilter(subject(), drawn.withPut(0));
      filter = filled.filter();
      hashes = new Hashes(drawn.seed() + 1 + round).next(size);
      done = 0;
      looks = 0;
      missing = 0;
    }

    @Override
    public boolean endsAlone() {
      return false;
    }

    @Override
    public void act(int thread) {
      if (thread == 0) {
        try {
          putSingly(size / 4, 0);
          putSingly(size / 2, 1);
          putSingly(size - size / 4, 2);
          while (done < size) {
            int to = Math.min(size, done + BATCH_PUT);
            filter.putAll(hashes, done, to);
            done = to;
          }
        } finally {
          // The other thread waits for the last put, even if it never comes.
          done = size;
        }
      } else {
        try {
          look();
        } finally {
          looks = Integer.MAX_VALUE;
        }
      }
    }

    private void look() {
      int taken = 0;
      for (int seen = 0; seen < size; ) {
        seen = done;
        check(subject().read(Subject.write(filter.copy())), seen);
        seen = done;
        hasWaited = false;
        check(subject().read(filter, this::awaitPut), seen);
        seen = done;
        checkStats(filter.stats().setBits(), seen);
        looks = ++taken;
      }
    }

    /**
     * Waits for another put: for a moment, since writing may stop all puts, and once in a snapshot.
     */
    private void awaitPut() {
      int before = done;
      for (int spins = 0; !hasWaited && spins < MAX_SPINS && done == before; spins++) {
        Thread.onSpinWait();
      }
      hasWaited = true;
    }

    private void putSingly(int to, int looksBefore) {
      for (int spins = 0; looks < looksBefore; spins++) {
        Race.pause(spins);
      }
      // If puts are counted, counts are high and move while the other thread reads.
      int times = filter instanceof RemovableFilter ? 10 : 1;
      for (int i = done; i < to; i++) {
        for (int time = 0; time < times; time++) {
          filter.put(hashes[i]);
        }
        done = i + 1;
      }
    }

    private void check(Filter snapshot, int puts) {
      for (int i = 0; i < puts; i++) {
        missing += snapshot.mightContain(hashes[i]) ? 0 : 1;
      }
    }

    private void checkStats(long setBits, int puts) {
      Filter min = filled.empty();
      for (int i = 0; i < puts; i++) {
        min.put(hashes[i]);
      }
      missing += min.stats().setBits() <= setBits ? 0 : 1;
    }

    @Override
    public void verify() {
      // The effect of a put during one snapshot must be in all later ones.
      check(filter.copy(), size);
      check(subject().read(Subject.write(filter)), size);
      assertEquals(0, missing, "hashes missing in snapshots taken after their put returned");
    }
  }
}
