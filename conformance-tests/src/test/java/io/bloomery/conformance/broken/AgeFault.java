package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * What can go wrong in a filter that has become old: one that was asked, copied or filled a lot.
 */
public enum AgeFault {
  PUT_LOSES_ITS_HASH(Rule.R01, Rule.R03),
  QUERY_FINDS_NOTHING(Rule.R01, Rule.R03),
  PUT_ALL_SKIPS_ITS_LAST(Rule.R24, Rule.R10),
  SELECT_LOSES_ITS_LAST_HIT(Rule.R25),
  COPY_LOSES_A_WORD(Rule.R08),
  CLEAR_DOES_NOTHING(Rule.R07),
  STATS_COUNT_ONE_MORE(Rule.R07, Rule.R32, Rule.R08),
  WRITE_LOSES_A_WORD(Rule.R32, Rule.R10),
  MERGE_DOES_NOTHING(Rule.R27),
  /** In a batch: what follows a long run of one hash is lost. */
  RUN_OF_PUTS_HIDES_THE_REST(Rule.R24),
  RUN_OF_HITS_HIDES_THE_REST(Rule.R25);

  /** By what a filter becomes old, and how often at most that is done. */
  private enum By {
    QUERIES(70_000),
    SELECTS(70_000),
    REPEATED_PUTS(1 << 20),
    BATCHES(66_000),
    STATS(300),
    CLEARS(66_000),
    COPIES(300),
    WRITES(300),
    MERGES(300),
    NEW_HASHES(130_000),
    /** As many times the expected keys, in tenths. */
    FILL(60);

    private final int most;

    By(int most) {
      this.most = most;
    }
  }

  /** The content up to which 66,000 clears cost little. */
  private static final int SMALL = 512;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Rule> first;

  AgeFault(Rule... first) {
    this.first = List.of(first);
  }

  private record Drawn(AgeFault fault, By by, int from, FaultWindow window) {}

  public DrawnFault draw(SplittableRandom random) {
    By by = By.values()[random.nextInt(By.values().length)];
    if (this == RUN_OF_PUTS_HIDES_THE_REST || this == RUN_OF_HITS_HIDES_THE_REST) {
      by = By.BATCHES;
    }
    int from =
        switch (by) {
          case FILL -> 32 + random.nextInt(by.most - 32);
          case STATS, COPIES, WRITES, MERGES -> 200 + random.nextInt(by.most - 200);
          default -> {
            int[] powers = {1 << 8, 1 << 15, 1 << 16, by.most};
            yield random.nextBoolean()
                ? Math.min(by.most, powers[random.nextInt(powers.length)])
                : (int) (200 * Math.pow(by.most / 200.0, random.nextDouble()));
          }
        };
    FaultWindow window =
        switch (by) {
          case CLEARS -> FaultWindow.bytes(0, SMALL);
          case NEW_HASHES -> FaultWindow.EVERYWHERE;
          case STATS, COPIES, WRITES, MERGES -> FaultWindow.bytes(0, 1 << 12);
          default -> random.nextBoolean() ? FaultWindow.EVERYWHERE : FaultWindow.keys(1, 3_000);
        };
    Drawn drawn = new Drawn(this, by, from, window);
    String what =
        String.format(
            Locale.ROOT,
            "%s [%s] after %,d %s",
            name().toLowerCase(Locale.ROOT).replace('_', ' '),
            window,
            from,
            by.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    PatchedProvider provider =
        PatchedProvider.of(
            (patched, inner, mode) ->
                drawn.window.has(inner.spec(), inner.payloadSize())
                    ? new Aging(patched, inner, mode, drawn)
                    : new PatchedFilter(patched, inner, mode));
    return new DrawnFault(what, provider, first);
  }

  private static final class Aging extends PatchedFilter {
    private final Drawn drawn;
    private int age;
    private int newHashes;

    Aging(PatchedProvider provider, MergeableFilter inner, ThreadMode mode, Drawn drawn) {
      super(provider, inner, mode);
      this.drawn = drawn;
    }

    private boolean is(AgeFault wanted) {
      if (drawn.fault != wanted) {
        return false;
      }
      return switch (drawn.by) {
        case FILL -> newHashes >= drawn.from * spec().expectedKeys() / 10;
        case NEW_HASHES -> newHashes >= drawn.from;
        default -> age >= drawn.from;
      };
    }

    private void ages(By by) {
      age += drawn.by == by ? 1 : 0;
    }

    @Override
    public boolean put(long hash) {
      if (inner.mightContain(hash)) {
        ages(By.REPEATED_PUTS);
      } else if (is(PUT_LOSES_ITS_HASH)) {
        return true;
      }
      newHashes += hash == last ? 0 : 1;
      last = hash;
      return inner.put(hash);
    }

    @Override
    public boolean mightContain(long hash) {
      ages(By.QUERIES);
      return inner.mightContain(hash) && !is(QUERY_FINDS_NOTHING);
    }

    /** Returns the end of the first run of one hash that is as long as the fault needs. */
    private int endOfRun(AgeFault fault, long[] hashes, int from, int to) {
      int run = 0;
      for (int i = from; drawn.fault == fault && i < to; i++) {
        run = i > from && hashes[i] == hashes[i - 1] ? run + 1 : 1;
        if (run >= drawn.from) {
          return i + 1;
        }
      }
      return to;
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      ages(By.BATCHES);
      Objects.checkFromToIndex(from, to, hashes.length);
      int end = endOfRun(RUN_OF_PUTS_HIDES_THE_REST, hashes, from, to);
      return putEach(hashes, from, is(PUT_ALL_SKIPS_ITS_LAST) && from < end ? end - 1 : end);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      ages(By.SELECTS);
      int found = inner.select(hashes, from, to, hits);
      int end = endOfRun(RUN_OF_HITS_HIDES_THE_REST, hashes, from, to);
      while (found > 0 && hits[found - 1] >= end) {
        found--;
      }
      return found > 0 && is(SELECT_LOSES_ITS_LAST_HIT) ? found - 1 : found;
    }

    @Override
    public FilterStats stats() {
      ages(By.STATS);
      FilterStats stats = inner.stats();
      return is(STATS_COUNT_ONE_MORE) && stats.setBits() < stats.sizeInBits()
          ? stats.toBuilder().setBits(stats.setBits() + 1).build()
          : stats;
    }

    @Override
    public Filter copy() {
      ages(By.COPIES);
      Aging copy = (Aging) super.copy();
      if (is(COPY_LOSES_A_WORD)) {
        copy.inner.clear();
      }
      copy.age = drawn.by == By.COPIES ? age : 0;
      copy.newHashes = newHashes;
      return copy;
    }

    @Override
    public void clear() {
      ages(By.CLEARS);
      if (!is(CLEAR_DOES_NOTHING)) {
        super.clear();
        newHashes = 0;
      }
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      ages(By.WRITES);
      if (!is(WRITE_LOSES_A_WORD)) {
        inner.writePayload(out);
        return;
      }
      long[] words = Payload.of(inner).words();
      for (int i = words.length - 1; i >= 0; i--) {
        if (words[i] != 0) {
          words[i] = 0;
          break;
        }
      }
      out.begin((long) Long.BYTES * words.length);
      out.writeLongs(words, 0, words.length);
    }

    @Override
    public void putAll(Filter other) {
      ages(By.MERGES);
      checkFits(other);
      if (!is(MERGE_DOES_NOTHING)) {
        super.putAll(other);
      }
    }
  }
}
