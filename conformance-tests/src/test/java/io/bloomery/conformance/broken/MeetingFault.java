package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A call that keeps what it works on in one place for all threads. Another call, of another thread
 * and perhaps of another filter, overwrites it; calls of the same kind wait for each other, unless
 * they are those that meet.
 */
public enum MeetingFault {
  READ,
  MAP,
  CHECK,
  WRITE,
  SELECT,
  PUT_ALL,
  PLAN,
  CREATE;

  /** Calls that overwrite what is kept. */
  private enum Other {
    READ,
    MAP,
    CHECK,
    WRITE,
    SELECT,
    PUT_ALL,
    COPY,
    STATS,
    MERGE,
    PLAN,
    CREATE
  }

  public DrawnFault draw(SplittableRandom random) {
    // Specs are overwritten by calls with specs, and words and hashes by all others.
    boolean isOfSpecs = this == PLAN || this == CREATE;
    List<Other> others = List.of(Other.values());
    List<Other> possible = isOfSpecs ? others.subList(9, 11) : others.subList(0, 9);
    Other other = possible.get(random.nextInt(possible.size()));
    String what =
        name().toLowerCase(Locale.ROOT)
            + " loses what it works on to "
            + other.name().toLowerCase(Locale.ROOT);
    return new DrawnFault(
        what,
        PatchedProvider.with(new Place(this, other)),
        List.of(Rule.R74, Rule.R42, Rule.R68, Rule.R69));
  }

  /** The one place. */
  private static final class Place implements Patch {
    private static final long[] NOTHING = {};
    private final MeetingFault fault;
    private final Other other;
    private final Gap gap = new Gap();
    private final AtomicReference<Object> kept = new AtomicReference<>(NOTHING);
    private final Object lock = new Object();

    Place(MeetingFault fault, Other other) {
      this.fault = fault;
      this.other = other;
    }

    /** Keeps something for a moment, and returns what is there then. */
    private <T> T through(MeetingFault call, T mine, Class<T> type) {
      if (fault != call) {
        passes(Other.valueOf(call.name()), mine);
        return mine;
      }
      if (other.name().equals(call.name())) {
        return exchanged(mine, type);
      }
      synchronized (lock) {
        return exchanged(mine, type);
      }
    }

    private <T> T exchanged(T mine, Class<T> type) {
      kept.set(mine);
      gap.letOtherThreadChange(mine, kept::get);
      Object found = kept.get();
      return type.isInstance(found) ? type.cast(found) : mine;
    }

    private void passes(Other call, Object mine) {
      if (other == call) {
        kept.set(mine);
      }
    }

    private PayloadInput through(MeetingFault call, PayloadInput in) {
      return new PatchedInput(in) {
        @Override
        public long[] readLongs(long count) throws IOException {
          return through(call, super.readLongs(count), long[].class);
        }

        private long[] through(MeetingFault wanted, long[] words, Class<long[]> type) {
          return Place.this.through(wanted, words, type);
        }
      };
    }

    @Override
    public void accept(Calls calls) {
      calls.read =
          (right, spec, layout, in, mode, limits) ->
              right.read(spec, layout, through(READ, in), mode, limits);
      calls.map = (right, spec, layout, in) -> right.map(spec, layout, through(MAP, in));
      calls.check = (right, spec, layout, in) -> right.check(spec, layout, through(CHECK, in));
      calls.write =
          (filter, out) -> {
            long[] mine = Payload.of(filter.inner).words();
            long[] words = through(WRITE, mine, long[].class);
            out.begin((long) Long.BYTES * mine.length);
            out.writeLongs(words, 0, mine.length);
          };
      calls.select =
          (filter, hashes, from, to, hits) ->
              filter.inner.select(through(SELECT, hashes, long[].class), from, to, hits);
      calls.putAll =
          (filter, hashes, from, to) ->
              filter.inner.putAll(through(PUT_ALL, hashes, long[].class), from, to);
      calls.copy =
          filter -> {
            passes(Other.COPY, new long[1]);
            return filter.rightCopy();
          };
      calls.stats =
          (filter, stats) -> {
            passes(Other.STATS, new long[1]);
            return stats;
          };
      calls.merge =
          (filter, from) -> {
            passes(Other.MERGE, new long[1]);
            filter.rightMerge(from);
          };
      calls.plan = (right, spec) -> right.plan(through(PLAN, spec, FilterSpec.class));
      calls.create =
          (right, spec, mode, limits) ->
              right.create(through(CREATE, spec, FilterSpec.class), mode, limits);
    }
  }
}
