package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.Race;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.StripedTables;
import io.bloomery.conformance.internal.check.Waiting;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterView;
import java.util.Arrays;
import java.util.List;

/** The rules on threads that query a filter while others query it or put into it. */
public final class ReadRaceRules extends RuleGroup {

  /** The maximum number of hashes put or queried when two threads race on drawn filters. */
  private static final int MAX_RACED = 10_000;

  public ReadRaceRules(RuleContext context) {
    super(context);
  }

  public void concurrentReadersAgree() {
    int rounds = tier().choose(12, 50, 200);
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
      FilledFilter filled = new FilledFilter(subject(), drawn);
      this.filter = filled.filter();
      this.views = List.of(filter, subject().mapped(filter));
      this.written = Payload.of(filter).words();
      // Half of them were put, as far as there are enough.
      long[] put = filled.hashes();
      int there = Math.min(put.length, queries / 2);
      this.queried = filled.others().next(queries);
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
        FilledFilter.ask(filter);
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
        drawn ->
            Race.run(
                evidence(),
                StripedTables.rounds(context(), drawn, 2, 30, 60),
                new SeenRace(drawn)));
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
      filter = new FilledFilter(subject(), drawn.withPut(drawn.put() / 8)).filter();
      hashes = new Hashes(drawn.seed() + 1 + round).next(size);
      done = 0;
      missing = 0;
    }

    @Override
    public boolean endsAlone() {
      return false;
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
}
