package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.FilterBuilder;
import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.Race;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.Given;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** The rules on one thread and on two threads. */
public final class ThreadRules extends Topic {

  private static final Domain MODES =
      Domain.everyFilter()
          .keys(1, 100_000)
          .draws(12)
          .maxPut(2_000)
          .edges(
              new long[] {1, 100, 3_000}, 0.5, 0.25, 0.1, 0.05, 0.01, 1e-3, 3e-4, 1e-4, 3e-5, 1e-6)
          .edges(new long[] {100_000}, 0.01)
          // Few draws put enough for a batch that is divided into parts.
          .edges(List.of(Case.of(10_000, 1e-6).withBatch(5, 2_500)));

  /** The maximum number of hashes put or queried when two threads race on drawn filters. */
  private static final int MAX_RACED = 10_000;

  /** The length of batches that are put while another thread queries. */
  private static final int BATCH = 1_000;

  /** The number of bits from which a table is large: a MiB. */
  private static final long LARGE = 1L << 23;

  public ThreadRules(RuleContext context) {
    super(context);
  }

  public void bothThreadModesGiveTheSameFilter() {
    forAll(MODES, this::checkModes);
  }

  private void checkModes(Case drawn) {
    Given shared = new Given(subject(), drawn.withMode(ThreadMode.SHARED));
    Given confined = new Given(subject(), drawn.withMode(ThreadMode.CONFINED));
    assertEquals(shared.filter().layout(), confined.filter().layout());
    assertBytes(shared.filter(), confined.filter(), "bytes");
    checkSameAnswers(drawn, shared.filter(), confined.filter());
    assertBytes(shared.filter().copy(), confined.filter().copy(), "bytes of copies");
  }

  private static void checkSameAnswers(Case drawn, Filter shared, Filter confined) {
    Hashes hashes = new Hashes(drawn.seed() + 2);
    int puts = Math.min(drawn.put(), 1_000);
    checkSameAnswers(hashes.next(puts), hash -> put(shared, hash), hash -> put(confined, hash));
    checkSameAnswers(hashes.next(puts), shared::mightContain, confined::mightContain);
    // A large filter must not be filled beyond the drawn number of hashes.
    int length = Math.max(1, Math.min(drawn.length(), drawn.put()));
    long[] batch = hashes.next(drawn.from() + length);
    int from = drawn.from();
    assertEquals(putAll(shared, batch, from), putAll(confined, batch, from), "new ones of a batch");
    assertBytes(shared, confined, "bytes after a batch");
    int[] here = new int[batch.length];
    int[] there = new int[batch.length];
    int to = batch.length;
    assertEquals(
        shared.select(batch, from / 2, to, here),
        confined.select(batch, from / 2, to, there),
        "found of a batch");
    assertArrayEquals(here, there, "which are found of a batch");
    if (shared instanceof RemovableFilter one && confined instanceof RemovableFilter two) {
      int half = from + length / 2;
      assertEquals(
          one.removeAll(batch, half, to), two.removeAll(batch, half, to), "removed of a batch");
      long[] some = Arrays.copyOfRange(batch, from, Math.min(half, from + puts));
      checkSameAnswers(some, one::approximateCount, two::approximateCount);
      checkSameAnswers(some, one::remove, two::remove);
      assertBytes(shared, confined, "bytes after removes");
    }
  }

  private static void assertBytes(Filter shared, Filter confined, String what) {
    assertArrayEquals(Subject.write(shared), Subject.write(confined), what);
  }

  private static void checkSameAnswers(
      long[] hashes, LongFunction<Object> shared, LongFunction<Object> confined) {
    for (long hash : hashes) {
      assertEquals(shared.apply(hash), confined.apply(hash), () -> "answer for " + hash);
    }
  }

  /** Puts a hash and returns the result. */
  private static Object put(Filter filter, long hash) {
    try {
      return filter.put(hash);
    } catch (FilterFullException e) {
      return "full";
    }
  }

  private static Object putAll(Filter filter, long[] hashes, int from) {
    try {
      return filter.putAll(hashes, from, hashes.length);
    } catch (FilterFullException e) {
      return "full";
    }
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
    private static final int MOST_TIMES = 20;
    private final boolean[] inBatches = new boolean[2];
    private int times;
    private Given given;
    private Filter filter;
    private long[] hashes;

    FillRace(Case drawn) {
      this.drawn = drawn;
    }

    @Override
    public void prepare(int round) {
      // With its history, which copying might undo.
      given = new Given(subject(), drawn.withPut(drawn.put() / 8));
      filter = given.filter();
      hashes = new Hashes(drawn.seed() + 1 + round).next(drawn.put() - drawn.put() / 8);
      inBatches[0] = round % 3 > 0;
      inBatches[1] = round % 3 > 1;
      times = filter instanceof RemovableFilter ? 1 + round * MOST_TIMES / 2 : 1;
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
      for (long hash : hashes) {
        assertTrue(filter.mightContain(hash), () -> "hash " + hash + " is lost in " + filter);
      }
      for (long hash : given.hashes()) {
        assertTrue(filter.mightContain(hash), () -> "old hash " + hash + " is lost in " + filter);
      }
      assertEquals(
          subject().read(Subject.write(filter)).stats().setBits(),
          filter.stats().setBits(),
          "set bits when they are counted anew, and as told after puts of two threads");
      // Counts are written as equal bytes in whatever order hashes were put.
      if (filter instanceof RemovableFilter) {
        Filter reference = given.reference();
        for (int time = 0; time < times; time++) {
          Subject.put(reference, hashes);
        }
        assertBytes(reference, filter, "bytes of what one thread puts, and two");
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
      for (long hash : hashes) {
        assertTrue(filter.mightContain(hash), () -> "hash " + hash + " is lost in " + filter);
      }
    }
  }

  public void ofRacingEqualPutsExactlyOneIsFirst() {
    // A new filter every 16 rounds: some hashes are then covered by others.
    Race.run(evidence(), 2 * Race.rounds(tier()), new EqualPutRace(smallFilters(16), 16));
    int rounds = Race.rounds(tier()) / 4;
    forAll(
        StripedTables.domain(context(), "r41", 2, MAX_RACED),
        drawn -> {
          Supplier<Filter> given =
              () -> new Given(subject(), drawn.withPut(drawn.put() / 8)).filter();
          Race.run(
              evidence(),
              rounds,
              new EqualPutRace(given, (int) Math.min(drawn.keys() / 4, MAX_RACED) + 1));
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

  public void concurrentReadersAgree() {
    int rounds = tier().choose(12, 100, 200);
    forAll(
        Domain.everyFilter()
            .draws(8)
            .maxPut(MAX_RACED)
            .edges(new long[] {300, 20_000}, 0.1)
            .each(drawn -> StripedTables.shared(drawn, MAX_RACED)),
        drawn -> Race.run(evidence(), rounds, new ReadRace(drawn)));
    if (Capability.GROWTH.isOfferedBy(context().provider())) {
      for (double rate : new double[] {0.1, 0.01, 1e-3, 1e-4}) {
        Case grown = StripedTables.shared(Case.of(100, rate), 100).withPut(tier().some(3_000));
        Race.run(evidence(), rounds, new ReadRace(grown));
      }
    }
  }

  /** Both threads query all hashes, each in a different order, and in batches. */
  private final class ReadRace implements Race.Round {
    private static final int STRIDE = 7; // no divisor of the number of hashes
    private final int queries = tier().some(3_000);
    private final int singly = tier().some(600);
    private final int again = tier().some(300);
    private final List<FilterView> views;
    private final long[] queried;
    private final boolean[] expected;
    private final int[][] hits = new int[2][];
    private final int[] found = new int[2];
    private final int[] different = new int[2];
    private final Filter filter;
    private final long[] written;
    private final long[][] bytes = new long[2][];
    private FilterView view;
    private boolean isAsked;

    ReadRace(Case drawn) {
      Given given = new Given(subject(), drawn);
      this.filter = given.filter();
      this.views = List.of(filter, subject().mapped(filter));
      this.written = Payload.of(filter).words();
      // Half of them were put, as far as there are enough.
      long[] put = given.hashes();
      int there = Math.min(put.length, queries / 2);
      this.queried = given.others().next(queries);
      System.arraycopy(put, put.length - there, queried, 0, there);
      this.expected = new boolean[queries];
      for (int i = 0; i < queries; i++) {
        expected[i] = filter.mightContain(queried[i]);
      }
    }

    @Override
    public void prepare(int round) {
      view = views.get(round % 2);
      isAsked = round % 4 == 2;
    }

    private int from(int thread) {
      return thread == 0 ? 0 : queries / 4;
    }

    private int to(int thread) {
      return thread == 0 ? queries * 3 / 4 : queries;
    }

    @Override
    public void act(int thread) {
      int[] mine = new int[queries];
      FilterView asked = view;
      if (isAsked) {
        // Writing, copying or measuring a filter is reading, too.
        Given.ask(filter);
        bytes[thread] = Payload.of(filter).words();
      }
      found[thread] = asked.select(queried, from(thread), to(thread), mine);
      for (int i = 0; i < singly; i++) {
        int at = (thread == 0 ? 5 * i : queries - 1 - i * STRIDE % queries) % queries;
        different[thread] += asked.mightContain(queried[at]) == expected[at] ? 0 : 1;
      }
      hits[thread] = mine;
      askAgain(asked, thread);
    }

    /** Queries one hash repeatedly, each thread one with a different result. */
    private void askAgain(FilterView asked, int thread) {
      int at = thread == 0 ? 0 : queries - 1;
      for (int i = 0; i < again; i++) {
        different[thread] += asked.mightContain(queried[at]) == expected[at] ? 0 : 1;
      }
    }

    @Override
    public void verify() {
      if (isAsked) {
        assertArrayEquals(written, bytes[0], "what is written beside another who writes");
        assertArrayEquals(written, bytes[1], "what is written beside another who writes");
      }
      assertEquals(0, different[0] + different[1], "answers that differ from those of one thread");
      for (int thread = 0; thread < 2; thread++) {
        int[] alone = new int[queries];
        int count = 0;
        for (int i = from(thread); i < to(thread); i++) {
          if (expected[i]) {
            alone[count++] = i;
          }
        }
        assertEquals(count, found[thread], "found in a batch beside another");
        assertArrayEquals(
            Arrays.copyOf(alone, count),
            Arrays.copyOf(hits[thread], count),
            "which are found in a batch beside another");
      }
    }
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
        drawn -> Race.run(evidence(), rounds(drawn, 1, 20, 40), new SnapshotRace(drawn)));
  }

  /** Returns the number of rounds of a tier: fewer for large tables, which take long to copy. */
  private int rounds(Case drawn, int quick, int full, int nightly) {
    boolean isLarge = subject().plan(drawn.keys(), drawn.rate()).sizeInBits() > LARGE;
    return Math.max(1, tier().choose(quick, full, nightly) / (isLarge ? 5 : 1));
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

    private final Case drawn;
    private final int size;
    private Given given;
    private Filter filter;
    private long[] hashes;
    private volatile int done;
    private volatile int looks;
    private int missing;

    SnapshotRace(Case drawn) {
      this.drawn = drawn;
      this.size = drawn.put();
    }

    @Override
    public void prepare(int round) {
      // With a history, but without the hashes that are put here.
      given = new Given(subject(), drawn.withPut(0));
      filter = given.filter();
      hashes = new Hashes(drawn.seed() + 1 + round).next(size);
      done = 0;
      looks = 0;
      missing = 0;
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
          // The other thread waits for the last one, even if it never comes.
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
        check(subject().read(Subject.write(filter)), seen);
        seen = done;
        checkStats(filter.stats().setBits(), seen);
        looks = ++taken;
      }
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
      Filter min = given.empty();
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

  public void aPutThatReturnedIsSeenByEveryThread() {
    // First, before the compiler has seen filters that are no longer empty.
    for (int round = 0; round < tier().choose(6, 20, 40); round++) {
      double rate = round % 8 < 4 ? 0.01 : Subject.ALWAYS_RATE;
      Filter created = subject().create(round % 4 < 2 ? 10_000 : 100, rate);
      Filter empty = round % 2 == 0 ? created : subject().read(Subject.write(created));
      Waiting.check(empty, hashes("r73/waiting/" + round), round);
    }
    Race.run(
        evidence(),
        Race.rounds(tier()) / 20,
        new SeenRace(StripedTables.shared(Case.of(200, 0.01), 200)));
    if (Capability.GROWTH.isOfferedBy(context().provider())) {
      // Queries while a table is added, repeatedly.
      Case grown = StripedTables.shared(Case.of(16, 0.01), 16).withPut(1_000);
      Race.run(evidence(), tier().choose(30, 500, 1_000), new SeenRace(grown));
    }
    forAll(
        StripedTables.domain(context(), "r73", 2, 1_000),
        drawn -> Race.run(evidence(), rounds(drawn, 2, 30, 60), new SeenRace(drawn)));
  }

  /**
   * One thread puts, the other queries hashes that are not present yet, and again once they are.
   */
  private final class SeenRace implements Race.Round {
    private static final int BATCH_PUT = 20;

    private final Case drawn;
    private final int size;
    private Filter filter;
    private long[] hashes;
    private volatile int done;
    private int missing;

    SeenRace(Case drawn) {
      this.drawn = drawn;
      this.size = drawn.put() - drawn.put() / 8;
    }

    @Override
    public void prepare(int round) {
      filter = new Given(subject(), drawn.withPut(drawn.put() / 8)).filter();
      hashes = new Hashes(drawn.seed() + 1 + round).next(size);
      done = 0;
      missing = 0;
    }

    @Override
    public void act(int thread) {
      Filter target = filter;
      long[] all = hashes;
      if (thread == 0) {
        try {
          putAll(target, all);
        } finally {
          done = size;
        }
        return;
      }
      for (int next = 0; next < size; next++) {
        // A cached result is wrong from now on.
        target.mightContain(all[next]);
        for (int spins = 0; done <= next; spins++) {
          if (next > 0) {
            // While the other thread puts, and the filter grows, present hashes stay present.
            missing += target.mightContain(all[spins % next]) ? 0 : 1;
          }
          Race.pause(spins);
        }
        missing += target.mightContain(all[next]) ? 0 : 1;
      }
    }

    private void putAll(Filter target, long[] all) {
      int singly = size - size / 4;
      for (int i = 0; i < singly; i++) {
        target.put(all[i]);
        done = i + 1;
      }
      for (int i = singly; i < size; i += BATCH_PUT) {
        int to = Math.min(size, i + BATCH_PUT);
        target.putAll(all, i, to);
        done = to;
      }
    }

    @Override
    public void verify() {
      assertEquals(0, missing, "hashes not found although their put had returned");
    }
  }

  public void aParallelCollectorGivesTheSequentialFilter() {
    // A separate pool, so that threads other than this one create the filter on any machine.
    ForkJoinPool pool = new ForkJoinPool(2);
    try {
      checkCollector(Case.of(500, 0.01), pool, 20);
      checkCollector(Case.of(500, 0.01).withMode(ThreadMode.SHARED), pool, 20);
      forAll(
          Domain.everyFilter().keys(1, 100_000).maxPut(3_000),
          drawn -> checkCollector(drawn, pool, tier().choose(3, 10, 20)));
    } finally {
      pool.shutdown();
    }
  }

  private void checkCollector(Case drawn, ForkJoinPool pool, int rounds) {
    FilterBuilder<Long> shared =
        subject()
            .bloomery()
            .<Long>keys(KeyHasher.longs())
            .variant(subject().provider().variant())
            .expect(drawn.keys())
            .fpp(drawn.rate());
    FilterBuilder<Long> builder = drawn.mode() == ThreadMode.SHARED ? shared : shared.confined();
    long first = drawn.seed();
    long end = first + Math.min(drawn.put(), drawn.keys());
    BloomFilter<Long> expected = builder.create();
    for (long key = first; key < end; key++) {
      expected.put(key);
    }
    byte[] bytes = Subject.write(expected.filter());
    for (int round = 0; round < rounds; round++) {
      Callable<BloomFilter<Long>> collecting =
          () -> LongStream.range(first, end).parallel().boxed().collect(builder.toFilter());
      BloomFilter<Long> collected = pool.submit(collecting).join();
      assertArrayEquals(bytes, Subject.write(collected.filter()), "bytes of the collected filter");
    }
  }
}
