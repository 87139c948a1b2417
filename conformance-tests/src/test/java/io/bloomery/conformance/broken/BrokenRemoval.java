package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

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

  private BrokenRemoval() {}

  public static List<Broken> all() {
    return List.of(
        counting(Rule.R08, "copies share what held high counts", SharesRoom::new),
        counting(Rule.R31, "merged counts wrap at 2^31", WrapsMerged::new),
        counting(Rule.R31, "finds too late that a sum is too high", ChecksLate::new),
        counting(Rule.R31, "says that a sum is too high otherwise", Overflows::new),
        counting(Rule.R50, "counters stop at 65,535 and are taken down from there", Clips::new),
        counting(Rule.R50, "counters wrap at 131,072", WrapsHigh::new),
        counting(Rule.R51, "remove from 20,001 to 90,000 keys is true", TrueInWindow::new),
        counting(Rule.R52, "counts of strict filters stop at 255", CountsTo255::new),
        counting(Rule.R53, "batches that begin late drop hashes", DropsLate::new),
        counting(Rule.R54, "files of strict filters cut counts off", CutsOffStrict::new),
        counting(Rule.R55, "merged counts of larger filters stop at 255", MergesTo255::new),
        counting(Rule.R55, "merged counts wrap at 2^20", WrapsMergedEarly::new),
        counting(Rule.R56, "removes do not wait in large tables", RemovesLarge::new),
        counting(Rule.R57, "looks before the lock in large tables", LooksLarge::new),
        counting(Rule.R58, "remove clears a large table first", RewritesLarge::new),
        counting(Rule.R58, "counts are read without the lock", CountsUnlocked::new),
        counting(Rule.R79, "a long removeAll that begins late loses one", LosesLate::new),
        counting(Rule.R79, "removeAll of whole 64 at an array's end loses one", LosesAtEnd::new),
        counting(Rule.R50, "counters wrap at 15", Wraps::new),
        counting(Rule.R50, "counters that reach 15 stay there", Sticks::new),
        counting(Rule.R50, "put counts shared positions twice", CountsTwice::new),
        counting(Rule.R50, "remove clears bits whatever their count", Clears::new),
        counting(Rule.R51, "remove from a large filter returns true", AlwaysTrue::new),
        counting(Rule.R51, "an absent remove takes down what is there", TakesHalf::new),
        counting(Rule.R52, "counts by the highest position", Highest::new),
        counting(Rule.R52, "counts the hash with one bit flipped", CountsOther::new),
        counting(Rule.R53, "a batch drops hashes that it had 64 places before", DropsRepeated::new),
        counting(Rule.R53, "a put of what is there does not count", CountsOnce::new),
        counting(Rule.R54, "files cut counts off at 255", CutsOff::new),
        counting(Rule.R55, "merged counts stop at 255", MergesToLimit::new),
        counting(Rule.R55, "merges to the higher count", MergesHighest::new),
        counting(Rule.R55, "merges by and", MergesByAnd::new),
        counting(Rule.R55, "merges by exclusive or", MergesByXor::new),
        counting(Rule.R56, "removes do not wait for puts", RemovesUnlocked::new),
        counting(Rule.R57, "looks before it takes the lock", LooksFirst::new),
        counting(Rule.R58, "remove clears bits and sets them again", Rewrites::new),
        counting(Rule.R79, "a removeAll of 65 says that it removed all", CountsAll::new),
        counting(Rule.R79, "a removeAll of 65 removes one more", RemovesBeyond::new),
        counting(Rule.R79, "removeAll begins with the first hash", RemovesFromFirst::new),
        counting(Rule.R79, "a removeAll stops at a hash that is absent", StopsAtAbsent::new),
        counting(Rule.R79, "removeAll checks its range as it goes", RemovesLate::new),
        counting(Rule.R79, "removeAll sorts the caller's array", SortsBatch::new));
  }

  private static Broken counting(
      Rule rule, String fault, Function<CountingReference.Shape, CountingReference> constructor) {
    return fault(rule, fault, new CountingReference.Provider(constructor));
  }

  private static final class CountsAll extends CountingReference {
    CountsAll(Shape shape) {
      super(shape);
    }

    @Override
    public int removeAll(long[] hashes, int from, int to) {
      int removed = super.removeAll(hashes, from, to);
      return to - from >= 65 ? to - from : removed;
    }
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

  /** As if it looked one hash ahead. */
  private static final class LosesAtEnd extends CountingReference {
    LosesAtEnd(Shape shape) {
      super(shape);
    }

    @Override
    public int removeAll(long[] hashes, int from, int to) {
      boolean isAtEnd = to == hashes.length && to > from && (to - from) % 64 == 0;
      return super.removeAll(hashes, from, isAtEnd ? to - 1 : to);
    }
  }

  private static final class RemovesBeyond extends CountingReference {
    RemovesBeyond(Shape shape) {
      super(shape);
    }

    @Override
    public int removeAll(long[] hashes, int from, int to) {
      boolean more = to - from >= 65 && to < hashes.length;
      return super.removeAll(hashes, from, more ? to + 1 : to);
    }
  }

  private static final class RemovesFromFirst extends CountingReference {
    RemovesFromFirst(Shape shape) {
      super(shape);
    }

    @Override
    public int removeAll(long[] hashes, int from, int to) {
      Objects.checkFromToIndex(from, to, hashes.length);
      return super.removeAll(hashes, 0, to - from);
    }
  }

  private static final class StopsAtAbsent extends CountingReference {
    StopsAtAbsent(Shape shape) {
      super(shape);
    }

    @Override
    public int removeAll(long[] hashes, int from, int to) {
      Objects.checkFromToIndex(from, to, hashes.length);
      int i = from;
      while (i < to && remove(hashes[i])) {
        i++;
      }
      return i - from;
    }
  }

  private static final class RemovesLate extends CountingReference {
    RemovesLate(Shape shape) {
      super(shape);
    }

    @Override
    public int removeAll(long[] hashes, int from, int to) {
      if (from > to || from > hashes.length || from < 0) {
        throw new IndexOutOfBoundsException(from);
      }
      int removed = 0;
      for (int i = from; i < to; i++) {
        removed += remove(hashes[i]) ? 1 : 0;
      }
      return removed;
    }
  }

  private static final class SortsBatch extends CountingReference {
    SortsBatch(Shape shape) {
      super(shape);
    }

    @Override
    public int removeAll(long[] hashes, int from, int to) {
      int removed = super.removeAll(hashes, from, to);
      Arrays.sort(hashes, from, to);
      return removed;
    }
  }

  private static final class Clips extends CountingReference {
    Clips(Shape shape) {
      super(shape);
    }

    @Override
    int incremented(int count) {
      return count == 65_535 ? count : super.incremented(count);
    }

    @Override
    int decremented(int count) {
      return Math.max(0, super.decremented(count));
    }
  }

  private static final class WrapsHigh extends CountingReference {
    WrapsHigh(Shape shape) {
      super(shape);
    }

    @Override
    int incremented(int count) {
      return super.incremented(count) & 131_071;
    }

    @Override
    int decremented(int count) {
      return super.decremented(count) & 131_071;
    }
  }

  private static final class TrueInWindow extends CountingReference {
    TrueInWindow(Shape shape) {
      super(shape);
    }

    @Override
    public boolean remove(long hash) {
      long keys = spec().expectedKeys();
      return super.remove(hash) || (keys > 20_000 && keys <= 90_000);
    }
  }

  private static final class CountsTo255 extends CountingReference {
    CountsTo255(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized long approximateCount(long hash) {
      long count = super.approximateCount(hash);
      return spec().falsePositiveRate() < 1e-3 ? Math.min(255, count) : count;
    }
  }

  private static final class DropsLate extends CountingReference {
    DropsLate(Shape shape) {
      super(shape);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      return super.putAll(hashes, from, from > 0 && to - from > 64 ? to - 1 : to);
    }
  }

  private static final class CutsOffStrict extends CountingReference {
    CutsOffStrict(Shape shape) {
      super(shape);
    }

    @Override
    int written(int count) {
      return spec().falsePositiveRate() < 1e-3 ? Math.min(255, count) : count;
    }
  }

  private static final class MergesTo255 extends CountingReference {
    MergesTo255(Shape shape) {
      super(shape);
    }

    @Override
    int merged(int here, int there) {
      int sum = super.merged(here, there);
      return counts.length > 1 << 13 ? Math.min(255, sum) : sum;
    }
  }

  private static final class LosesLate extends CountingReference {
    LosesLate(Shape shape) {
      super(shape);
    }

    @Override
    public int removeAll(long[] hashes, int from, int to) {
      return super.removeAll(hashes, from, from > 0 && to - from > 1_500 ? to - 1 : to);
    }
  }

  private static final class Wraps extends CountingReference {
    Wraps(Shape shape) {
      super(shape);
    }

    @Override
    int incremented(int count) {
      return super.incremented(count) & 15;
    }

    @Override
    int decremented(int count) {
      return super.decremented(count) & 15;
    }
  }

  private static final class Sticks extends CountingReference {
    Sticks(Shape shape) {
      super(shape);
    }

    @Override
    int incremented(int count) {
      return Math.min(15, super.incremented(count));
    }

    @Override
    int decremented(int count) {
      return count == 15 ? 15 : super.decremented(count);
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

  private static final class Clears extends CountingReference {
    Clears(Shape shape) {
      super(shape);
    }

    @Override
    int decremented(int count) {
      return 0;
    }
  }

  private static final class AlwaysTrue extends CountingReference {
    AlwaysTrue(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized boolean remove(long hash) {
      return super.remove(hash) || spec().expectedKeys() >= 10_000;
    }
  }

  /** Takes counters down one after the other until it comes to one that is zero. */
  private static final class TakesHalf extends CountingReference {
    TakesHalf(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized boolean remove(long hash) {
      for (int position : positions(hash)) {
        if (counts[position] == 0) {
          return false;
        }
        counts[position]--;
      }
      return true;
    }
  }

  private static final class Highest extends CountingReference {
    Highest(Shape shape) {
      super(shape);
    }

    @Override
    int summary(int[] ofPositions) {
      return Arrays.stream(ofPositions).max().orElseThrow();
    }
  }

  private static final class CountsOther extends CountingReference {
    CountsOther(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized long approximateCount(long hash) {
      return super.approximateCount(hash ^ 1L << 40);
    }
  }

  private static final class DropsRepeated extends CountingReference {
    DropsRepeated(Shape shape) {
      super(shape);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      Objects.checkFromToIndex(from, to, hashes.length);
      int added = 0;
      LongHashSet seen = new LongHashSet();
      for (int i = from; i < to; i++) {
        if (i - from > 64) {
          seen.add(hashes[i - 64]);
        }
        if (!seen.contains(hashes[i])) {
          added += put(hashes[i]) ? 1 : 0;
        }
      }
      return added;
    }
  }

  private static final class CountsOnce extends CountingReference {
    CountsOnce(Shape shape) {
      super(shape);
    }

    @Override
    public synchronized boolean put(long hash) {
      return !mightContain(hash) && super.put(hash);
    }
  }

  private static final class CutsOff extends CountingReference {
    CutsOff(Shape shape) {
      super(shape);
    }

    @Override
    int written(int count) {
      return Math.min(255, count);
    }
  }

  private static final class WrapsMerged extends CountingReference {
    WrapsMerged(Shape shape) {
      super(shape);
    }

    @Override
    int merged(int here, int there) {
      return super.merged(here, there) & Integer.MAX_VALUE;
    }
  }

  private static final class WrapsMergedEarly extends CountingReference {
    WrapsMergedEarly(Shape shape) {
      super(shape);
    }

    @Override
    int merged(int here, int there) {
      return super.merged(here, there) & ((1 << 20) - 1);
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

  private static final class ChecksLate extends CountingReference {
    ChecksLate(Shape shape) {
      super(shape);
    }

    @Override
    int merged(int here, int there) {
      int sum = super.merged(here, there);
      if (sum < 0) {
        Arrays.fill(counts, 1);
      }
      return sum;
    }
  }

  private static final class Overflows extends CountingReference {
    Overflows(Shape shape) {
      super(shape);
    }

    @Override
    int merged(int here, int there) {
      return Math.addExact(here, there);
    }
  }

  private static final class MergesToLimit extends CountingReference {
    MergesToLimit(Shape shape) {
      super(shape);
    }

    @Override
    int merged(int here, int there) {
      return Math.min(255, super.merged(here, there));
    }
  }

  private static final class MergesHighest extends CountingReference {
    MergesHighest(Shape shape) {
      super(shape);
    }

    @Override
    int merged(int here, int there) {
      return Math.max(here, there);
    }
  }

  private static final class MergesByAnd extends CountingReference {
    MergesByAnd(Shape shape) {
      super(shape);
    }

    @Override
    int merged(int here, int there) {
      return here & there;
    }
  }

  private static final class MergesByXor extends CountingReference {
    MergesByXor(Shape shape) {
      super(shape);
    }

    @Override
    int merged(int here, int there) {
      return here ^ there;
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

  /** Takes a lock of its own, and so races with puts. */
  private static final class RemovesUnlocked extends CountingReference {
    private final Gap gap = new Gap();
    private final Object removing = new Object();

    RemovesUnlocked(Shape shape) {
      super(shape);
    }

    @Override
    public boolean remove(long hash) {
      synchronized (removing) {
        if (!mightContain(hash)) {
          return false;
        }
        int[] positions = positions(hash);
        int[] before = counts.clone();
        gap.letOtherThreadChange(this, () -> Arrays.hashCode(counts));
        for (int position : positions) {
          counts[position] = before[position] - 1;
        }
        return true;
      }
    }
  }

  private static final class LooksFirst extends CountingReference {
    private final Gap gap = new Gap();

    LooksFirst(Shape shape) {
      super(shape);
    }

    @Override
    public boolean remove(long hash) {
      if (!mightContain(hash)) {
        return false;
      }
      gap.letOtherThreadChange(this, () -> Arrays.hashCode(counts));
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

  private static final class Rewrites extends CountingReference {
    private final Gap gap = new Gap();
    private volatile long queries;

    Rewrites(Shape shape) {
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
      if (!mightContain(hash)) {
        return false;
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
