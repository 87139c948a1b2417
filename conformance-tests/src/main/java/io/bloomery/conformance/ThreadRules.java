package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.Filter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.LongStream;

/** One thread, and two. */
final class ThreadRules extends Topic {

  ThreadRules(RuleContext context) {
    super(context);
  }

  void bothThreadModesGiveTheSameFilter() {
    for (double rate : new double[] {0.5, 0.25, 0.1, 0.05, 0.01, 1e-3, 3e-4, 1e-4, 3e-5, 1e-6}) {
      for (int size : new int[] {1, 100, 3_000}) {
        if (subject().planIfOffered(size, rate).isPresent()) {
          checkModes(size, rate);
        }
      }
    }
    checkModes(100_000, 0.01);
  }

  private void checkModes(int size, double rate) {
    Filter shared = subject().create(size, rate);
    Filter confined = subject().create(size, rate, ThreadMode.CONFINED);
    assertEquals(shared.layout(), confined.layout());
    Hashes hashes = hashes("r39/" + size);
    for (long hash : hashes.next(size)) {
      assertEquals(shared.put(hash), confined.put(hash), () -> "put of " + hash);
    }
    for (long hash : hashes.next(size)) {
      assertEquals(
          shared.mightContain(hash), confined.mightContain(hash), () -> "query of " + hash);
    }
    assertArrayEquals(Subject.write(shared), Subject.write(confined), "bytes");
    long[] batch = hashes.next(size);
    assertEquals(
        shared.putAll(batch, 0, size), confined.putAll(batch, 0, size), "new ones of a batch");
    assertArrayEquals(Subject.write(shared), Subject.write(confined), "bytes after a batch");
    assertArrayEquals(
        Subject.write(shared.copy()), Subject.write(confined.copy()), "bytes of copies");
  }

  void concurrentPutsLoseNothing() {
    for (int size : new int[] {16, 64, 256}) {
      int rounds = Race.rounds(tier());
      Race.run(evidence(), size == 16 ? rounds : rounds / 4, new PutRace(size));
    }
  }

  /** Returns in which share of rounds a put is lost; the rule asks for none. */
  double shareOfLosses(int rounds) {
    return Race.shareOfFailingRounds(rounds, new PutRace(16));
  }

  /** Both threads put every other hash, into a filter copied or read from a file. */
  private final class PutRace implements Race.Round {
    private final Filter empty;
    private final byte[] written;
    private final int size;
    private Filter filter;
    private long[] hashes;

    PutRace(int size) {
      this.empty = subject().create(size, 0.01);
      this.written = Subject.write(empty);
      this.size = size;
    }

    @Override
    public void prepare(int round) {
      filter = round % 2 == 0 ? empty.copy() : subject().read(written);
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
      for (long hash : hashes) {
        assertTrue(filter.mightContain(hash), () -> "hash " + hash + " is lost in " + filter);
      }
    }
  }

  void ofRacingEqualPutsExactlyOneIsFirst() {
    // A fresh filter every 16 rounds: some hashes are then covered by others.
    Race.run(evidence(), 2 * Race.rounds(tier()), new EqualPutRace(subject().create(16, 0.1)));
  }

  /** Both threads put the same hash. */
  private final class EqualPutRace implements Race.Round {
    private final Filter empty;
    private final Hashes hashes = hashes("r41");
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

  void concurrentReadersAgree() {
    Filter filter = subject().create(300, 0.1);
    Hashes hashes = hashes("r42");
    Subject.put(filter, hashes.next(300));
    // The second half was never put.
    long[] queried = hashes("r42", 600);
    boolean[] expected = new boolean[queried.length];
    for (int i = 0; i < queried.length; i++) {
      expected[i] = filter.mightContain(queried[i]);
    }
    Race.run(evidence(), Race.rounds(tier()) / 10, new ReadRace(filter, queried, expected));
  }

  /** Both threads query all hashes, each in an order of its own. */
  private static final class ReadRace implements Race.Round {
    private static final long STRIDE = 7; // no divisor of the number of hashes

    private final Filter filter;
    private final long[] queried;
    private final boolean[] expected;
    private final int[] different = new int[2];

    ReadRace(Filter filter, long[] queried, boolean[] expected) {
      this.filter = filter;
      this.queried = queried;
      this.expected = expected;
    }

    @Override
    public void prepare(int round) {}

    @Override
    public void act(int thread) {
      for (int i = 0; i < queried.length; i++) {
        int at = thread == 0 ? i : (int) (i * STRIDE % queried.length);
        different[thread] += filter.mightContain(queried[at]) == expected[at] ? 0 : 1;
      }
    }

    @Override
    public void verify() {
      assertEquals(0, different[0] + different[1], "answers that differ from those of one thread");
    }
  }

  void aSnapshotHoldsEveryPutThatReturnedBefore() {
    Race.run(evidence(), Race.rounds(tier()) / 10, new SnapshotRace(400));
  }

  /** One thread puts, the other takes snapshots. */
  private final class SnapshotRace implements Race.Round {
    private final int size;
    private Filter filter;
    private long[] hashes;
    private volatile int done;
    private int missing;

    SnapshotRace(int size) {
      this.size = size;
    }

    @Override
    public void prepare(int round) {
      filter = subject().create(size, 0.01);
      hashes = hashes("r43/" + round, size);
      done = 0;
      missing = 0;
    }

    @Override
    public void act(int thread) {
      if (thread == 0) {
        // Where puts are counted, counts are high and move while the other looks.
        int times = filter instanceof RemovableFilter ? 10 : 1;
        try {
          for (int i = 0; i < size; i++) {
            for (int time = 0; time < times; time++) {
              filter.put(hashes[i]);
            }
            done = i + 1;
          }
        } finally {
          // The other thread waits for the last one, even if it never comes.
          done = size;
        }
      } else {
        for (int seen = 0; seen < size; ) {
          seen = done;
          check(subject().read(Subject.write(filter.copy())), seen);
          seen = done;
          check(subject().read(Subject.write(filter)), seen);
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
      Filter min = subject().create(size, 0.01);
      for (int i = 0; i < puts; i++) {
        min.put(hashes[i]);
      }
      missing += min.stats().setBits() <= setBits ? 0 : 1;
    }

    @Override
    public void verify() {
      // What a put beside one snapshot did must be in all that follow.
      check(filter.copy(), size);
      check(subject().read(Subject.write(filter)), size);
      assertEquals(0, missing, "hashes missing in snapshots taken after their put returned");
    }
  }

  void aPutThatReturnedIsSeenByEveryThread() {
    Race.run(evidence(), Race.rounds(tier()) / 10, new SeenRace(200));
  }

  /** One thread puts, the other asks for what is not there yet, and again once it is. */
  private final class SeenRace implements Race.Round {
    private final int size;
    private Filter filter;
    private long[] hashes;
    private volatile int done;
    private int missing;

    SeenRace(int size) {
      this.size = size;
    }

    @Override
    public void prepare(int round) {
      filter = subject().create(size, 0.01);
      hashes = hashes("r73/" + round, size);
      done = 0;
      missing = 0;
    }

    @Override
    public void act(int thread) {
      Filter target = filter;
      long[] all = hashes;
      if (thread == 0) {
        try {
          for (int i = 0; i < size; i++) {
            target.put(all[i]);
            done = i + 1;
          }
        } finally {
          done = size;
        }
        return;
      }
      for (int next = 0; next < size; next++) {
        // Whoever remembers answers has a wrong one now.
        target.mightContain(all[next]);
        while (done <= next) {
          Thread.onSpinWait();
        }
        missing += target.mightContain(all[next]) ? 0 : 1;
      }
    }

    @Override
    public void verify() {
      assertEquals(0, missing, "hashes not found although their put had returned");
    }
  }

  void aParallelCollectorGivesTheSequentialFilter() {
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
    BloomFilter<Long> expected = builder.create();
    for (long key = 0; key < 500; key++) {
      expected.put(key);
    }
    // A pool of its own, so that threads other than this one make the filter on any machine.
    ForkJoinPool pool = new ForkJoinPool(2);
    try {
      for (int round = 0; round < 20; round++) {
        Callable<BloomFilter<Long>> collecting =
            () -> LongStream.range(0, 500).parallel().boxed().collect(builder.toFilter());
        BloomFilter<Long> collected = pool.submit(collecting).join();
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
