package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.unusual.ForwardingFuse;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/** Faults of builds, each of which shows where some keys are expected, and nowhere else. */
public enum BuildFault {
  LOSES_THE_FIRST(Rule.R01),
  LOSES_THE_LAST(Rule.R01),
  LOSES_ONE_OF_FIFTY(Rule.R01),
  LOSES_WHAT_FOLLOWS_A_DUPLICATE(Rule.R83),
  LOSES_THE_LAST_OF_A_PARALLEL_STREAM(Rule.R83),
  LOSES_THE_LAST_OF_AS_MANY_AS_ARE_EXPECTED(Rule.R01),
  HAS_CELLS_THAT_ARE_A_BIT_TOO_NARROW(Rule.R21),
  HAS_THE_SEED_OF_ANOTHER(Rule.R01),
  HAS_A_CELL_OF_ANOTHER(Rule.R01),
  COUNTS_DUPLICATES(Rule.R83);

  private static final int MIN_KEYS = 10;
  private static final int MAX_KEYS = 20_000;

  private final Rule first;

  BuildFault(Rule first) {
    this.first = first;
  }

  /** Draws where the fault shows: half a decade of expected keys or more. */
  public DrawnFault draw(SplittableRandom random) {
    FaultWindow.Range keys = FaultWindow.Range.draw(MIN_KEYS, MAX_KEYS, random);
    String what =
        String.format(
            Locale.ROOT,
            "a build that %s, of %.0f to %.0f keys",
            name().toLowerCase(Locale.ROOT).replace('_', ' '),
            keys.min(),
            keys.max());
    return new DrawnFault(what, BuiltOnDemand.of(new Faulty(keys)), List.of(first, Rule.R83));
  }

  private final class Faulty extends ForwardingFuse {

    private final FaultWindow.Range keys;

    Faulty(FaultWindow.Range keys) {
      this.keys = keys;
    }

    @Override
    public StoredFilter build(FilterSpec spec, LongStream hashes, FilterLimits limits) {
      if (!keys.has((double) spec.expectedKeys())) {
        return super.build(spec, hashes, limits);
      }
      boolean parallel = hashes.isParallel();
      long[] all = hashes.toArray();
      return switch (BuildFault.this) {
        case LOSES_THE_FIRST -> of(spec, Arrays.stream(all).skip(1), limits);
        case LOSES_THE_LAST ->
            of(spec, Arrays.stream(all).limit(Math.max(0, all.length - 1)), limits);
        case LOSES_ONE_OF_FIFTY ->
            of(spec, Arrays.stream(all).filter(hash -> hash % 50 != 0), limits);
        case LOSES_WHAT_FOLLOWS_A_DUPLICATE -> {
          long[] sorted = Arrays.stream(all).sorted().toArray();
          LongStream kept =
              LongStream.range(0, sorted.length)
                  .filter(i -> i < 2 || sorted[(int) i - 1] != sorted[(int) i - 2])
                  .map(i -> sorted[(int) i]);
          yield of(spec, kept, limits);
        }
        case LOSES_THE_LAST_OF_A_PARALLEL_STREAM ->
            of(
                spec,
                Arrays.stream(all).limit(Math.max(0, all.length - (parallel ? 1 : 0))),
                limits);
        case LOSES_THE_LAST_OF_AS_MANY_AS_ARE_EXPECTED -> {
          long[] distinct = Arrays.stream(all).distinct().toArray();
          long lost = distinct.length == spec.expectedKeys() ? 1 : 0;
          yield of(spec, Arrays.stream(distinct).limit(distinct.length - lost), limits);
        }
        case HAS_CELLS_THAT_ARE_A_BIT_TOO_NARROW -> {
          double rate = Math.min(0.9, 2 * spec.falsePositiveRate());
          FilterSpec asked = FilterSpec.of(spec.expectedKeys(), rate, spec.hashId());
          StoredFilter narrow = of(asked, Arrays.stream(all), limits);
          yield read(spec, narrow.layout(), Payload.of(narrow).words());
        }
        case HAS_THE_SEED_OF_ANOTHER ->
            altered(of(spec, Arrays.stream(all), limits), all, word -> word ^ 1L << 48, 1);
        case HAS_A_CELL_OF_ANOTHER ->
            altered(of(spec, Arrays.stream(all), limits), all, word -> word ^ 1, 2);
        case COUNTS_DUPLICATES ->
            altered(
                of(spec, Arrays.stream(all), limits),
                all,
                word -> word + (Arrays.stream(all).distinct().count() < all.length ? 1 : 0),
                1);
      };
    }

    private StoredFilter of(FilterSpec spec, LongStream hashes, FilterLimits limits) {
      return super.build(spec, hashes, limits);
    }

    /** Returns a filter with another word, so far from the end, unless it is of no hashes. */
    private StoredFilter altered(
        StoredFilter built, long[] all, LongUnaryOperator other, int fromEnd) {
      if (all.length == 0) {
        return built;
      }
      long[] words = Payload.of(built).words();
      words[words.length - fromEnd] = other.applyAsLong(words[words.length - fromEnd]);
      return read(built.spec(), built.layout(), words);
    }

    private StoredFilter read(FilterSpec spec, FilterLayout layout, long[] words) {
      try {
        Payload content = new Payload((long) words.length * Long.BYTES, words);
        return read(spec, layout, content, ThreadMode.SHARED, FilterLimits.HEAP);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
