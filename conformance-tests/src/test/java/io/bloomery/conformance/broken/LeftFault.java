package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.FaultWindow.Sense;
import io.bloomery.conformance.broken.WrappedFilter.Habit;
import io.bloomery.conformance.broken.WrappedProvider.Kind;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** What a call that was refused or interrupted can leave behind. */
public enum LeftFault {
  CREATE(Rule.R23, Rule.R78, Rule.R38),
  PUT(Rule.R78, Rule.R72),
  MERGE(Rule.R30, Rule.R81),
  RANGE(Rule.R26),
  NULL(Rule.R48),
  INTERRUPT(Rule.R10, Rule.R09);

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Rule> first;

  LeftFault(Rule... first) {
    this.first = List.of(first);
  }

  /** A call of a filter that goes wrong afterwards, or that an interrupt disturbs. */
  enum Call {
    ASK,
    SELECT,
    PUT,
    PUT_ALL,
    STATS,
    COPY,
    CLEAR,
    MERGE,
    REMOVE,
    COUNT
  }

  /** What is refused by a provider. */
  private enum Refused {
    HEAP,
    LIMIT,
    CONTENT
  }

  public DrawnFault draw(SplittableRandom random) {
    return this == CREATE ? drawProvider(random) : drawFilter(random);
  }

  private DrawnFault drawFilter(SplittableRandom random) {
    Kind kind =
        switch (this) {
          case PUT -> MemoryFault.one(random, List.of(Kind.GROWING, Kind.FULL));
          case MERGE -> MemoryFault.one(random, List.of(Kind.STANDARD, Kind.COUNTING));
          default -> MemoryFault.one(random, List.of(Kind.STANDARD, Kind.COUNTING, Kind.GROWING));
        };
    FaultWindow window =
        this == PUT || this == MERGE
            ? FaultWindow.EVERYWHERE
            : MemoryFault.window(kind, random, Sense.MODE);
    List<Call> calls =
        switch (kind) {
          case STANDARD -> List.of(Call.values()).subList(0, Call.REMOVE.ordinal());
          case COUNTING -> List.of(Call.values());
          default -> List.of(Call.values()).subList(0, Call.MERGE.ordinal());
        };
    Call call = MemoryFault.one(random, calls);
    boolean isForEver = random.nextBoolean();
    boolean isStatus = this == INTERRUPT && random.nextBoolean();
    Call by = MemoryFault.one(random, calls); // interrupted
    WrappedProvider provider =
        new WrappedProvider(
            kind.provider, window, spec -> new Left(this, call, by, isForEver, isStatus));
    return new DrawnFault(
        String.format(
            Locale.ROOT,
            "left behind: by a refused %s%s, %s [%s] of %s filters",
            this,
            this == INTERRUPT ? "ed " + by : "",
            isStatus ? "no status" : (isForEver ? "every later " : "the next ") + call,
            window,
            kind),
        provider,
        first);
  }

  /** Makes a call go wrong once something was refused, until it is cleared, or once. */
  private static final class Left extends Habit {
    private final LeftFault fault;
    private final Call wrong;
    private final Call interrupted;
    private final boolean isForEver;
    private final boolean isStatus;
    private boolean isLeft;

    Left(LeftFault fault, Call wrong, Call interrupted, boolean isForEver, boolean isStatus) {
      this.fault = fault;
      this.wrong = wrong;
      this.interrupted = interrupted;
      this.isForEver = isForEver;
      this.isStatus = isStatus;
    }

    private boolean isWrong(Call call) {
      boolean wrongNow = isLeft && call == wrong;
      if (wrongNow && !isForEver) {
        isLeft = false;
      }
      if (call == interrupted && fault == INTERRUPT && Thread.currentThread().isInterrupted()) {
        if (isStatus) {
          Thread.interrupted();
        } else {
          isLeft = true;
        }
      }
      return wrongNow;
    }

    private <T> T called(LeftFault cause, Supplier<T> call) {
      try {
        return call.get();
      } catch (FilterFullException e) {
        isLeft |= fault == PUT;
        throw e;
      } catch (NullPointerException e) {
        isLeft |= fault == NULL;
        throw e;
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        isLeft |= fault == cause;
        throw e;
      }
    }

    @Override
    boolean put(WrappedFilter filter, long hash) {
      return isWrong(Call.PUT) ? !filter.inner.mightContain(hash) : putRight(filter, hash);
    }

    private boolean putRight(WrappedFilter filter, long hash) {
      return called(PUT, () -> super.put(filter, hash));
    }

    @Override
    int putAll(WrappedFilter filter, long[] hashes, int from, int to) {
      int skipped = from < to && isWrong(Call.PUT_ALL) ? 1 : 0;
      return called(RANGE, () -> super.putAll(filter, hashes, from, to - skipped));
    }

    @Override
    boolean ask(WrappedFilter filter, long hash) {
      return !isWrong(Call.ASK) && super.ask(filter, hash);
    }

    @Override
    int select(WrappedFilter filter, long[] hashes, int from, int to, int[] hits) {
      boolean wrongNow = from < to && isWrong(Call.SELECT);
      int found = called(RANGE, () -> super.select(filter, hashes, from, to, hits));
      return wrongNow ? 0 : found;
    }

    @Override
    FilterStats stats(WrappedFilter filter) {
      FilterStats stats = super.stats(filter);
      return isWrong(Call.STATS) ? stats.toBuilder().approximateKeys(1_000_007).build() : stats;
    }

    @Override
    Filter copy(WrappedFilter filter) {
      Filter copy = super.copy(filter);
      if (isWrong(Call.COPY)) {
        copy.clear();
      }
      return copy;
    }

    @Override
    void clear(WrappedFilter filter) {
      if (!isWrong(Call.CLEAR)) {
        super.clear(filter);
      }
      isLeft = false;
    }

    @Override
    void merge(WrappedFilter filter, Filter other) {
      boolean wrongNow = other != null && isWrong(Call.MERGE);
      called(
          MERGE,
          () -> {
            if (!wrongNow) {
              super.merge(filter, other);
            }
            return 0;
          });
    }

    @Override
    boolean remove(WrappedFilter filter, long hash) {
      return isWrong(Call.REMOVE) ? filter.inner.mightContain(hash) : super.remove(filter, hash);
    }

    @Override
    int removeAll(WrappedFilter filter, long[] hashes, int from, int to) {
      return called(RANGE, () -> super.removeAll(filter, hashes, from, to));
    }

    @Override
    long count(WrappedFilter filter, long hash) {
      return isWrong(Call.COUNT) ? 0 : super.count(filter, hash);
    }
  }

  private DrawnFault drawProvider(SplittableRandom random) {
    Kind kind = MemoryFault.one(random, List.of(Kind.STANDARD, Kind.COUNTING, Kind.GROWING));
    Refused refused = MemoryFault.one(random, List.of(Refused.values()));
    boolean isForEver = random.nextBoolean();
    boolean throwsIt = random.nextBoolean();
    return new DrawnFault(
        String.format(
            Locale.ROOT,
            "left behind: by a refused %s, %s %s of %s filters",
            refused,
            isForEver ? "every later create" : "the next create",
            throwsIt ? "throws" : "is for half the keys",
            kind),
        new Refusing(kind, refused, isForEver, throwsIt),
        first);
  }

  private static final class Refusing extends WrappedProvider {
    private final Refused refused;
    private final boolean isForEver;
    private final boolean throwsIt;
    private final ThreadLocal<Boolean> isLeft = ThreadLocal.withInitial(() -> false);

    Refusing(Kind kind, Refused refused, boolean isForEver, boolean throwsIt) {
      super(kind.provider, FaultWindow.EVERYWHERE, spec -> new Habit());
      this.refused = refused;
      this.isForEver = isForEver;
      this.throwsIt = throwsIt;
    }

    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      Filter filter;
      try {
        filter = super.create(spec, mode, limits);
      } catch (IllegalArgumentException e) {
        boolean isOfLimit = !limits.equals(FilterLimits.HEAP);
        if (refused == (isOfLimit ? Refused.LIMIT : Refused.HEAP)) {
          isLeft.set(true);
        }
        throw e;
      }
      if (!isLeft.get()) {
        return filter;
      }
      isLeft.set(isForEver);
      if (throwsIt) {
        throw new IllegalArgumentException("the heap must have more room than a moment ago");
      }
      FilterSpec half =
          FilterSpec.of(
              Math.max(1, spec.expectedKeys() / 2), spec.falsePositiveRate(), spec.hashId());
      Filter small = inner.create(half, mode);
      try {
        return read(spec, small.layout(), Payload.of(small).reread(), mode, limits);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      try {
        return super.read(spec, layout, in, mode, limits);
      } catch (FilterFormatException e) {
        if (refused == Refused.CONTENT) {
          isLeft.set(true);
        }
        throw e;
      }
    }
  }
}
