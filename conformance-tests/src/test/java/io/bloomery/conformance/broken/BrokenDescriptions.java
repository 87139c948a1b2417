package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** Faults in what providers and filters say of themselves. */
public final class BrokenDescriptions {

  private static final FilterDescription NONE = FilterDescription.of("", "");

  private BrokenDescriptions() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R80, "filters merge, and their type does not say so", new HasType(Filter.class)),
        fault(Rule.R80, "filters are of another type", new HasType(CountingReference.class)),
        fault(Rule.R80, "filters have no type", new HasType(null)),
        fault(Rule.R80, "copies of tables beyond 32 KiB are of another type", CopiesLarge::new),
        fault(Rule.R82, "a part differs from the layout beyond 32 KiB", new TellsOtherBits()),
        fault(Rule.R80, "copies are of another type", CopiesInner::new),
        described("is null", description -> null),
        described("is too long", description -> FilterDescription.of(" ".repeat(201), "")),
        described("breaks its line", description -> FilterDescription.of("bits\n", "")),
        described("has a long cost", description -> FilterDescription.of("", "r".repeat(41))),
        described("has a part without a name", description -> NONE.part("", 1, "parts")),
        described("tells of a number that is nowhere", description -> NONE.meaning("x", "y")),
        fault(Rule.R82, "a description throws", Throws::new),
        fault(Rule.R82, "a description reads the content", ReadsContent::new),
        fault(Rule.R82, "a description differs from that of the plan", Differs::new),
        fault(Rule.R82, "a description changes its words with the content", DependsOnContent::new),
        fault(Rule.R82, "copies are not described", CopiesUndescribed::new),
        fault(Rule.R82, "a mapped filter is not described", new MapsUndescribed()));
  }

  /** Makes a provider whose plans and filters are described alike, and wrongly. */
  private static Broken described(
      String fault, Function<FilterDescription, FilterDescription> wrong) {
    return fault(Rule.R82, "a description " + fault, new Described(wrong));
  }

  private static final class HasType extends PatchedProvider {
    private final Class<? extends Filter> type;

    HasType(Class<? extends Filter> type) {
      this.type = type;
    }

    @Override
    public Class<? extends Filter> filterType() {
      return type;
    }
  }

  private static final class CopiesInner extends PatchedFilter {
    CopiesInner(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Filter copy() {
      return inner.copy();
    }
  }

  private static final class Described extends PatchedProvider {
    private final Function<FilterDescription, FilterDescription> wrong;

    Described(Function<FilterDescription, FilterDescription> wrong) {
      this.wrong = wrong;
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      FilterPlan plan = super.plan(spec);
      return new FilterPlan() {
        @Override
        public FilterSpec spec() {
          return plan.spec();
        }

        @Override
        public String variant() {
          return plan.variant();
        }

        @Override
        public long sizeInBits() {
          return plan.sizeInBits();
        }

        @Override
        public int probes() {
          return plan.probes();
        }

        @Override
        public double falsePositiveRate(long keys) {
          return plan.falsePositiveRate(keys);
        }

        @Override
        public FilterDescription description() {
          return wrong.apply(plan.description());
        }
      };
    }

    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      return new PatchedFilter(this, filter, mode) {
        @Override
        public FilterDescription description() {
          return wrong.apply(super.description());
        }
      };
    }
  }

  private static final class Throws extends PatchedFilter {
    Throws(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public FilterDescription description() {
      throw new UnsupportedOperationException("there are no words for it");
    }
  }

  private static final class ReadsContent extends PatchedFilter {
    ReadsContent(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public FilterDescription description() {
      return inner.copy().description();
    }
  }

  private static final class Differs extends PatchedFilter {
    Differs(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public FilterDescription description() {
      return super.description().part("words", inner.payloadSize() / Long.BYTES, "words of it");
    }
  }

  private static final class DependsOnContent extends PatchedFilter {
    private boolean used;

    DependsOnContent(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      used = true;
      return super.put(hash);
    }

    @Override
    public FilterDescription description() {
      return used ? FilterDescription.of("a table with something in it", "") : super.description();
    }
  }

  private static final class CopiesUndescribed extends PatchedFilter {
    private final boolean copied;

    CopiesUndescribed(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      this(provider, inner, mode, false);
    }

    private CopiesUndescribed(
        PatchedProvider provider, MergeableFilter inner, ThreadMode mode, boolean copied) {
      super(provider, inner, mode);
      this.copied = copied;
    }

    @Override
    public Filter copy() {
      return new CopiesUndescribed(provider, (MergeableFilter) inner.copy(), mode, true);
    }

    @Override
    public FilterDescription description() {
      return copied ? FilterDescription.NONE : super.description();
    }
  }

  private static final class MapsUndescribed extends PatchedProvider {
    @Override
    public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException {
      FilterView view = super.map(spec, layout, in);
      return new FilterView() {
        @Override
        public boolean mightContain(long hash) {
          return view.mightContain(hash);
        }

        @Override
        public FilterStats stats() {
          return view.stats();
        }
      };
    }
  }

  private static final class CopiesLarge extends PatchedFilter {
    CopiesLarge(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Filter copy() {
      return payloadSize() > 1 << 15 ? inner.copy() : super.copy();
    }
  }

  private static final class TellsOtherBits extends PatchedProvider {
    private final Described other =
        new Described(description -> description.part("bits", 64, "bits of the first word"));

    private PatchedProvider of(long bytes) {
      return bytes > 1 << 15 ? other : new PatchedProvider();
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      FilterPlan plan = super.plan(spec);
      return of(plan.sizeInBits() / Byte.SIZE).plan(spec);
    }

    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      return of(filter.payloadSize()).wrap(filter, mode);
    }
  }
}
