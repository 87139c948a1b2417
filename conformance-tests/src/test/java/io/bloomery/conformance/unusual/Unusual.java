package io.bloomery.conformance.unusual;

import io.bloomery.conformance.broken.BrokenLimits;
import io.bloomery.conformance.broken.CountingReference;
import io.bloomery.conformance.broken.ForwardingFilter;
import io.bloomery.conformance.broken.GrowingReference;
import io.bloomery.conformance.broken.Patch;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.conformance.broken.ReferenceProvider;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * A provider that does things in a way of its own, and keeps every rule.
 *
 * @param way what is unusual, in a few words
 * @param provider makes it
 */
public record Unusual(String way, Supplier<FilterProvider> provider) {

  /** Returns all of them. */
  public static List<Unusual> all() {
    return List.of(
        unusual("twice the bits", Larger::new),
        unusual("a power of two of words", PowerOfTwo::new),
        unusual("multiples of 512 bits", () -> new UnusualTables.RoundedUp(512)),
        unusual("multiples of 4,096 bits", () -> new UnusualTables.RoundedUp(4_096)),
        unusual("at most four probes", () -> new UnusualTables.OtherProbes(4, 1)),
        unusual("twice the probes", () -> new UnusualTables.OtherProbes(64, 2)),
        unusual("a plan by trial", UnusualTables.PlansByTrial::new),
        unusual("no rate below 0.001", () -> new UnusualTables.Refusing(Long.MAX_VALUE, 1e-3)),
        unusual("no more than 10^6 keys", () -> new UnusualTables.Refusing(1_000_000, 0)),
        unusual("no more than it must", () -> new UnusualTables.Refusing(1_000_000, 1e-3)),
        unusual("only filters of one spec merge", UnusualTables.LayoutHasTheSpec::new),
        unusual("the table backwards, with names", UnusualTables.Mirrored::new),
        unusual("remainders of mixed hashes", Remainders::new),
        unusual("one hash that is cut", UnusualTables.SplitHash::new),
        unusual("equal steps", () -> new UnusualTables.Steps(false)),
        unusual("steps that become longer", () -> new UnusualTables.Steps(true)),
        unusual("a slice for each probe", UnusualTables.Sliced::new),
        unusual("a word that is not used", UnusualTables.UnusedWord::new),
        unusual("blocks of 64 bits", () -> new UnusualTables.Blocks(64, 4, 1e-3)),
        unusual("blocks of 256 bits", () -> new UnusualTables.Blocks(256, 8, 1e-9)),
        unusual("blocks of 512 bits", () -> new UnusualTables.Blocks(512, 8, 1e-9)),
        unusual(
            "words and bytes backwards on file",
            () -> new UnusualFilters.Rewritten(UnusualFilters::backwards)),
        unusual(
            "zeros for ones on file", () -> new UnusualFilters.Rewritten(UnusualFilters::negative)),
        unusual("no capability", Plain::new),
        unusual("a limit", () -> PatchedProvider.of(BrokenLimits.Limited::new)),
        unusual("always shared", UnusualFilters.AlwaysShared::new),
        unusual("one lock", () -> PatchedProvider.of(UnusualFilters.OneLock::new)),
        unusual(
            "batches backwards", () -> PatchedProvider.of(UnusualFilters.SelectsBackwards::new)),
        unusual(
            "no merge with itself",
            () ->
                PatchedProvider.with(
                    Patch.refuseFilters(
                        (filter, other) -> filter == other, "it is the same filter"))),
        unusual("no word of itself", () -> PatchedProvider.with(Patch.text((filter, text) -> ""))),
        unusual("content shared with copies", UnusualFilters.CopyOnWrite.Provider::new),
        unusual(
            "an int for each count", () -> new CountingReference.Provider(CountingReference::new)),
        unusual("positions counted twice", () -> new CountingReference.Provider(CountsShared::new)),
        unusual(
            "layers at half the rate", () -> new GrowingReference.Provider(GrowingReference::new)),
        unusual(
            "layers at a quarter of the rate",
            () -> new GrowingReference.Provider(GrowingReference::new, 0.25)),
        unusual(
            "growth up to a limit",
            () -> new GrowingReference.Provider(UnusualFilters.GrowsToALimit::new)),
        unusual("a table outside the heap", UnusualFilters.OffHeap::new));
  }

  private static Unusual unusual(String way, Supplier<FilterProvider> provider) {
    return new Unusual(way, provider);
  }

  /** Takes twice the bits it needs, and says so. */
  public static final class Larger extends ReferenceProvider {
    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = TableLayout.smallest(spec);
      return TableLayout.ofBits(2 * layout.bits()).withProbes(layout.probes());
    }
  }

  /** Rounds the number of words up to a power of two. */
  static final class PowerOfTwo extends ReferenceProvider {
    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = TableLayout.smallest(spec);
      long half = Long.highestOneBit(layout.bits() - 1);
      return TableLayout.ofBits(Math.max(Long.SIZE, 2 * half)).withProbes(layout.probes());
    }
  }

  /** Mixes the hash anew for each probe, and takes remainders. */
  static final class Remainders extends ReferenceProvider {
    @Override
    protected long position(long hash, int i, long bits) {
      long mixed = (hash + i) * 0xbf58476d1ce4e5b9L;
      mixed = (mixed ^ mixed >>> 31) * 0x94d049bb133111ebL;
      return Long.remainderUnsigned(mixed ^ mixed >>> 29, bits);
    }
  }

  /** Has no capability beyond those of every filter. */
  public static final class Plain implements FilterProvider {
    private final FilterProvider inner = new ReferenceProvider();

    @Override
    public String variant() {
      return inner.variant();
    }

    @Override
    public Class<? extends Filter> filterType() {
      return Filter.class;
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      return inner.plan(spec);
    }

    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      return new PlainFilter(inner.create(spec, mode, limits));
    }

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      return new PlainFilter(inner.read(spec, layout, in, mode, limits));
    }
  }

  private static final class PlainFilter extends ForwardingFilter<Filter> {
    private final Filter inner;

    PlainFilter(Filter inner) {
      this.inner = inner;
    }

    @Override
    protected Filter inner() {
      return inner;
    }

    @Override
    public Filter copy() {
      return new PlainFilter(inner.copy());
    }
  }

  /** Counts a position as often as probes fall on it, both when putting and when removing. */
  static final class CountsShared extends CountingReference {
    CountsShared(Shape shape) {
      super(shape);
    }

    @Override
    protected int[] positions(long hash) {
      return probes(hash);
    }
  }
}
