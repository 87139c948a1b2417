package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.RemovableFilter;

/** Two threads, one of which removes. */
final class RemovalRaceRules extends Topic {

  /** Few, and the filter is small, so that hashes share words and bits. */
  private static final int HASHES = 16;

  RemovalRaceRules(RuleContext context) {
    super(context);
  }

  private RemovableFilter removable() {
    return (RemovableFilter) subject().create(HASHES, 0.1);
  }

  void racingPutsAndRemovesLoseNothing() {
    Race.run(evidence(), Race.rounds(tier()), new PutAndRemoveRace(removable()));
  }

  /** One thread puts what the other does not remove, and both change the count of one hash. */
  private final class PutAndRemoveRace implements Race.Round {
    private static final int TIMES = 4;

    private final RemovableFilter empty;
    private final byte[] emptyBytes;
    private RemovableFilter filter;
    private long[] old;
    private long[] added;
    private long common;
    private int removed;

    PutAndRemoveRace(RemovableFilter empty) {
      this.empty = empty;
      this.emptyBytes = Subject.write(empty);
    }

    @Override
    public void prepare(int round) {
      filter = (RemovableFilter) empty.copy();
      Hashes hashes = hashes("r56/" + round);
      old = hashes.next(HASHES);
      added = hashes.next(HASHES);
      common = hashes.next();
      Subject.put(filter, old);
      for (int i = 0; i < TIMES; i++) {
        filter.put(common);
      }
      removed = 0;
    }

    @Override
    public void act(int thread) {
      for (int i = 0; i < HASHES; i++) {
        if (thread == 0) {
          filter.put(i % TIMES == 0 ? common : added[i]);
        } else {
          removed += filter.remove(i % TIMES == 0 ? common : old[i]) ? 1 : 0;
        }
      }
    }

    @Override
    public void verify() {
      assertEquals(HASHES, removed, "removes that returned true");
      for (int i = 0; i < HASHES; i++) {
        long left = i % TIMES == 0 ? common : added[i];
        assertTrue(filter.remove(left), () -> "hash " + left + " is lost in " + filter);
        if (i % TIMES == 0) {
          long kept = old[i];
          assertTrue(filter.remove(kept), () -> "hash " + kept + " is lost in " + filter);
        }
      }
      assertArrayEquals(emptyBytes, Subject.write(filter), "bytes after all was removed");
    }
  }

  void ofRacingRemovesAsManyReturnTrueAsThereWerePuts() {
    Race.run(evidence(), Race.rounds(tier()), new EqualRemoveRace(removable()));
  }

  /** Both threads remove one hash as often as it was put. */
  private final class EqualRemoveRace implements Race.Round {
    private final RemovableFilter empty;
    private final byte[] emptyBytes;
    private final Hashes hashes = hashes("r57");
    private final int[] removed = new int[2];
    private RemovableFilter filter;
    private long hash;
    private int puts;

    EqualRemoveRace(RemovableFilter empty) {
      this.empty = empty;
      this.emptyBytes = Subject.write(empty);
    }

    @Override
    public void prepare(int round) {
      filter = (RemovableFilter) empty.copy();
      hash = hashes.next();
      puts = 1 + round % 3;
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
      assertArrayEquals(emptyBytes, Subject.write(filter), "bytes after all was removed");
    }
  }

  void whatIsKeptIsFoundWhileOtherHashesAreRemoved() {
    Race.run(evidence(), Race.rounds(tier()) / 2, new KeepRace(removable()));
  }

  /** One thread looks for what is kept, the other removes the rest and puts it again. */
  private final class KeepRace implements Race.Round {
    private final RemovableFilter filter;
    private final long[] kept = hashes("r58/kept", HASHES / 2);
    private final long[] removed = hashes("r58/removed", HASHES);
    private int missed;

    KeepRace(RemovableFilter filter) {
      this.filter = filter;
      Subject.put(filter, kept);
      Subject.put(filter, removed);
    }

    @Override
    public void prepare(int round) {}

    @Override
    public void act(int thread) {
      for (int i = 0; i < HASHES; i++) {
        if (thread == 0) {
          for (long hash : kept) {
            missed += filter.mightContain(hash) ? 0 : 1;
          }
        } else {
          filter.remove(removed[i]);
          filter.put(removed[i]);
        }
      }
    }

    @Override
    public void verify() {
      assertEquals(0, missed, "hashes missed while others were removed");
    }
  }
}
