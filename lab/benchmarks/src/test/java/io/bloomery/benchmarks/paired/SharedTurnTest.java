package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

// In a thread of its own: one that spins cannot be interrupted.
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SharedTurnTest {

  private static final Turn TURN = new Turn(3, 5, 4);

  /** Notes who did what, and may refuse a key. */
  private static final class Notes implements Contender {

    final Map<Long, Thread> seen = new ConcurrentHashMap<>();
    final long refused;

    Notes(long refused) {
      this.refused = refused;
    }

    @Override
    public void create(long keys, double rate) {}

    @Override
    public Set<Action> actions() {
      return EnumSet.of(Action.QUERY);
    }

    @Override
    public int run(Action action, Object keys, int from, int to) {
      for (int i = from; i < to; i++) {
        long key = ((long[]) keys)[i];
        if (key == refused) {
          throw new IllegalArgumentException("refused");
        }
        seen.put(key, Thread.currentThread());
      }
      return to - from;
    }

    @Override
    public long sizeInBits() {
      return 0;
    }
  }

  private static long[] keys(long first) {
    long[] keys = new long[TURN.size()];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = first + i;
    }
    return keys;
  }

  @Test
  void eachThreadDoesItsOwnKeys() {
    Notes notes = new Notes(-1);
    double nanos = SharedTurn.run(TURN, notes, Action.QUERY, keys(0), keys(100));
    assertTrue(nanos >= 0);
    assertEquals(2 * TURN.size(), notes.seen.size());
    for (int i = 0; i < TURN.size(); i++) {
      assertEquals(Thread.currentThread(), notes.seen.get((long) i));
      assertEquals(notes.seen.get(100L), notes.seen.get(100L + i));
    }
    assertEquals(2, Set.copyOf(notes.seen.values()).size());
  }

  @Test
  void aThreadThatFailsDoesNotLeaveTheOtherWaiting() {
    for (long refused : new long[] {0, 10, 100, 110}) {
      Notes notes = new Notes(refused);
      assertThrows(
          RuntimeException.class,
          () -> SharedTurn.run(TURN, notes, Action.QUERY, keys(0), keys(100)));
    }
  }
}
