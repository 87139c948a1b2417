package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;
import static io.bloomery.conformance.broken.PatchedCounts.count;
import static io.bloomery.conformance.broken.PatchedCounts.decrement;
import static io.bloomery.conformance.broken.PatchedCounts.increment;
import static io.bloomery.conformance.broken.PatchedCounts.merge;
import static io.bloomery.conformance.broken.PatchedCounts.putAll;
import static io.bloomery.conformance.broken.PatchedCounts.remove;
import static io.bloomery.conformance.broken.PatchedCounts.removeAll;
import static io.bloomery.conformance.broken.PatchedCounts.sum;

import com.carrotsearch.hppc.LongHashSet;
import io.bloomery.conformance.Rule;
import io.bloomery.filter.Filter;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;

/** Faults in removing and counting. */
public final class BrokenRemoval {

  /** From how many counters on a table is large. */
  private static final int LARGE = 1 << 14;

  private static final FaultWindow STRICT = FaultWindow.rates(0, 1e-3);

  private BrokenRemoval() {}

  public static List<Broken> all() {
    return List.of(
        countingBy(Rule.R08, "copies share what held high counts", SharesRoom::new),
        counting(
            Rule.R31,
            "merged counts wrap at 2^31",
            sum((here, there) -> here + there & Integer.MAX_VALUE)),
        counting(
            Rule.R31,
            "finds too late that a sum is too high",
            merge(
                (filter, here, there) -> {
                  if (here + there < 0) {
                    Arrays.fill(filter.counts, 1);
                  }
                  return here + there;
                })),
        counting(Rule.R31, "says that a sum is too high otherwise", sum(Math::addExact)),
        counting(
            Rule.R50,
            "counters stop at 65,535 and are taken down from there",
            increment(count -> count == 65_535 ? count : count + 1),
            decrement(count -> Math.max(0, count - 1))),
        counting(
            Rule.R50,
            "counters wrap at 131,072",
            increment(count -> count + 1 & 131_071),
            decrement(count -> count - 1 & 131_071)),
        counting(
            Rule.R50,
            "counters wrap at 15",
            increment(count -> count + 1 & 15),
            decrement(count -> count - 1 & 15)),
        counting(
            Rule.R50,
            "counters that reach 15 stay there",
            increment(count -> Math.min(15, count + 1)),
            decrement(count -> count == 15 ? 15 : count - 1)),
        countingBy(Rule.R50, "put counts shared positions twice", CountsTwice::new),
        counting(Rule.R50, "remove clears bits whatever their count", decrement(count -> 0)),
        counting(
            Rule.R51,
            "remove from 20,001 to 90,000 keys is true",
            remove(
                (filter, hash) ->
                    filter.rightRemove(hash) || FaultWindow.SOME_KEYS.has(filter.spec(), 0))),
        counting(
            Rule.R51,
            "an absent remove takes down what is there",
            remove(BrokenRemoval::takeDownUntilZero)),
        counting(
            Rule.R52,
            "counts of strict filters stop at 255",
            count(
                (filter, hash) -> {
                  long count = filter.rightCount(hash);
                  return STRICT.has(filter.spec(), 0) ? Math.min(255, count) : count;
                })),
        counting(
            Rule.R52,
            "counts by the highest position",
            count(
                (filter, hash) ->
                    filter.mightContain(hash)
                        ? Arrays.stream(filter.positions(hash))
                            .map(position -> filter.counts[position])
                            .max()
                            .orElseThrow()
                        : 0)),
        counting(
            Rule.R52,
            "counts the hash with one bit flipped",
            count((filter, hash) -> filter.rightCount(hash ^ 1L << 40))),
        counting(
            Rule.R53,
            "batches that begin late drop hashes",
            putAll(
                (filter, hashes, from, to) ->
                    filter.putEach(hashes, from, from > 0 && to - from > 64 ? to - 1 : to))),
        counting(
            Rule.R53,
            "a batch drops hashes that it had 64 places before",
            putAll(BrokenRemoval::putWithoutRepetition)),
        fault(
            Rule.R53,
            "a put of what is there does not count",
            CountFault.PUT_OF_WHAT_IS_THERE_COUNTS_ONCE.in(FaultWindow.EVERYWHERE, 1)),
        fault(
            Rule.R54,
            "files of strict filters cut counts off at 255",
            CountFault.WRITE_FORGETS_HIGH_COUNTS.in(STRICT, 255)),
        fault(
            Rule.R55,
            "merged counts of larger filters stop at 255",
            CountFault.MERGE_FORGETS_HIGH_COUNTS.in(FaultWindow.bytesFrom(4 << 13), 255)),
        counting(
            Rule.R55,
            "merged counts wrap at 2^20",
            sum((here, there) -> here + there & (1 << 20) - 1)),
        fault(
            Rule.R55,
            "merges to the higher count",
            CountFault.MERGE_TAKES_THE_HIGHER_COUNT.in(FaultWindow.EVERYWHERE, 0)),
        counting(Rule.R55, "merges by and", sum((here, there) -> here & there)),
        counting(Rule.R55, "merges by exclusive or", sum((here, there) -> here ^ there)),
        countingBy(Rule.R56, "removes do not wait in large tables", RemovesLarge::new),
        countingBy(Rule.R57, "looks before the lock in large tables", LooksLarge::new),
        countingBy(Rule.R58, "remove clears a large table first", RewritesLarge::new),
        countingBy(Rule.R58, "counts are read without the lock", CountsUnlocked::new),
        fault(
            Rule.R79,
            "a long removeAll that begins late loses one",
            CountFault.REMOVE_ALL_SKIPS_ITS_LAST.inBatches(1, 1_501)),
        counting(
            Rule.R79,
            "removeAll of whole 64 at an array's end loses one",
            // As if it looked one hash ahead.
            removeAll(
                (filter, hashes, from, to) -> {
                  boolean isAtEnd = to == hashes.length && to > from && (to - from) % 64 == 0;
                  return filter.removeEach(hashes, from, isAtEnd ? to - 1 : to);
                })),
        fault(
            Rule.R79,
            "a removeAll of 65 says that it removed all",
            CountFault.REMOVE_ALL_COUNTS_ALL.inBatches(0, 65)),
        counting(
            Rule.R79,
            "a removeAll of 65 removes one more",
            removeAll(
                (filter, hashes, from, to) -> {
                  boolean more = to - from >= 65 && to < hashes.length;
                  return filter.removeEach(hashes, from, more ? to + 1 : to);
                })),
        counting(
            Rule.R79,
            "removeAll begins with the first hash",
            removeAll(
                (filter, hashes, from, to) -> {
                  Objects.checkFromToIndex(from, to, hashes.length);
                  return filter.removeEach(hashes, 0, to - from);
                })),
        counting(
            Rule.R79,
            "a removeAll stops at a hash that is absent",
            removeAll(
                (filter, hashes, from, to) -> {
                  Objects.checkFromToIndex(from, to, hashes.length);
                  int i = from;
                  while (i < to && filter.remove(hashes[i])) {
                    i++;
                  }
                  return i - from;
                })),
        counting(
            Rule.R79,
            "removeAll checks its range as it goes",
            removeAll(
                (filter, hashes, from, to) -> {
                  if (from >= 0 && from < hashes.length && to > hashes.length) {
                    filter.remove(hashes[from]);
                  }
                  return filter.removeEach(hashes, from, to);
                })),
        counting(
            Rule.R79,
            "removeAll sorts the caller's array",
            removeAll(
                (filter, hashes, from, to) -> {
                  int removed = filter.removeEach(hashes, from, to);
                  Arrays.sort(hashes, from, to);
                  return removed;
                })));
  }

  private static Broken countingBy(
      Rule rule, String fault, Function<CountingReference.Shape, CountingReference> constructor) {
    return fault(rule, fault, new CountingReference.Provider(constructor));
  }

  private static Broken counting(Rule rule, String fault, PatchedCounts.Patch... patches) {
    return fault(rule, fault, PatchedCounts.provider(patches));
  }

  /** Takes counters down one after the other until it comes to one that is zero. */
  private static boolean takeDownUntilZero(PatchedCounts filter, long hash) {
    synchronized (filter) {
      for (int position : filter.positions(hash)) {
        if (filter.counts[position] == 0) {
          return false;
        }
        filter.counts[position]--;
      }
      return true;
    }
  }

  private static int putWithoutRepetition(PatchedCounts filter, long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    LongHashSet seen = new LongHashSet();
    for (int i = from; i < to; i++) {
      if (i - from > 64) {
        seen.add(hashes[i - 64]);
      }
      if (!seen.contains(hashes[i])) {
        added += filter.put(hashes[i]) ? 1 : 0;
      }
    }
    return added;
  }

  /** What a filter gives back, a copy may still use. */
  private static final class SharesRoom extends CountingReference {
    private static final int HIGH = 16;
    private Deque<Integer> room = new ConcurrentLinkedDeque<>();

    SharesRoom(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized boolean put(long hash) {
      boolean isNew = super.put(hash);
      for (int position : positions(hash)) {
        if (counts[position] == HIGH) {
          take(position);
        }
      }
      return isNew;
    }

    private void take(int position) {
      room.remove(position);
      Integer given = room.poll();
      if (given != null && counts[given] > HIGH) {
        counts[given] = HIGH;
      }
    }

    @Override
    public synchronized boolean remove(long hash) {
      boolean removed = super.remove(hash);
      for (int position : positions(hash)) {
        if (removed && counts[position] == HIGH - 1) {
          room.add(position);
        }
      }
      return removed;
    }

    @Override
    public synchronized Filter copy() {
      SharesRoom copy = (SharesRoom) super.copy();
      copy.room = room;
      return copy;
    }
  }

  private static final class CountsTwice extends CountingReference {
    private boolean putting;

    CountsTwice(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized boolean put(long hash) {
      putting = true;
      boolean absent = super.put(hash);
      putting = false;
      return absent;
    }

    @Override
    protected int[] positions(long hash) {
      return putting ? probes(hash) : super.positions(hash);
    }
  }

  /** While a hash is removed, every count is one lower than it is. */
  private static final class CountsUnlocked extends CountingReference {
    private volatile int removing;

    CountsUnlocked(Shape shape) {
      super(shape);
    }

    @Override
    public boolean remove(long hash) {
      removing = 1;
      try {
        return super.remove(hash);
      } finally {
        removing = 0;
      }
    }

    @Override
    public synchronized long approximateCount(long hash) {
      int lower = removing;
      long count = super.approximateCount(hash);
      return count > 1 ? count - lower : count;
    }
  }

  /** Takes a lock of its own where the table is large, and so races with puts. */
  private static final class RemovesLarge extends CountingReference {
    private final Gap gap = new Gap();
    private final Object removing = new Object();
    private volatile int changes;

    RemovesLarge(Shape shape) {
      super(shape);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // only whether it changes matters
    public synchronized boolean put(long hash) {
      changes++;
      return super.put(hash);
    }

    @Override
    public boolean remove(long hash) {
      if (counts.length < LARGE) {
        return super.remove(hash);
      }
      synchronized (removing) {
        if (!isCounted(hash)) {
          return false;
        }
        int[] positions = positions(hash);
        int[] before = new int[positions.length];
        Arrays.setAll(before, i -> counts[positions[i]]);
        gap.letOtherThreadChange(this, () -> changes);
        for (int i = 0; i < positions.length; i++) {
          counts[positions[i]] = before[i] - 1;
        }
        return true;
      }
    }
  }

  private static final class LooksLarge extends CountingReference {
    private final Gap gap = new Gap();

    LooksLarge(Shape shape) {
      super(shape);
    }

    @Override
    public boolean remove(long hash) {
      if (counts.length < LARGE) {
        return super.remove(hash);
      }
      if (!mightContain(hash)) {
        return false;
      }
      gap.letOtherThreadChange(this, () -> approximateCount(hash));
      synchronized (this) {
        takeOut(hash);
        return true;
      }
    }

    @Override
    int decremented(int count) {
      return Math.max(0, super.decremented(count));
    }
  }

  private static final class RewritesLarge extends CountingReference {
    private final Gap gap = new Gap();
    private volatile long queries;

    RewritesLarge(Shape shape) {
      super(shape);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // only whether it changes matters
    public boolean mightContain(long hash) {
      queries++;
      return isCounted(hash);
    }

    @Override
    public synchronized boolean remove(long hash) {
      if (counts.length < LARGE || !mightContain(hash)) {
        return super.remove(hash);
      }
      int[] before = counts.clone();
      Arrays.fill(counts, 0);
      gap.letOtherThreadChange(this, () -> queries);
      System.arraycopy(before, 0, counts, 0, before.length);
      takeOut(hash);
      return true;
    }
  }
}
