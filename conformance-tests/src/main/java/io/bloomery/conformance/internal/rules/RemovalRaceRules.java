package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import io.bloomery.filter.ThreadMode;
import java.util.Arrays;

/** The rules on two threads of which one removes. */
public final class RemovalRaceRules extends RuleGroup {

  /** The number of hashes: small, like the filter, so that hashes share words and bits. */
  private static final int HASHES = 16;

  /**
   * The maximum size in bytes of a filter that is compared with its earlier content after each of
   * many rounds.
   */
  private static final int SMALL = 1 << 12;

  public RemovalRaceRules(RuleContext context) {
    super(context);
  }

  private RemovableFilter removable(double rate) {
    return (RemovableFilter) subject().create(HASHES, rate);
  }

  public void racingPutsAndRemovesLoseNothing() {
    for (double rate : SOME_RATES) {
      Case small = Case.of(HASHES, rate).withMode(ThreadMode.SHARED).withPut(2 * HASHES);
      Race.run(
          evidence(), Race.rounds(tier()) / 4, new ReplaceRace(small.withSeed(seed("r56" + rate))));
    }
    forAll(
        StripedTables.domain(context(), "r56", 1, 600),
        drawn -> Race.run(evidence(), tier().choose(4, 20, 40), new ReplaceRace(drawn)));
  }

  /**
   * One thread puts what the other does not remove, one by one or in a batch, and both change the
   * count of one hash, which is high.
   */
  private final class ReplaceRace implements Race.Round {
    private final Case drawn;
    private final int size;
    private final Filter empty;
    private final byte[] emptyBytes;
    private RemovableFilter filter;
    private long[] old;
    private long[] added;
    private boolean inBatches;
    private int removed;

    ReplaceRace(Case drawn) {
      this.drawn = drawn;
      this.size = Math.max(1, drawn.put() / 2);
      this.empty = new FilledFilter(subject(), drawn.withPut(0)).filter();
      this.emptyBytes = Subject.write(empty);
    }

    @Override
    public void prepare(int round) {
      filter = (RemovableFilter) empty.copy();
      Hashes hashes = new Hashes(drawn.seed() + round);
      old = hashes.next(size);
      added = hashes.next(size);
      // Every fourth hash is the same one.
      for (int i = 0; i < size; i += 4) {
        old[i] = old[0];
        added[i] = old[0];
      }
      Subject.put(filter, old);
      inBatches = (drawn.seed() + round) % 2 == 0;
      removed = 0;
    }

    @Override
    public void act(int thread) {
      int half = size / 2;
      if (thread == 0) {
        for (int i = 0; i < half; i++) {
          filter.put(added[i]);
        }
        if (inBatches) {
          filter.putAll(added, half, size);
        } else {
          Subject.put(filter, Arrays.copyOfRange(added, half, size));
        }
      } else if (inBatches) {
        removed = filter.removeAll(old, 0, half) + filter.removeAll(old, half, size);
      } else {
        for (long hash : old) {
          removed += filter.remove(hash) ? 1 : 0;
        }
      }
    }

    @Override
    public void verify() {
      assertEquals(size, removed, "removes that returned true");
      for (long left : added) {
        assertTrue(
            filter.mightContain(left),
            () -> "hash " + left + " is lost in " + Subject.text(filter));
      }
      for (long left : added) {
        assertTrue(
            filter.remove(left), () -> "a put of " + left + " is lost in " + Subject.text(filter));
      }
      assertArrayEquals(emptyBytes, Subject.write(filter), "bytes after all was removed");
    }
  }

  public void ofRacingRemovesAsManyReturnTrueAsThereWerePuts() {
    for (double rate : SOME_RATES) {
      Race.run(evidence(), Race.rounds(tier()) / 4, new EqualRemoveRace(removable(rate), 1));
    }
    int rounds = Race.rounds(tier()) / 8;
    forAll(
        StripedTables.domain(context(), "r57", 2, 2_000),
        drawn -> {
          FilledFilter filled = new FilledFilter(subject(), drawn.withPut(drawn.put() / 4));
          RemovableFilter filter = (RemovableFilter) filled.filter();
          Race.run(evidence(), rounds, new EqualRemoveRace(filter, rounds));
        });
  }

  /** Both threads remove one hash as often as it was put; sometimes its count is high. */
  private final class EqualRemoveRace implements Race.Round {
    private static final int OFTEN = 40;

    private final RemovableFilter before;
    private final byte[] beforeBytes;
    private final Hashes hashes = hashes("r57");
    private final int[] removed = new int[2];
    private final int period; // the number of rounds with the same filter
    private RemovableFilter filter;
    private long hash;
    private int puts;

    EqualRemoveRace(RemovableFilter before, int period) {
      this.before = before;
      this.beforeBytes = Subject.write(before);
      this.period = period;
    }

    @Override
    public void prepare(int round) {
      if (round % period == 0) {
        filter = (RemovableFilter) before.copy();
      }
      do {
        hash = hashes.next();
      } while (filter.mightContain(hash)); // a false positive could be removed more often
      puts = round % 8 == 7 ? OFTEN : 1 + round % 3;
      for (int i = 0; i < puts; i++) {
        filter.put(hash);
      }
      removed[0] = 0;
      removed[1] = 0;
    }

    @Override
    public void act(int thread) {
      for (int i = 0; i < puts; i++) {
        removed[thread] += filter.remove(hash) ? 1 : 0;
      }
    }

    @Override
    public void verify() {
      assertEquals(puts, removed[0] + removed[1], "removes that returned true");
      assertFalse(
          filter.mightContain(hash),
          () -> "hash " + hash + " was removed from " + Subject.text(filter));
      if (filter.payloadSize() < SMALL) {
        assertArrayEquals(beforeBytes, Subject.write(filter), "bytes after all was removed");
      }
    }
  }

  public void whatIsKeptIsFoundWhileOtherHashesAreRemoved() {
    long[] kept = hashes("r58/kept", HASHES / 2);
    long[] others = hashes("r58/removed", HASHES);
    for (double rate : SOME_RATES) {
      int rounds = Race.rounds(tier()) / 8;
      Race.run(evidence(), rounds, new KeepRace(removable(rate), kept, others));
    }
    forAll(
        StripedTables.domain(context(), "r58", 2, 1_500),
        drawn -> {
          FilledFilter filled = new FilledFilter(subject(), drawn.withPut(drawn.put() / 3));
          RemovableFilter filter = (RemovableFilter) filled.filter();
          long[] removed = filled.others().next(drawn.put() - drawn.put() / 3);
          Race.run(
              evidence(),
              tier().choose(3, 60, 120),
              new KeepRace(filter, filled.hashes(), removed));
        });
  }

  /** One thread queries the hashes that are kept, the other removes the rest and puts it again. */
  private static final class KeepRace implements Race.Round {
    private static final int MAX_TIMES = 4;

    private final RemovableFilter filter;
    private final long[] kept;
    private final long[] removed;
    private int missed;
    private int miscounted;
    private boolean counts;

    KeepRace(RemovableFilter filter, long[] kept, long[] removed) {
      this.filter = filter;
      this.kept = kept;
      this.removed = removed;
      for (int i = 0; i < kept.length; i++) {
        for (int time = 0; time < times(i); time++) {
          filter.put(kept[i]);
        }
      }
      Subject.put(filter, removed);
    }

    /**
     * Returns the number of puts of a kept hash: counts of one and two are special in some filters.
     */
    private static int times(int index) {
      return 1 + index % MAX_TIMES;
    }

    @Override
    public void prepare(int round) {
      // Separate from queries, because counting might make them wait until a removal is complete.
      counts = round % 3 == 2;
    }

    @Override
    public void act(int thread) {
      if (thread == 0) {
        for (int pass = 0; pass < HASHES; pass++) {
          for (int i = 0; i < kept.length; i++) {
            if (counts) {
              miscounted += filter.approximateCount(kept[i]) < times(i) ? 1 : 0;
            } else {
              missed += filter.mightContain(kept[i]) ? 0 : 1;
            }
          }
        }
        return;
      }
      int quarter = removed.length / 4;
      for (int i = 0; i < removed.length - quarter; i++) {
        filter.remove(removed[i]);
        filter.put(removed[i]);
      }
      filter.removeAll(removed, removed.length - quarter, removed.length);
      filter.putAll(removed, removed.length - quarter, removed.length);
    }

    @Override
    public void verify() {
      assertEquals(0, missed, "hashes missed while others were removed");
      assertEquals(0, miscounted, "counts that were too low while others were removed");
    }
  }
}
