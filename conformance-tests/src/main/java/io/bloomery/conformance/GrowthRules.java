package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.statistics.RateSample;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;

/** Filters that take more keys than expected and still keep their rate. */
final class GrowthRules extends Topic {

  GrowthRules(RuleContext context) {
    super(context);
  }

  void aGrowingFilterKeepsItsRate() {
    for (double rate : new double[] {0.1, 0.01}) {
      checkRates(1_000, rate, 1, 2, 10, 100);
      checkRates(100, rate, 1, 2, 10, 100, 1_000);
    }
  }

  private void checkRates(int size, double rate, int... times) {
    int probes = 200_000;
    Filter filter = subject().create(size, rate);
    FilterPlan plan = subject().plan(size, rate);
    Hashes hashes = hashes("r59/" + size);
    int put = 0;
    for (int factor : times) {
      int keys = factor * size;
      Subject.put(filter, hashes.next(keys - put));
      put = keys;
      long hits = 0;
      for (int i = 0; i < probes; i++) {
        hits += filter.mightContain(hashes.next()) ? 1 : 0;
      }
      // No allowance for chance in the filter itself: it keeps a part of the rate for growth.
      String what = factor + " times " + size + " keys at " + rate;
      RateSample sample =
          new RateSample(what, keys, 1, plan.probes(), plan.sizeInBits(), probes, hits);
      verdict().notAbove(rate, sample);
      // Slices of a thousand keys vary by less; a plan that forgets slices is off by more.
      if (size >= 1_000) {
        verdict().notAbove(3 * plan.falsePositiveRate(keys), sample);
      }
    }
  }

  void aGrowingFilterLosesNothing() {
    for (int size : new int[] {1, 10, 1_000}) {
      Filter filter = subject().create(size, 0.01);
      long[] hashes = hashes("r60/" + size, 100 * size);
      int put = 0;
      for (int factor : new int[] {1, 2, 3, 5, 10, 20, 50, 100}) {
        for (; put < factor * size; put++) {
          long hash = hashes[put];
          boolean absent = !filter.mightContain(hash);
          assertEquals(absent, filter.put(hash), () -> "put of " + hash + " into " + filter);
        }
        for (int i = 0; i < put; i++) {
          long hash = hashes[i];
          assertTrue(
              filter.mightContain(hash),
              () -> "hash " + hash + " is lost at " + factor + " times the expected keys");
        }
        assertEquals(put, filter.select(hashes, 0, put, new int[put]), "found by select");
      }
    }
  }

  void repeatedHashesTakeNoRoom() {
    int size = 100;
    Filter filter = subject().create(size, 0.01);
    Hashes hashes = hashes("r61");
    long[] known = hashes.next(5 * size);
    Subject.put(filter, known);
    Filter spared = filter.copy();
    byte[] before = Subject.write(filter);
    for (int i = 0; i < 100_000; i++) {
      assertFalse(filter.put(known[i % known.length]), "put of a hash that is there");
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after 100,000 repeated hashes");
    long[] more = hashes.next(10 * size);
    Subject.put(filter, more);
    Subject.put(spared, more);
    assertArrayEquals(Subject.write(spared), Subject.write(filter), "bytes after further growth");
  }

  void twoThreadsThatGrowAFilterLoseNothing() {
    Race.run(
        evidence(),
        Race.rounds(tier()),
        new GrowthRace(subject().create(GrowthRace.EXPECTED, 0.01)));
  }

  /** Both threads put every other hash, and now and then the same one. */
  private final class GrowthRace implements Race.Round {
    static final int EXPECTED = 8;
    private static final int PUTS = 5 * EXPECTED;

    private final Filter empty;
    private final boolean[][] first = new boolean[2][PUTS];
    private Filter filter;
    private long[][] hashes;

    GrowthRace(Filter empty) {
      this.empty = empty;
    }

    @Override
    public void prepare(int round) {
      filter = empty.copy();
      Hashes source = hashes("r62/" + round);
      hashes = new long[][] {source.next(PUTS), source.next(PUTS)};
      for (int i = 0; i < PUTS; i += 4) {
        hashes[1][i] = hashes[0][i];
      }
    }

    @Override
    public void act(int thread) {
      for (int i = 0; i < PUTS; i++) {
        first[thread][i] = filter.put(hashes[thread][i]);
      }
    }

    @Override
    public void verify() {
      for (int i = 0; i < PUTS; i++) {
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

  void aGrownFilterIsCopiedWrittenAndClearedWhole() {
    for (int size : new int[] {10, 1_000}) {
      Filter filter = subject().create(size, 0.01);
      byte[] fresh = Subject.write(filter);
      Hashes hashes = hashes("r63/" + size);
      long[] known = hashes.next(20 * size);
      Subject.put(filter, known);
      byte[] grown = Subject.write(filter);

      Filter read = subject().read(grown);
      assertArrayEquals(grown, Subject.write(read), "bytes of a grown filter, written again");
      assertEquals(filter.stats(), read.stats(), "statistics of a grown filter that was read");
      Filter copy = filter.copy();
      assertArrayEquals(grown, Subject.write(copy), "bytes of a copy of a grown filter");

      for (long hash : hashes.next(20 * size)) {
        assertEquals(copy.put(hash), read.put(hash), () -> "put of " + hash + " after reading");
      }
      assertArrayEquals(grown, Subject.write(filter), "a grown filter after puts into its copy");
      assertArrayEquals(Subject.write(copy), Subject.write(read), "copy and filter read, grown on");
      for (long hash : known) {
        assertTrue(read.mightContain(hash), () -> "hash " + hash + " is lost after reading");
      }

      filter.clear();
      assertArrayEquals(fresh, Subject.write(filter), "bytes of a grown filter that was cleared");
      Subject.put(filter, known);
      assertArrayEquals(grown, Subject.write(filter), "bytes after growing again");
    }
  }
}
