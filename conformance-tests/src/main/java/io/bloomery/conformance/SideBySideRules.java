package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Two threads that do different things, with one filter or with two. */
final class SideBySideRules extends Topic {

  SideBySideRules(RuleContext context) {
    super(context);
  }

  void filtersDoNotDisturbEachOther() {
    Race.run(
        evidence(), Race.rounds(tier()) / 2, new SeparateFiltersRace(subject().create(32, 0.01)));
  }

  /** Each thread does everything with a filter of its own. */
  private final class SeparateFiltersRace implements Race.Round {
    private static final int KEYS = 32;

    private final Filter empty;
    private final Filter[] filters = new Filter[2];
    private final long[][] hashes = new long[2][];
    private final byte[][] written = new byte[2][];
    private final int[] found = new int[2];

    SeparateFiltersRace(Filter empty) {
      this.empty = empty;
    }

    @Override
    public void prepare(int round) {
      for (int thread = 0; thread < 2; thread++) {
        filters[thread] = empty.copy();
        hashes[thread] = hashes("r68/" + thread + "/" + round, KEYS);
      }
    }

    @Override
    public void act(int thread) {
      Filter mine = filters[thread];
      long[] keys = hashes[thread];
      for (int i = 0; i < KEYS / 2; i++) {
        mine.put(keys[i]);
      }
      mine.putAll(keys, KEYS / 2, KEYS);
      found[thread] = mine.select(keys, 0, KEYS, new int[KEYS]);
      for (long key : keys) {
        found[thread] += mine.mightContain(key) ? 1 : 0;
      }
      written[thread] = Subject.write(mine.copy());
    }

    @Override
    public void verify() {
      for (int thread = 0; thread < 2; thread++) {
        assertEquals(2 * KEYS, found[thread], "hashes found of those that this thread put");
        Filter alone = empty.copy();
        Subject.put(alone, hashes[thread]);
        assertArrayEquals(
            Subject.write(alone), written[thread], "bytes of a filter that was used by one thread");
      }
    }
  }

  void aProviderServesTwoThreads() {
    Race.run(evidence(), Race.rounds(tier()) / 2, new ProviderRace(subject().provider()));
  }

  /** Each thread plans and creates filters of its own specs. */
  private static final class ProviderRace implements Race.Round {
    private static final List<FilterSpec> SPECS =
        List.of(
            FilterSpec.of(10, 0.1),
            FilterSpec.of(300, 0.01),
            FilterSpec.of(25, 0.001),
            FilterSpec.of(90, 0.05));

    private final FilterProvider provider;
    private final List<String> expected;
    private final List<List<String>> found = new ArrayList<>(List.of(List.of(), List.of()));

    ProviderRace(FilterProvider provider) {
      this.provider = provider;
      this.expected = List.of(describe(0), describe(1));
    }

    private String describe(int thread) {
      StringBuilder text = new StringBuilder();
      for (int i = thread; i < SPECS.size(); i += 2) {
        FilterSpec spec = SPECS.get(i);
        FilterPlan plan = provider.plan(spec);
        Filter filter = provider.create(spec, ThreadMode.SHARED);
        text.append(filter.spec()).append(filter.layout());
        text.append(plan.sizeInBits()).append(' ').append(plan.probes()).append(' ');
        text.append(plan.falsePositiveRate(spec.expectedKeys()));
      }
      return text.toString();
    }

    @Override
    public void prepare(int round) {}

    @Override
    public void act(int thread) {
      found.set(thread, List.of(describe(thread), describe(thread)));
    }

    @Override
    public void verify() {
      for (int thread = 0; thread < 2; thread++) {
        for (String text : found.get(thread)) {
          assertEquals(expected.get(thread), text, "what a provider plans and creates");
        }
      }
    }
  }

  void batchesMayRunBesideEachOther() {
    Race.run(evidence(), Race.rounds(tier()) / 2, new BatchRace(subject().create(256, 0.01)));
  }

  /** Both threads put a batch, of which a quarter is the same, and ask for one that is there. */
  private final class BatchRace implements Race.Round {
    private static final int KEYS = 70;
    private static final int SHARED = 20;

    private final Filter empty;
    private final long[][] batches = new long[2][];
    private final int[] first = new int[2];
    private final int[] found = new int[2];
    private final int[][] hits = new int[2][];
    private long[] there;
    private Filter filter;

    BatchRace(Filter empty) {
      this.empty = empty;
    }

    @Override
    public void prepare(int round) {
      Hashes hashes = hashes("r69/" + round);
      there = hashes.next(KEYS);
      batches[0] = hashes.next(KEYS);
      batches[1] = hashes.next(KEYS);
      System.arraycopy(batches[0], 0, batches[1], KEYS - SHARED, SHARED);
      filter = empty.copy();
      filter.putAll(there, 0, KEYS);
    }

    @Override
    public void act(int thread) {
      hits[thread] = new int[KEYS];
      found[thread] = filter.select(there, 0, KEYS, hits[thread]);
      first[thread] = filter.putAll(batches[thread], 0, KEYS);
      found[thread] += filter.select(there, 0, KEYS, hits[thread]);
    }

    @Override
    public void verify() {
      int different = 2 * KEYS - SHARED;
      int firsts = first[0] + first[1];
      assertTrue(
          firsts <= different, () -> firsts + " of " + different + " different hashes were new");
      for (int thread = 0; thread < 2; thread++) {
        assertEquals(2 * KEYS, found[thread], "hashes found in two batches of as many");
        int[] ascending = hits[thread].clone();
        Arrays.sort(ascending);
        assertArrayEquals(ascending, hits[thread], "indices of a batch");
        for (long hash : batches[thread]) {
          assertTrue(filter.mightContain(hash), () -> "hash " + hash + " of a batch is lost");
        }
      }
    }
  }

  void mergesMayRunBesidePuts() {
    MergeableFilter empty = (MergeableFilter) subject().create(64, 0.01);
    Race.run(evidence(), Race.rounds(tier()) / 2, new MergeRace(empty, false));
    Race.run(evidence(), Race.rounds(tier()) / 2, new MergeRace(empty, true));
  }

  /** One thread merges, the other puts into both filters, or merges the other way round. */
  private final class MergeRace implements Race.Round {
    private static final int KEYS = 16;

    private final MergeableFilter empty;
    private final boolean crosswise;
    private MergeableFilter one;
    private MergeableFilter two;
    private long[] inOne;
    private long[] inTwo;
    private long[] putMeanwhile;

    MergeRace(MergeableFilter empty, boolean crosswise) {
      this.empty = empty;
      this.crosswise = crosswise;
    }

    @Override
    public void prepare(int round) {
      Hashes hashes = hashes("r70/" + crosswise + round);
      inOne = hashes.next(KEYS);
      inTwo = hashes.next(KEYS);
      putMeanwhile = hashes.next(KEYS);
      one = (MergeableFilter) empty.copy();
      two = (MergeableFilter) empty.copy();
      Subject.put(one, inOne);
      Subject.put(two, inTwo);
    }

    @Override
    public void act(int thread) {
      if (thread == 0) {
        one.putAll(two);
      } else if (crosswise) {
        two.putAll(one);
      } else {
        for (long hash : putMeanwhile) {
          one.put(hash);
          two.put(hash);
        }
      }
    }

    @Override
    public void verify() {
      checkAll(one, inOne);
      checkAll(one, inTwo);
      checkAll(two, inTwo);
      if (crosswise) {
        checkAll(two, inOne);
      } else {
        checkAll(one, putMeanwhile);
        checkAll(two, putMeanwhile);
        if (two instanceof RemovableFilter removable) {
          drain(removable);
        }
      }
    }

    private static void checkAll(Filter filter, long[] hashes) {
      for (long hash : hashes) {
        assertTrue(filter.mightContain(hash), () -> "hash " + hash + " is lost in " + filter);
      }
    }

    // What is merged from must have kept its counts.
    private void drain(RemovableFilter filter) {
      for (long hash : inTwo) {
        assertTrue(filter.remove(hash), () -> "remove of " + hash);
      }
      for (long hash : putMeanwhile) {
        assertTrue(filter.remove(hash), () -> "remove of " + hash);
      }
      assertArrayEquals(Subject.write(empty), Subject.write(filter), "bytes when all is removed");
    }
  }
}
