package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.Race;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.StripedTables;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.ThreadMode;
import java.util.List;

/** The rules on filters that accept more keys than expected and still keep their rate. */
public final class GrowthRules extends RuleGroup {

  private static final int[] TIMES = {1, 2, 3, 5, 10, 20, 50, 100, 128, 200, 300};
  private static final int MAX_TIMES = 300;
  private static final int MAX_PUT = 30_000;
  private static final int FEW_PUT = 1_000;
  private static final int MAX_COUNTED = 150_000;
  private static final int MAX_REPEATED = 5_000;

  /** Filters with up to three hundred times the expected keys, or fewer after a history. */
  private static final Domain GROWN =
      Domain.everyFilter()
          .keys(1, 2_000)
          .rates(1e-4, 0.5)
          .draws(8)
          .each(GrowthRules::grown)
          .edges(
              List.of(
                  Case.of(10, 0.01).withTimes(300),
                  Case.of(100, 0.01).withTimes(200),
                  Case.of(1_000, 0.01).withTimes(70)));

  public GrowthRules(RuleContext context) {
    super(context);
  }

  /**
   * Returns a case with the expected keys times the number of puts of the first hash, each put
   * once.
   */
  private static Case grown(Case drawn) {
    long put = drawn.keys() * Math.min(drawn.times(), MAX_TIMES);
    return drawn.times() == 1 ? drawn : drawn.withTimes(1).withPut((int) Math.min(put, MAX_PUT));
  }

  private Domain grown() {
    return tier().isAtLeast(Tier.QUICK)
        ? GROWN
        : GROWN.each(drawn -> drawn.withPut(Math.min(drawn.put(), FEW_PUT)));
  }

  public void aGrowingFilterKeepsItsRate() {
    for (double rate : new double[] {0.1, 0.01}) {
      checkRates(1_000, rate, 1, 2, 10, 100);
      checkRates(100, rate, 1, 2, 10, 100, 1_000);
    }
    checkRates(300, 1e-4, 1, 10, 100);
    // By then the rates of layers that are strict enough only at first have too large a sum.
    checkRates(100, 0.05, tier().choose(100, 20_000, 20_000, 20_000));
    // The rates of layers of a few hundred keys vary by more than the allowance for growth.
    forAll(
        Domain.everyFilter().uniform().keys(300, 10_000).rates(2e-5, 0.3).draws(12),
        drawn -> {
          int often = Math.min(MAX_COUNTED / (int) drawn.keys(), 2 + drawn.times() % MAX_TIMES);
          checkRates((int) drawn.keys(), drawn.rate(), Math.max(1, often / 3), often);
        });
  }

  private void checkRates(int size, double rate, int... times) {
    int most = size * times[times.length - 1];
    int probes = Math.max(tier().choose(100_000, 200_000, 200_000), most / 2);
    Hashes hashes = hashes("r59/" + size);
    Filter filter = subject().create(size, rate, Subject.drawnMode(hashes));
    FilterPlan plan = subject().plan(size, rate);
    int put = 0;
    for (int factor : times) {
      int keys = factor * size;
      subject().putMany(filter, hashes::next, keys - put);
      put = keys;
      FilterStats stats = filter.stats();
      assertTrue(stats.grows(), () -> "statistics must say that it grows: " + stats);
      long hits = subject().countFound(filter, hashes::next, probes);
      // No allowance for random variation of the filter itself: it reserves a part of the rate for
      // growth.
      String what = factor + " times " + size + " keys at " + rate;
      RateSample sample =
          new RateSample(what, keys, 1, plan.probes(), plan.sizeInBits(), probes, hits);
      verdict().notAbove(rate, sample);
      // Layers of a thousand keys vary less; a plan that omits layers deviates more.
      if (size >= 1_000) {
        verdict().notAbove(3 * plan.falsePositiveRate(keys), sample);
      }
    }
  }

  public void aGrowingFilterLosesNothing() {
    for (int size : new int[] {1, 10, tier().choose(20, 1_000, 1_000, 1_000)}) {
      int[] times = size > 100 ? new int[] {1, 2, 3, 5, 10, 20, 50, 100} : TIMES;
      checkGrown(subject().create(size, 0.01), hashes("r60/" + size, 300 * size), size, times);
    }
    forAll(
        grown(),
        drawn -> {
          FilledFilter filled = new FilledFilter(subject(), drawn.withPut(drawn.put() / 2));
          checkFound(filled.filter(), filled.hashes(), filled.hashes().length);
          long[] others = filled.others().next(drawn.put() / 2);
          checkGrown(filled.filter(), others, others.length, 1);
          checkFound(filled.filter(), filled.hashes(), filled.hashes().length);
        });
  }

  private static void checkGrown(Filter filter, long[] hashes, int size, int... times) {
    int put = 0;
    for (int factor : times) {
      for (; put < factor * size; put++) {
        long hash = hashes[put];
        boolean absent = !filter.mightContain(hash);
        assertEquals(
            absent, filter.put(hash), () -> "put of " + hash + " into " + Subject.text(filter));
      }
      checkFound(filter, hashes, put);
    }
  }

  private static void checkFound(Filter filter, long[] hashes, int put) {
    for (int i = 0; i < put; i++) {
      long hash = hashes[i];
      assertTrue(
          filter.mightContain(hash),
          () -> "hash " + hash + " is lost when " + put + " were put into " + Subject.text(filter));
    }
    assertEquals(put, filter.select(hashes, 0, put, new int[put]), "found by select");
  }

  public void repeatedHashesTakeNoRoom() {
    Filter filter = subject().create(100, 0.01);
    long[] known = hashes("r61", 500);
    Subject.put(filter, known);
    checkRepetition(filter, known, hashes("r61/more"), tier().some(100_000));
    forAll(
        grown().draws(5),
        drawn -> {
          FilledFilter filled = new FilledFilter(subject(), drawn);
          if (filled.hashes().length > 0) {
            checkRepetition(
                filled.filter(), filled.hashes(), filled.others(), tier().some(MAX_REPEATED));
          }
        });
  }

  private static void checkRepetition(Filter filter, long[] known, Hashes others, int repetitions) {
    Filter spared = filter.copy();
    byte[] before = Subject.write(filter);
    for (int i = 0; i < repetitions; i++) {
      assertFalse(filter.put(known[i % known.length]), "put of a hash that is there");
    }
    assertEquals(0, filter.putAll(known, 0, known.length), "new ones of a batch that is there");
    assertArrayEquals(
        before, Subject.write(filter), () -> "bytes after repeated hashes: " + repetitions);
    long[] more = others.next(Math.min(2 * known.length, MAX_REPEATED));
    Subject.put(filter, more);
    Subject.put(spared, more);
    assertArrayEquals(Subject.write(spared), Subject.write(filter), "bytes after further growth");
  }

  public void twoThreadsThatGrowAFilterLoseNothing() {
    Race.run(
        evidence(),
        Race.rounds(tier()),
        new GrowthRace(subject().create(GrowthRace.EXPECTED, 0.01), GrowthRace.PUTS));
    // Occasional miscounts show when thousands are counted.
    Race.run(
        evidence(),
        tier().choose(60, 300, 600),
        new GrowthRace(subject().create(1_000, 0.01), 4_000));
    Race.run(evidence(), Race.rounds(tier()) / 4, new FullRace());
    forAll(
        grown().draws(5),
        drawn -> {
          FilledFilter filled =
              new FilledFilter(subject(), StripedTables.shared(drawn, drawn.put() / 4));
          int puts = Math.max(1, Math.min(drawn.put() / 4, 2_000));
          Race.run(evidence(), tier().choose(2, 20, 40), new GrowthRace(filled.filter(), puts));
        });
  }

  /** Both threads put alternate hashes, and occasionally the same one. */
  private final class GrowthRace implements Race.Round {
    static final int EXPECTED = 8;
    private static final int PUTS = 5 * EXPECTED;

    private final Filter empty;
    private final int puts;
    private final boolean[][] first;
    private Filter filter;
    private long[][] hashes;

    GrowthRace(Filter empty, int puts) {
      this.empty = empty;
      this.puts = puts;
      this.first = new boolean[2][puts];
    }

    @Override
    public void prepare(int round) {
      filter = empty.copy();
      Hashes source = hashes("r62/" + round);
      hashes = new long[][] {source.next(puts), source.next(puts)};
      for (int i = 0; i < puts; i += 4) {
        hashes[1][i] = hashes[0][i];
      }
    }

    @Override
    public void act(int thread) {
      int singly = puts - puts / 4;
      for (int i = 0; i < singly; i++) {
        first[thread][i] = filter.put(hashes[thread][i]);
      }
      filter.putAll(hashes[thread], singly, puts);
    }

    @Override
    public void verify() {
      // A file contains the fill of each table, and is rejected if that is inconsistent.
      Filter read = subject().read(Subject.write(filter));
      assertEquals(filter.stats().setBits(), read.stats().setBits(), "set bits when read");
      for (int i = 0; i < puts; i++) {
        long one = hashes[0][i];
        long other = hashes[1][i];
        assertTrue(filter.mightContain(one), () -> "hash " + one + " is lost in growth");
        assertTrue(filter.mightContain(other), () -> "hash " + other + " is lost in growth");
        assertFalse(
            one == other && first[0][i] && first[1][i],
            () -> "both puts of " + one + " returned true");
      }
    }
  }

  /** Both threads put until there is no more room. */
  private final class FullRace implements Race.Round {
    private static final int PUTS = 500;

    private final long maxBytes;
    private final Filter empty;
    private final int[] taken = new int[2];
    private Filter filter;
    private long[][] hashes;

    FullRace() {
      FilterSpec spec = FilterSpec.of(GrowthRace.EXPECTED, 0.01);
      FilterProvider provider = subject().provider();
      this.maxBytes = 8 * provider.create(spec, ThreadMode.SHARED).payloadSize();
      this.empty = provider.create(spec, ThreadMode.SHARED, FilterLimits.ofBytes(maxBytes));
    }

    @Override
    public void prepare(int round) {
      filter = empty.copy();
      Hashes source = hashes("r62/full/" + round);
      hashes = new long[][] {source.next(PUTS), source.next(PUTS)};
    }

    @Override
    public void act(int thread) {
      taken[thread] = 0;
      try {
        for (long hash : hashes[thread]) {
          filter.put(hash);
          taken[thread]++;
        }
      } catch (FilterFullException e) {
        // What came before is in.
      }
    }

    @Override
    public void verify() {
      assertTrue(
          filter.payloadSize() <= maxBytes,
          () -> filter.payloadSize() + " bytes of at most " + maxBytes);
      Filter read = subject().read(Subject.write(filter));
      for (int thread = 0; thread < 2; thread++) {
        for (int i = 0; i < taken[thread]; i++) {
          long hash = hashes[thread][i];
          assertTrue(filter.mightContain(hash), () -> hash + " is lost in growth up to a limit");
          assertTrue(read.mightContain(hash), () -> hash + " is lost in what is written of it");
        }
      }
    }
  }

  public void aGrownFilterIsCopiedWrittenAndClearedWhole() {
    checkWhole(10, 20, 0.01);
    checkWhole(tier().choose(50, 1_000, 1_000, 1_000), 20, 0.01);
    // Layers may have another form from some rate on, which the first or a later layer reaches.
    for (double rate = 0.5; rate > 1e-4; rate /= tier().choose(20, 2, 2, 2)) {
      if (subject().planIfOffered(10, rate).isPresent()) {
        checkWhole(10, 50, rate);
      }
    }
    forAll(
        grown(),
        drawn -> {
          FilledFilter filled = new FilledFilter(subject(), drawn);
          byte[] fresh = Subject.write(filled.empty());
          checkWhole(filled.filter(), fresh, filled.hashes(), filled.others(), drawn.otherMode());
        });
  }

  private void checkWhole(int size, int times, double rate) {
    Hashes hashes = hashes("r63/" + size + "/" + rate);
    long[] known = hashes.next(times * size);
    Filter filter = subject().create(size, rate);
    byte[] fresh = Subject.write(filter);
    Subject.put(filter, known);
    checkWhole(filter, fresh, known, hashes, ThreadMode.SHARED);
  }

  private void checkWhole(
      Filter filter, byte[] fresh, long[] known, Hashes others, ThreadMode mode) {
    byte[] grown = Subject.write(filter);
    Filter read = subject().read(grown, mode);
    assertArrayEquals(grown, Subject.write(read), "bytes of a grown filter, written again");
    assertEquals(filter.stats(), read.stats(), "statistics of a grown filter that was read");
    Filter copy = filter.copy();
    assertArrayEquals(grown, Subject.write(copy), "bytes of a copy of a grown filter");

    long[] more = others.next(known.length);
    checkView(subject().mapped(filter), filter, known, more);
    for (long hash : more) {
      assertEquals(copy.put(hash), read.put(hash), () -> "put of " + hash + " after reading");
    }
    assertArrayEquals(grown, Subject.write(filter), "a grown filter after puts into its copy");
    assertArrayEquals(Subject.write(copy), Subject.write(read), "copy and filter read, grown on");
    checkFound(read, known, known.length);

    filter.clear();
    assertArrayEquals(fresh, Subject.write(filter), "bytes of a grown filter that was cleared");
    Subject.put(filter, known);
    assertArrayEquals(grown, Subject.write(filter), "bytes after growing again");
  }

  private static void checkView(FilterView view, Filter filter, long[] known, long[] others) {
    for (long hash : known) {
      assertTrue(
          view.mightContain(hash),
          () -> hash + " in the mapped content of " + Subject.text(filter));
    }
    for (long hash : others) {
      assertEquals(filter.mightContain(hash), view.mightContain(hash), () -> "mapped: " + hash);
    }
    assertEquals(
        known.length, view.select(known, 0, known.length, new int[known.length]), "mapped");
  }
}
