package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.KeyHasher;
import io.bloomery.KeyedFilter;
import io.bloomery.ThreadMode;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;
import net.jqwik.api.Example;

/** One thread, and two. */
interface ThreadRules extends RuleSet {

  @Example
  default void r39_bothThreadModesGiveTheSameFilter() {
    for (int size : new int[] {1, 100, 10_000}) {
      Filter shared = subject().create(size, 0.1);
      Filter confined = subject().create(size, 0.1, ThreadMode.CONFINED);
      assertEquals(shared.layout(), confined.layout());
      Hashes hashes = new Hashes("r39/" + size);
      for (long hash : hashes.next(size)) {
        assertEquals(shared.put(hash), confined.put(hash), () -> "put of " + hash);
      }
      for (long hash : hashes.next(size)) {
        assertEquals(
            shared.mightContain(hash), confined.mightContain(hash), () -> "query of " + hash);
      }
      assertArrayEquals(Subject.write(shared), Subject.write(confined), "bytes");
    }
  }

  @Example
  default void r40_concurrentPutsLoseNothing() {
    for (int size : new int[] {16, 64, 256}) {
      Filter empty = subject().create(size, 0.01);
      Race.run(size == 16 ? Race.ROUNDS : Race.ROUNDS / 4, new PutRace(empty, size));
    }
  }

  /** Both threads put every other hash. */
  final class PutRace implements Race.Round {
    private final Filter empty;
    private final int size;
    private Filter filter;
    private long[] hashes;

    PutRace(Filter empty, int size) {
      this.empty = empty;
      this.size = size;
    }

    @Override
    public void prepare(int round) {
      filter = empty.copy();
      hashes = Hashes.of("r40/" + round, size);
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
      for (long hash : hashes) {
        assertTrue(filter.mightContain(hash), () -> "hash " + hash + " is lost in " + filter);
      }
    }
  }

  @Example
  default void r41_ofRacingEqualPutsExactlyOneIsFirst() {
    // A fresh filter every 16 rounds: some hashes are then covered by others.
    Race.run(2 * Race.ROUNDS, new EqualPutRace(subject().create(16, 0.1)));
  }

  /** Both threads put the same hash. */
  final class EqualPutRace implements Race.Round {
    private final Filter empty;
    private final Hashes hashes = new Hashes("r41");
    private final boolean[] first = new boolean[2];
    private Filter filter;
    private long hash;
    private boolean covered;

    EqualPutRace(Filter empty) {
      this.empty = empty;
    }

    @Override
    public void prepare(int round) {
      if (round % 16 == 0) {
        filter = empty.copy();
      }
      hash = hashes.next();
      covered = filter.mightContain(hash);
    }

    @Override
    public void act(int thread) {
      first[thread] = filter.put(hash);
    }

    @Override
    public void verify() {
      int winners = (first[0] ? 1 : 0) + (first[1] ? 1 : 0);
      assertEquals(covered ? 0 : 1, winners, () -> "puts of " + hash + " that returned true");
    }
  }

  @Example
  default void r42_concurrentReadersAgree() {
    Filter filter = subject().create(300, 0.1);
    Hashes hashes = new Hashes("r42");
    Subject.put(filter, hashes.next(300));
    // The second half was never put.
    long[] asked = Hashes.of("r42", 600);
    boolean[] expected = new boolean[asked.length];
    for (int i = 0; i < asked.length; i++) {
      expected[i] = filter.mightContain(asked[i]);
    }
    Race.run(Race.ROUNDS / 10, new ReadRace(filter, asked, expected));
  }

  /** Both threads query all hashes, each in an order of its own. */
  final class ReadRace implements Race.Round {
    private static final long STRIDE = 7; // no divisor of the number of hashes

    private final Filter filter;
    private final long[] asked;
    private final boolean[] expected;
    private final int[] different = new int[2];

    ReadRace(Filter filter, long[] asked, boolean[] expected) {
      this.filter = filter;
      this.asked = asked;
      this.expected = expected;
    }

    @Override
    public void prepare(int round) {}

    @Override
    public void act(int thread) {
      for (int i = 0; i < asked.length; i++) {
        int at = thread == 0 ? i : (int) (i * STRIDE % asked.length);
        different[thread] += filter.mightContain(asked[at]) == expected[at] ? 0 : 1;
      }
    }

    @Override
    public void verify() {
      assertEquals(0, different[0] + different[1], "answers that differ from those of one thread");
    }
  }

  @Example
  default void r43_aSnapshotHoldsEveryPutThatReturnedBefore() {
    Race.run(Race.ROUNDS / 10, new SnapshotRace(subject(), 400));
  }

  /** One thread puts, the other takes snapshots. */
  final class SnapshotRace implements Race.Round {
    private final Subject subject;
    private final int size;
    private Filter filter;
    private long[] hashes;
    private volatile int done;
    private int missing;

    SnapshotRace(Subject subject, int size) {
      this.subject = subject;
      this.size = size;
    }

    @Override
    public void prepare(int round) {
      filter = subject.create(size, 0.01);
      hashes = Hashes.of("r43/" + round, size);
      done = 0;
      missing = 0;
    }

    @Override
    public void act(int thread) {
      if (thread == 0) {
        for (int i = 0; i < size; i++) {
          filter.put(hashes[i]);
          done = i + 1;
        }
      } else {
        for (int seen = 0; seen < size; ) {
          seen = done;
          check(filter.copy(), seen);
          seen = done;
          check(subject.read(Subject.write(filter)), seen);
          seen = done;
          checkStats(filter.stats().setBits(), seen);
        }
      }
    }

    private void check(Filter snapshot, int puts) {
      for (int i = 0; i < puts; i++) {
        missing += snapshot.mightContain(hashes[i]) ? 0 : 1;
      }
    }

    private void checkStats(long setBits, int puts) {
      Filter fewest = subject.create(size, 0.01);
      for (int i = 0; i < puts; i++) {
        fewest.put(hashes[i]);
      }
      missing += fewest.stats().setBits() <= setBits ? 0 : 1;
    }

    @Override
    public void verify() {
      assertEquals(0, missing, "hashes missing in snapshots taken after their put returned");
    }
  }

  @Example
  default void r44_aParallelCollectorGivesTheSequentialFilter() {
    FilterBuilder<Long> shared =
        subject()
            .bloomery()
            .<Long>keys(KeyHasher.longs())
            .variant(subject().provider().variant())
            .expect(500);
    checkCollector(shared);
    checkCollector(shared.confined());
  }

  private static void checkCollector(FilterBuilder<Long> builder) {
    KeyedFilter<Long> expected = builder.create();
    for (long key = 0; key < 500; key++) {
      expected.put(key);
    }
    // A pool of its own, so that threads other than this one make the filter on any machine.
    ForkJoinPool pool = new ForkJoinPool(2);
    try {
      for (int round = 0; round < 20; round++) {
        Callable<KeyedFilter<Long>> collecting =
            () -> LongStream.range(0, 500).parallel().boxed().collect(builder.toFilter());
        KeyedFilter<Long> collected = pool.submit(collecting).join();
        assertArrayEquals(
            Subject.write(expected.filter()),
            Subject.write(collected.filter()),
            "bytes of the collected filter");
      }
    } finally {
      pool.shutdown();
    }
  }
}
