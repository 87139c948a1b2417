package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.Race;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.StripedTables;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Meeting;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** The rules on two threads that perform different operations, on one filter or on two. */
public final class SideBySideRules extends RuleGroup {

  private static final List<FilterSpec> EXAMPLES =
      List.of(
          FilterSpec.of(10, 0.1),
          FilterSpec.of(300, 0.01),
          FilterSpec.of(25, 0.001),
          FilterSpec.of(90, 0.05));

  /** The number of hashes of filters that are for as few. */
  private static final int SMALL = 32;

  public SideBySideRules(RuleContext context) {
    super(context);
  }

  public void filtersDoNotDisturbEachOther() {
    Supplier<Filter> empties = smallFilters(SMALL);
    Race.run(
        evidence(), Race.rounds(tier()) / 2, new OwnFiltersRace(round -> small(empties, round)));
    forAll(
        Domain.everyFilter().keys(1_000, 30_000).rates(1e-6, 0.97).draws(6).maxPut(2_500).filled(),
        drawn ->
            Race.run(
                evidence(),
                tier().choose(6, 20, 40),
                new OwnFiltersRace(round -> drawn(drawn, round))));
  }

  /** Two filters, one for each thread, and the hashes that it uses. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Own(Filter one, Filter other, long[] hashes, long[] otherHashes) {}

  /** Returns filters of few keys, which are empty. */
  private Own small(Supplier<Filter> empties, int round) {
    return new Own(
        empties.get(),
        empties.get(),
        hashes("r68/0/" + round, SMALL),
        hashes("r68/1/" + round, SMALL));
  }

  /** Returns filters that are used in long batches, one a copy of the other, or read from it. */
  private Own drawn(Case some, int round) {
    Case drawn = some.withPut((int) Math.min(some.put(), some.keys())).withTimes(1);
    int eighth = drawn.put() / 8;
    FilledFilter filled =
        new FilledFilter(subject(), drawn.withSeed(drawn.seed() + round).withPut(eighth));
    Filter filter = filled.filter();
    Hashes others = filled.others();
    int count = drawn.put() - eighth;
    return new Own(
        filter,
        round % 2 == 0 ? filter.copy() : subject().read(Subject.write(filter)),
        others.next(count),
        others.next(count));
  }

  /** Each thread performs all operations on a filter of its own. */
  private static final class OwnFiltersRace implements Race.Round {
    private final IntFunction<Own> makers;
    private final Filter[] filters = new Filter[2];
    private final Filter[] expected = new Filter[2];
    private final long[][] hashes = new long[2][];
    private final int[] found = new int[2];
    private final byte[][] written = new byte[2][];

    OwnFiltersRace(IntFunction<Own> makers) {
      this.makers = makers;
    }

    @Override
    public void prepare(int round) {
      Own own = makers.apply(round);
      filters[0] = own.one;
      filters[1] = own.other;
      hashes[0] = own.hashes;
      hashes[1] = own.otherHashes;
      for (int thread = 0; thread < 2; thread++) {
        expected[thread] = filters[thread].copy();
      }
    }

    @Override
    public void act(int thread) {
      found[thread] = use(filters[thread], hashes[thread]);
      written[thread] = Subject.write(filters[thread].copy());
    }

    private static int use(Filter mine, long[] keys) {
      int third = keys.length / 3;
      int answers = 0;
      for (int i = 0; i < third; i++) {
        answers += mine.put(keys[i]) ? 1 : 0;
      }
      // Repeated, so that the threads overlap in the middle of batches.
      for (int times = 0; times < 4; times++) {
        answers += mine.putAll(keys, third, keys.length);
      }
      int[] hits = new int[keys.length];
      int hit = mine.select(keys, third / 2, keys.length, hits);
      answers += hit;
      for (int i = 0; i < hit; i++) {
        answers = 31 * answers + hits[i];
      }
      for (long key : keys) {
        answers += mine.mightContain(key) ? 1 : 0;
      }
      if (mine instanceof RemovableFilter removable) {
        answers += removable.removeAll(keys, third, 2 * third);
      }
      return answers;
    }

    @Override
    public void verify() {
      for (int thread = 0; thread < 2; thread++) {
        assertEquals(
            use(expected[thread], hashes[thread]), found[thread], "answers of a thread alone");
        assertArrayEquals(
            Subject.write(expected[thread]), written[thread], "bytes of a thread alone");
      }
    }
  }

  public void aProviderServesTwoThreads() {
    Race.run(evidence(), Race.rounds(tier()) / 2, new ProviderRace(subject(), EXAMPLES));
    MeetingRace meetings = new MeetingRace();
    Race.run(evidence(), tier().choose(2, 3, 16) * meetings.pairs() / 2, meetings);
    List<FilterSpec> drawn = new ArrayList<>();
    forAll(
        Domain.everyFilter().keys(1, 20_000).draws(8),
        some -> {
          drawn.add(some.spec());
          if (drawn.size() % 4 == 0) {
            List<FilterSpec> four = drawn.subList(drawn.size() - 4, drawn.size());
            Race.run(
                evidence(),
                tier().choose(5, 100, 200),
                new ProviderRace(subject(), List.copyOf(four)));
          }
        });
  }

  /**
   * Every pair of operations meets, of one provider and of two filters, or of one if neither
   * operation changes it. Each has the result that it has alone.
   */
  private final class MeetingRace implements Race.Round {
    private static final int AGAIN = 3;
    private static final int MOST = 10;
    private static final int MET = 2;
    private final Meeting[] all = Meeting.offered(subject());
    private final int seed = (int) seed("r74/meetings");
    private final Meeting.Parties[] parties = new Meeting.Parties[2];
    private final Meeting[] met = new Meeting[2];
    private final Object[] expected = new Object[2];
    private final Object[] found = new Object[2];
    private AtomicIntegerArray begun = new AtomicIntegerArray(2);
    private AtomicIntegerArray done = new AtomicIntegerArray(2);
    private int round;

    /** Returns the number of ordered pairs. */
    int pairs() {
      return all.length * all.length;
    }

    @Override
    public void prepare(int number) {
      // On a busy machine, those that did not meet are tried again.
      round += begun.get(0) + begun.get(1) == 2 * MET ? 1 : 0;
      int pair = Math.floorMod(seed + round * 7_919, pairs());
      met[0] = all[pair / all.length];
      met[1] = all[pair % all.length];
      Hashes hashes = hashes("r74/meetings/" + round);
      for (int thread = 0; thread < 2; thread++) {
        FilterSpec spec = EXAMPLES.get((round + thread) % EXAMPLES.size());
        parties[thread] = new Meeting.Parties(subject(), spec, hashes.next(20), AGAIN);
      }
      if (round / pairs() % 2 == 1 && met[0].isReading() && met[1].isReading()) {
        parties[1] = parties[0];
      }
      begun = new AtomicIntegerArray(2);
      done = new AtomicIntegerArray(2);
      for (int thread = 0; thread < 2; thread++) {
        expected[thread] = met[thread].result(parties[thread], AGAIN);
      }
    }

    @Override
    public void act(int thread) {
      Object wrong = null;
      begun.set(thread, 1);
      try {
        for (int i = 0; i < AGAIN || isAwaited(thread, i); i++) {
          Object result = met[thread].result(parties[thread], i);
          wrong = result.equals(expected[thread]) ? wrong : result;
        }
      } finally {
        if (begun.get(1 - thread) > 0) {
          begun.set(thread, MET);
        }
        done.set(thread, 1);
      }
      found[thread] = wrong;
    }

    /** Returns whether the other thread still acts, and this one can go on. */
    private boolean isAwaited(int thread, int times) {
      return times < MOST && done.get(1 - thread) == 0 && met[thread].isReading();
    }

    @Override
    public void verify() {
      for (int thread = 0; thread < 2; thread++) {
        Meeting one = met[thread];
        Meeting other = met[1 - thread];
        Object wrong = found[thread];
        assertTrue(
            wrong == null, () -> one + " gives another result beside " + other + ": " + wrong);
      }
    }
  }

  /** Each thread plans and creates or builds filters for specs of its own. */
  private static final class ProviderRace implements Race.Round {
    private static final int AGAIN = 50;

    private static final int MAX_BUILT = 500;

    private final Subject subject;
    private final FilterProvider provider;
    private final List<FilterSpec> specs;
    private final List<String> expected;
    private final List<List<String>> found = new ArrayList<>(List.of(List.of(), List.of()));
    private final int[] others = new int[2];

    ProviderRace(Subject subject, List<FilterSpec> specs) {
      this.subject = subject;
      this.provider = subject.provider();
      this.specs = specs;
      this.expected = List.of(describe(0), describe(1));
    }

    private String describe(int thread) {
      StringBuilder text = new StringBuilder();
      for (int i = thread; i < specs.size(); i += 2) {
        FilterSpec spec = specs.get(i);
        FilterPlan plan = provider.plan(spec);
        Filter filter = provider.create(spec, ThreadMode.SHARED);
        text.append(filter.spec()).append(filter.layout());
        text.append(plan.sizeInBits()).append(' ').append(plan.probes()).append(' ');
        text.append(plan.falsePositiveRate(spec.expectedKeys()));
        subject.builder().ifPresent(building -> text.append(built(building, spec)));
      }
      return text.toString();
    }

    /** Returns a digest of a filter with hashes that no other spec has. */
    private static int built(StaticFilterProvider building, FilterSpec spec) {
      int keys = (int) Math.min(spec.expectedKeys(), MAX_BUILT);
      long[] hashes = new Hashes(spec.hashCode()).next(keys);
      StoredFilter filter = building.build(spec, LongStream.of(hashes), FilterLimits.HEAP);
      return Arrays.hashCode(Payload.of(filter).words());
    }

    @Override
    public void prepare(int round) {}

    @Override
    public void act(int thread) {
      found.set(thread, List.of(describe(thread), describe(thread)));
      // A cached plan may be that of the other thread by now.
      FilterSpec mine = specs.get(thread);
      for (int i = 0; i < AGAIN; i++) {
        others[thread] += provider.plan(mine).spec().equals(mine) ? 0 : 1;
      }
    }

    @Override
    public void verify() {
      assertEquals(0, others[0] + others[1], "plans of another spec");
      for (int thread = 0; thread < 2; thread++) {
        for (String text : found.get(thread)) {
          assertEquals(expected.get(thread), text, "what a provider plans and creates");
        }
      }
    }
  }

  public void batchesMayRunBesideEachOther() {
    Race.run(evidence(), Race.rounds(tier()) / 2, new BatchRace(smallFilters(256), 70));
    forAll(
        StripedTables.domain(context(), "r69", 2, 4_500),
        drawn -> {
          int keys = Math.max(4, drawn.put() / 4);
          Supplier<Filter> base =
              () -> new FilledFilter(subject(), drawn.withPut(drawn.put() / 4)).filter();
          Race.run(evidence(), tier().choose(12, 60, 100), new BatchRace(base, keys));
        });
  }

  /**
   * Both threads put a batch, of which a quarter is the same, and query one that is present. The
   * common hashes are at the same indices in two rounds of three, in one of which a thread puts
   * them one by one.
   */
  private final class BatchRace implements Race.Round {
    private final Supplier<Filter> base;
    private final int keys;
    private final int common;
    private final long[][] batches = new long[2][];
    private final int[] first = new int[2];
    private final int[] found = new int[2];
    private final int[][] hits = new int[2][];
    private long[] there;
    private int kind;
    private Filter filter;

    BatchRace(Supplier<Filter> base, int keys) {
      this.base = base;
      this.keys = keys;
      this.common = keys * 2 / 7;
    }

    @Override
    public void prepare(int round) {
      Hashes hashes = hashes("r69/" + round);
      there = hashes.next(keys);
      batches[0] = hashes.next(keys);
      batches[1] = hashes.next(keys);
      kind = round % 3;
      System.arraycopy(batches[0], 0, batches[1], kind == 0 ? keys - common : 0, common);
      filter = base.get();
      filter.putAll(there, 0, keys);
    }

    @Override
    public void act(int thread) {
      hits[thread] = new int[keys];
      found[thread] = filter.select(there, 0, keys, hits[thread]);
      first[thread] =
          kind == 1 && thread == 0
              ? putSingly(batches[thread])
              : filter.putAll(batches[thread], 0, keys);
      found[thread] += filter.select(batches[thread], 0, keys, hits[thread]);
      found[thread] += filter.select(there, 0, keys, hits[thread]);
    }

    private int putSingly(long[] hashes) {
      int added = 0;
      for (long hash : hashes) {
        added += filter.put(hash) ? 1 : 0;
      }
      return added;
    }

    @Override
    public void verify() {
      int different = 2 * keys - common;
      int firsts = first[0] + first[1];
      assertTrue(
          firsts <= different, () -> firsts + " of " + different + " different hashes were new");
      for (int thread = 0; thread < 2; thread++) {
        assertEquals(3 * keys, found[thread], "hashes found in three batches of as many");
        int[] ascending = hits[thread].clone();
        Arrays.sort(ascending);
        assertArrayEquals(ascending, hits[thread], "indices of a batch");
        for (long hash : batches[thread]) {
          assertTrue(filter.mightContain(hash), () -> "hash " + hash + " of a batch is lost");
        }
      }
    }
  }

  public void mergesMayRunBesidePuts() {
    for (double rate : SOME_RATES) {
      Case small = Case.of(64, rate).withMode(ThreadMode.SHARED).withSeed(seed("r70" + rate));
      int rounds = Math.max(1, Race.rounds(tier()) / 8);
      Race.run(evidence(), rounds, new MergeRace(small));
      Race.run(evidence(), rounds, new CrosswiseRace(small));
    }
    forAll(
        StripedTables.domain(context(), "r70", 1, 4_000),
        drawn -> {
          Race.run(
              evidence(), StripedTables.rounds(context(), drawn, 6, 20, 20), new MergeRace(drawn));
          Race.run(
              evidence(),
              StripedTables.rounds(context(), drawn, 10, 50, 100),
              new CrosswiseRace(drawn));
        });
  }

  private MergeableFilter mergeable(Case drawn) {
    return (MergeableFilter) new FilledFilter(subject(), drawn.withPut(0)).filter();
  }

  /**
   * One thread merges until the other has put everything, so that neither ends before the other has
   * begun, however long a merge takes.
   */
  private final class MergeRace implements Race.Round {
    /**
     * The maximum number of bits that merges read while a round puts: a put may have to wait for a
     * whole merge.
     */
    private static final long MAX_BITS_OF_ROUND = 1L << 26;

    private static final long MIN_MEANWHILE = 8;

    private final Case drawn;
    private final int size;
    private final int sizeMeanwhile;
    private MergeableFilter one;
    private MergeableFilter two;
    private long[] inOne;
    private long[] inTwo;
    private long[] meanwhile;
    private volatile boolean merged;
    private volatile boolean isPut;

    MergeRace(Case drawn) {
      this.drawn = drawn;
      this.size = Math.max(1, drawn.put() / 4);
      long bits = subject().plan(drawn.keys(), drawn.rate()).sizeInBits();
      this.sizeMeanwhile = (int) Math.min(size, Math.max(MIN_MEANWHILE, MAX_BITS_OF_ROUND / bits));
    }

    @Override
    public void prepare(int round) {
      Hashes hashes = new Hashes(drawn.seed() + round);
      inOne = hashes.next(size);
      inTwo = hashes.next(size);
      meanwhile = hashes.next(sizeMeanwhile);
      one = mergeable(drawn);
      two = mergeable(drawn);
      Subject.put(one, inOne);
      Subject.put(two, inTwo);
      merged = false;
      isPut = false;
    }

    @Override
    public boolean endsAlone() {
      return false;
    }

    @Override
    public void act(int thread) {
      if (thread == 0) {
        try {
          do {
            one.putAll(two);
          } while (!isPut);
        } finally {
          merged = true;
        }
        return;
      }
      try {
        for (long hash : meanwhile) {
          one.put(hash);
          two.put(hash);
        }
      } finally {
        isPut = true;
      }
      // A merge of a large table takes longer; putting again changes nothing but counts.
      if (!(one instanceof RemovableFilter)) {
        for (int i = 0; !merged; i = (i + 1) % meanwhile.length) {
          one.put(meanwhile[i]);
        }
      }
    }

    @Override
    public void verify() {
      for (long[] hashes : List.of(inOne, inTwo, meanwhile)) {
        Subject.checkFound(one, hashes);
      }
      Subject.checkFound(two, inTwo);
      Subject.checkFound(two, meanwhile);
      if (two instanceof RemovableFilter removable) {
        int removed = removable.removeAll(inTwo, 0, size);
        removed += removable.removeAll(meanwhile, 0, sizeMeanwhile);
        assertEquals(size + sizeMeanwhile, removed, "removes from what was merged");
        assertArrayEquals(
            Subject.write(mergeable(drawn)), Subject.write(two), "bytes when all is removed");
      }
    }
  }

  /** Each thread merges the filter of the other into its own. */
  private final class CrosswiseRace implements Race.Round {
    private static final int KEYS = 16;
    private final Case drawn;
    private final MergeableFilter[] filters = new MergeableFilter[2];
    private final long[][] hashes = new long[2][];

    CrosswiseRace(Case drawn) {
      this.drawn = drawn;
    }

    @Override
    public void prepare(int round) {
      Hashes source = hashes("r70/" + round);
      for (int i = 0; i < 2; i++) {
        hashes[i] = source.next(KEYS);
        filters[i] = mergeable(drawn);
        Subject.put(filters[i], hashes[i]);
      }
    }

    @Override
    public void act(int thread) {
      filters[thread].putAll(filters[1 - thread]);
    }

    @Override
    public void verify() {
      for (Filter filter : filters) {
        for (long[] both : hashes) {
          Subject.checkFound(filter, both);
        }
      }
    }
  }
}
