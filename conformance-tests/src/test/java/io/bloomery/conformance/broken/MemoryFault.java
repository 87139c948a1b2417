package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.FaultWindow.Range;
import io.bloomery.conformance.broken.FaultWindow.Sense;
import io.bloomery.conformance.broken.WrappedFilter.Habit;
import io.bloomery.conformance.broken.WrappedProvider.Kind;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** What can be remembered for too long: answers, statistics and plans. */
public enum MemoryFault {
  ABSENT_ANSWERS(Rule.R25, Rule.R01),
  PRESENT_ANSWERS(Rule.R07, Rule.R25),
  STATISTICS(Rule.R07, Rule.R27, Rule.R49),
  PLANS(Rule.R19, Rule.R22, Rule.R18),
  PLANNED_RATES(Rule.R19, Rule.R18);

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Rule> first;

  MemoryFault(Rule... first) {
    this.first = List.of(first);
  }

  /** What does not end a memory, although it should. */
  enum Survived {
    PUT,
    PUT_ALL,
    MERGE,
    CLEAR,
    GROWTH,
    REMOVE,
    REMOVE_ALL,
    /** It is that of the original, too. */
    COPY,
    /** It is that of all filters of equal specs. */
    READ
  }

  public DrawnFault draw(SplittableRandom random) {
    return switch (this) {
      case ABSENT_ANSWERS ->
          answers(
              random,
              Survived.PUT,
              Survived.PUT_ALL,
              Survived.MERGE,
              Survived.GROWTH,
              Survived.COPY,
              Survived.READ);
      case PRESENT_ANSWERS -> answers(random, Survived.CLEAR, Survived.REMOVE, Survived.REMOVE_ALL);
      case STATISTICS -> statistics(random);
      case PLANS, PLANNED_RATES -> plans(random);
    };
  }

  private DrawnFault drawn(Kind kind, FaultWindow window, WrappedProvider provider, String what) {
    String text =
        String.format(
            Locale.ROOT,
            "memory: %s of %s filters %s [%s]",
            name().toLowerCase(Locale.ROOT).replace('_', ' '),
            kind.name().toLowerCase(Locale.ROOT),
            what.toLowerCase(Locale.ROOT),
            window);
    return new DrawnFault(text, provider, first);
  }

  static <T> T one(SplittableRandom random, List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  /** Draws what is wrapped, so that it can do something. */
  private static Kind kind(Survived survived, SplittableRandom random) {
    return switch (survived) {
      case MERGE -> one(random, List.of(Kind.STANDARD, Kind.COUNTING));
      case GROWTH -> Kind.GROWING;
      case REMOVE, REMOVE_ALL -> Kind.COUNTING;
      default -> one(random, List.of(Kind.STANDARD, Kind.COUNTING, Kind.GROWING));
    };
  }

  /** Draws a window in which filters of a kind are. */
  static FaultWindow window(Kind kind, SplittableRandom random, Sense... senses) {
    if (kind == Kind.GROWING || kind == Kind.FULL) {
      FaultWindow window = FaultWindow.draw(random, senses);
      Range all = Range.ALL;
      return switch (random.nextInt(3)) {
        case 0 -> new FaultWindow(Range.draw(10, 1e4, random), all, all, window.further());
        case 1 -> new FaultWindow(all, Range.draw(1e-4, 0.5, random), all, window.further());
        default -> new FaultWindow(all, all, all, window.further());
      };
    }
    return FaultWindow.drawOffered(random, senses);
  }

  private DrawnFault answers(SplittableRandom random, Survived... some) {
    Survived survived = one(random, List.of(some));
    Kind kind = kind(survived, random);
    FaultWindow window = window(kind, random, Sense.MODE, Sense.HASH_ID);
    int places = one(random, List.of(1, 1, 16, 1_024));
    boolean byAsk = random.nextInt(3) > 0;
    boolean bySelect = !byAsk || random.nextBoolean();
    boolean toAsk = random.nextInt(3) > 0;
    boolean toSelect = !toAsk || random.nextBoolean();
    Map<FilterSpec, Habit> ofAll = new ConcurrentHashMap<>();
    boolean isPresent = this == PRESENT_ANSWERS;
    WrappedProvider provider =
        new WrappedProvider(
            kind.provider,
            window,
            spec -> {
              Answers made =
                  new Answers(survived, isPresent, places, byAsk, bySelect, toAsk, toSelect);
              return survived == Survived.READ ? ofAll.computeIfAbsent(spec, any -> made) : made;
            });
    String by = (byAsk ? " queries" : "") + (bySelect ? " batches" : "");
    String to = (toAsk ? " queries" : "") + (toSelect ? " batches" : "");
    return drawn(
        kind, window, provider, "beyond " + survived + ", " + places + ", of" + by + " for" + to);
  }

  /** Remembers answers by their hashes, in so many places. */
  private static final class Answers extends Habit {
    private final Survived survived;
    private final boolean kept;
    private final boolean byAsk;
    private final boolean bySelect;
    private final boolean toAsk;
    private final boolean toSelect;
    private final long[] hashes;
    private final boolean[] isKnown;

    Answers(
        Survived survived,
        boolean kept,
        int places,
        boolean byAsk,
        boolean bySelect,
        boolean toAsk,
        boolean toSelect) {
      this.survived = survived;
      this.kept = kept;
      this.byAsk = byAsk;
      this.bySelect = bySelect;
      this.toAsk = toAsk;
      this.toSelect = toSelect;
      this.hashes = new long[places];
      this.isKnown = new boolean[places];
    }

    private int place(long hash) {
      return (int) (hash >>> 32) & (hashes.length - 1);
    }

    private boolean isKnown(long hash) {
      return isKnown[place(hash)] && hashes[place(hash)] == hash;
    }

    private void remember(long hash, boolean answer) {
      if (answer == kept) {
        isKnown[place(hash)] = true;
        hashes[place(hash)] = hash;
      }
    }

    private void ended(Survived by) {
      if (by != survived) {
        Arrays.fill(isKnown, false);
      }
    }

    @Override
    boolean ask(WrappedFilter filter, long hash) {
      if (toAsk && isKnown(hash)) {
        return kept;
      }
      boolean answer = filter.inner.mightContain(hash);
      if (byAsk) {
        remember(hash, answer);
      }
      return answer;
    }

    @Override
    int select(WrappedFilter filter, long[] all, int from, int to, int[] hits) {
      if (hits.length < to - from || (!toSelect && !bySelect)) {
        return super.select(filter, all, from, to, hits);
      }
      Objects.checkFromToIndex(from, to, all.length);
      int found = 0;
      for (int i = from; i < to; i++) {
        boolean isServed = toSelect && isKnown(all[i]);
        boolean answer = isServed ? kept : filter.inner.mightContain(all[i]);
        if (answer) {
          hits[found++] = i;
        }
        if (bySelect) {
          remember(all[i], answer);
        }
      }
      return found;
    }

    @Override
    boolean put(WrappedFilter filter, long hash) {
      long size = filter.inner.payloadSize();
      try {
        return super.put(filter, hash);
      } finally {
        ended(filter.inner.payloadSize() > size ? Survived.GROWTH : Survived.PUT);
      }
    }

    @Override
    int putAll(WrappedFilter filter, long[] all, int from, int to) {
      try {
        return super.putAll(filter, all, from, to);
      } finally {
        ended(Survived.PUT_ALL);
      }
    }

    @Override
    void merge(WrappedFilter filter, Filter other) {
      super.merge(filter, other);
      ended(Survived.MERGE);
    }

    @Override
    void clear(WrappedFilter filter) {
      super.clear(filter);
      ended(Survived.CLEAR);
    }

    @Override
    boolean remove(WrappedFilter filter, long hash) {
      boolean removed = super.remove(filter, hash);
      ended(Survived.REMOVE);
      return removed;
    }

    @Override
    int removeAll(WrappedFilter filter, long[] all, int from, int to) {
      int removed = super.removeAll(filter, all, from, to);
      ended(Survived.REMOVE_ALL);
      return removed;
    }

    @Override
    Habit ofCopy(WrappedFilter filter) {
      return survived == Survived.COPY ? this : super.ofCopy(filter);
    }
  }

  private DrawnFault statistics(SplittableRandom random) {
    Survived survived = one(random, List.of(Survived.CLEAR, Survived.MERGE, Survived.REMOVE));
    Kind kind = kind(survived, random);
    FaultWindow window = window(kind, random, Sense.MODE, Sense.HASH_ID);
    boolean isOfEqualCounts = survived != Survived.MERGE;
    WrappedProvider provider =
        new WrappedProvider(
            kind.provider, window, spec -> new Statistics(survived, isOfEqualCounts));
    return drawn(
        kind,
        window,
        provider,
        "beyond " + survived + (isOfEqualCounts ? ", of as many keys" : ""));
  }

  /** Remembers statistics, or only as long as there are as many keys. */
  private static final class Statistics extends Habit {
    private final Survived survived;
    private final boolean isOfEqualCounts;
    private FilterStats told; // or null
    private long keys;
    private long keysTold;

    Statistics(Survived survived, boolean isOfEqualCounts) {
      this.survived = survived;
      this.isOfEqualCounts = isOfEqualCounts;
    }

    @Override
    FilterStats stats(WrappedFilter filter) {
      if (told == null || (isOfEqualCounts && keys != keysTold)) {
        told = filter.inner.stats();
        keysTold = keys;
      }
      return told;
    }

    private void ended(Survived by) {
      told = by == survived ? told : null;
    }

    @Override
    boolean put(WrappedFilter filter, long hash) {
      boolean isNew = super.put(filter, hash);
      keys += isNew ? 1 : 0;
      if (!isNew) {
        ended(Survived.PUT);
      }
      return isNew;
    }

    @Override
    int putAll(WrappedFilter filter, long[] all, int from, int to) {
      ended(Survived.PUT_ALL);
      int added = super.putAll(filter, all, from, to);
      keys += added;
      return added;
    }

    @Override
    void merge(WrappedFilter filter, Filter other) {
      super.merge(filter, other);
      ended(Survived.MERGE);
    }

    @Override
    void clear(WrappedFilter filter) {
      super.clear(filter);
      keys = 0;
      ended(Survived.CLEAR);
    }

    @Override
    boolean remove(WrappedFilter filter, long hash) {
      boolean removed = super.remove(filter, hash);
      keys -= removed ? 1 : 0;
      ended(Survived.REMOVE);
      return removed;
    }

    @Override
    int removeAll(WrappedFilter filter, long[] all, int from, int to) {
      int removed = super.removeAll(filter, all, from, to);
      keys -= removed;
      ended(Survived.REMOVE);
      return removed;
    }
  }

  /** Which specs a memory of plans takes for the same. */
  private enum Like {
    KEYS(FilterSpec::expectedKeys),
    RATE(FilterSpec::falsePositiveRate),
    KEYS_AND_RATE(spec -> List.of(spec.expectedKeys(), spec.falsePositiveRate())),
    KEYS_AND_RATE_IN_FLOAT(
        spec -> List.of(spec.expectedKeys(), (float) spec.falsePositiveRate(), spec.attributes())),
    INT_KEYS(spec -> List.of((int) spec.expectedKeys(), spec.falsePositiveRate())),
    ALL_BUT_ATTRIBUTES(spec -> spec.withAttributes(Map.of()));

    @SuppressWarnings("ImmutableEnumChecker") // keeps nothing
    private final Function<FilterSpec, Object> of;

    Like(Function<FilterSpec, Object> of) {
      this.of = of;
    }
  }

  private DrawnFault plans(SplittableRandom random) {
    // A plan that grows says the same of many keys.
    Kind kind = one(random, List.of(Kind.STANDARD, Kind.COUNTING));
    Range keys = Range.draw(1, 1e9, random);
    FaultWindow window = FaultWindow.EVERYWHERE.withKeys(keys);
    Like like = one(random, List.of(Like.values()));
    boolean saysItsSpec = this == PLANNED_RATES || random.nextBoolean();
    if (saysItsSpec) {
      // Only what differs in keys or rate has another plan.
      like = one(random, List.of(Like.KEYS, Like.RATE));
    }
    int kept = one(random, List.of(1, 64));
    WrappedProvider provider =
        new Planning(kind, window, keys, like, kept, this == PLANS, saysItsSpec);
    return drawn(
        kind,
        window,
        provider,
        "of equal " + like + ", " + kept + (saysItsSpec ? ", of the spec asked" : ""));
  }

  private static final class Planning extends WrappedProvider {
    private final Range keys;
    private final Like like;
    private final int most;
    private final boolean isOfPlans;
    private final boolean saysItsSpec;
    private final Map<Object, FilterPlan> plans = new HashMap<>();
    private final Map<Object, Double> rates = new HashMap<>();

    Planning(
        Kind kind,
        FaultWindow window,
        Range keys,
        Like like,
        int most,
        boolean isOfPlans,
        boolean saysItsSpec) {
      super(kind.provider, window, spec -> new Habit());
      this.keys = keys;
      this.like = like;
      this.most = most;
      this.isOfPlans = isOfPlans;
      this.saysItsSpec = saysItsSpec;
    }

    private synchronized <T> T remembered(Map<Object, T> memory, Object key, Supplier<T> made) {
      T known = memory.get(key);
      if (known == null) {
        known = made.get();
        if (memory.size() >= most) {
          memory.clear();
        }
        memory.put(key, known);
      }
      return known;
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      if (!keys.has((double) spec.expectedKeys())) {
        return inner.plan(spec);
      }
      if (isOfPlans) {
        FilterPlan right = inner.plan(spec); // or refused
        FilterPlan plan = remembered(plans, like.of.apply(spec), () -> right);
        return new PatchedPlan(plan) {
          @Override
          public FilterSpec spec() {
            return saysItsSpec ? spec : super.spec();
          }
        };
      }
      return new PatchedPlan(inner.plan(spec)) {
        @Override
        public double falsePositiveRate(long number) {
          return remembered(
              rates, List.of(like.of.apply(spec), number), () -> super.falsePositiveRate(number));
        }
      };
    }
  }
}
