package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.FaultWindow.Range;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** What can be wrong with the numbers of a plan, beyond those that filters are built for. */
public enum NumberFault {
  RATE_EXCEEDS_ONE(Kind.BEYOND),
  RATE_IS_NO_NUMBER(Kind.BEYOND),
  RATE_IS_NEGATIVE(Kind.BEYOND),
  RATE_FALLS(Kind.BEYOND),
  RATE_IS_MISSED(Kind.LARGE),
  BITS_ARE_TOO_FEW(Kind.LARGE),
  BITS_ARE_TOO_MANY(Kind.LARGE),
  BITS_OVERFLOW(Kind.LARGE),
  PROBES_ARE_TOO_MANY(Kind.LARGE),
  HEAP_IS_NEGATIVE(Kind.LARGE),
  BITS_PER_KEY_DIFFER(Kind.ANY),
  HEAP_IS_TOO_HIGH(Kind.BUILT),
  HEAP_IS_TOO_LOW(Kind.BUILT),
  CREATE_TAKES_MORE(Kind.BUILT),
  COPY_TAKES_MORE(Kind.BUILT);

  /** Where a number is wrong. */
  private enum Kind {
    /** For many more keys than expected. */
    BEYOND,
    /** For plans of at least 10^6 keys, up to 10^10. */
    LARGE,
    /** In any decade. */
    ANY,
    /** In filters of at least 256 KiB. */
    BUILT
  }

  private static final long FIXED = 256 << 10;

  private final Kind kind;

  NumberFault(Kind kind) {
    this.kind = kind;
  }

  public DrawnFault draw(SplittableRandom random) {
    double factor =
        kind == Kind.BEYOND
            ? 5 * Math.pow(2e5, random.nextDouble())
            : 2.2 + 2 * random.nextDouble();
    double from = kind == Kind.LARGE ? 1e6 * Math.pow(1e4, random.nextDouble()) : 0;
    FaultWindow window =
        switch (kind) {
          case BEYOND, ANY -> FaultWindow.EVERYWHERE.withKeys(Range.draw(1, 1e10, random));
          case LARGE -> FaultWindow.keys(from, Double.MAX_VALUE);
          case BUILT -> FaultWindow.bytesFrom(FIXED);
        };
    FilterProvider provider =
        PatchedProvider.with(
            window,
            Patch.plan(
                (right, spec) -> {
                  FilterPlan plan = right.plan(spec);
                  return window.has(spec, plan.sizeInBits() / Byte.SIZE)
                      ? new Wrong(plan, factor)
                      : plan;
                }),
            Patch.create(
                (right, spec, mode, limits) -> {
                  PatchedFilter created = (PatchedFilter) right.create(spec, mode, limits);
                  if (this == CREATE_TAKES_MORE && window.has(spec, created.payloadSize())) {
                    created.kept = more(created, factor);
                  }
                  return created;
                }),
            Patch.copy(
                filter -> {
                  PatchedFilter copy = filter.rightCopy();
                  if (this == COPY_TAKES_MORE) {
                    copy.kept = more(copy, factor);
                  }
                  return copy;
                }));
    String what =
        String.format(
            Locale.ROOT,
            "%s [%s], factor %.3g",
            name().toLowerCase(Locale.ROOT).replace('_', ' '),
            window,
            factor);
    return new DrawnFault(
        what,
        provider,
        kind == Kind.BUILT ? List.of(Rule.R21, Rule.R18) : List.of(Rule.R18, Rule.R21));
  }

  private static long[] more(PatchedFilter filter, double factor) {
    return new long[(int) (factor * filter.payloadSize() / Long.BYTES)];
  }

  private final class Wrong extends PatchedPlan {
    private final double factor;

    Wrong(FilterPlan plan, double factor) {
      super(plan);
      this.factor = factor;
    }

    private boolean is(NumberFault wanted) {
      return NumberFault.this == wanted;
    }

    @Override
    public double falsePositiveRate(long keys) {
      double rate = super.falsePositiveRate(keys);
      if (is(RATE_IS_MISSED)) {
        return Math.min(1, 1.2 * rate);
      }
      if (kind != Kind.BEYOND || keys < factor * spec().expectedKeys()) {
        return rate;
      }
      return switch (NumberFault.this) {
        case RATE_EXCEEDS_ONE -> 1.5;
        case RATE_IS_NO_NUMBER -> Double.NaN;
        case RATE_IS_NEGATIVE -> -rate;
        default -> rate / 4;
      };
    }

    @Override
    public long sizeInBits() {
      long bits = super.sizeInBits();
      return switch (NumberFault.this) {
        case BITS_ARE_TOO_FEW -> (long) (bits / factor) & -Long.SIZE;
        case BITS_ARE_TOO_MANY -> bits * 8;
        case BITS_OVERFLOW -> (int) bits;
        default -> bits;
      };
    }

    @Override
    public int probes() {
      return is(PROBES_ARE_TOO_MANY) ? 65 : super.probes();
    }

    @Override
    public long heapBytes() {
      long bytes = super.heapBytes();
      return switch (NumberFault.this) {
        case HEAP_IS_NEGATIVE -> -bytes;
        case HEAP_IS_TOO_HIGH -> (long) (bytes * factor);
        case HEAP_IS_TOO_LOW -> (long) (bytes / factor);
        default -> bytes;
      };
    }

    @Override
    public double bitsPerKey() {
      return super.bitsPerKey() * (is(BITS_PER_KEY_DIFFER) ? factor : 1);
    }
  }
}
