package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.DrawnAttributes;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.Normalizer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Faults in keeping attributes, and in merging by them. */
public final class BrokenAttributes {

  private BrokenAttributes() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R77, "filters are created without attributes", new CreatesWithout()),
        fault(Rule.R77, "filters are planned without attributes", new PlansWithout()),
        fault(Rule.R77, "copies have no attributes", CopiesWithout::new),
        fault(Rule.R77, "what is read has no attributes", new ReadsWithout()),
        fault(Rule.R77, "attributes are brought to another form of Unicode", new Normalizes()),
        fault(Rule.R77, "a merge takes over the attributes", TakesOver::new),
        fault(Rule.R77, "clear forgets attributes", ForgetsWhenCleared::new),
        fault(Rule.R81, "merges filters of other key forms", MergesOtherForms::new),
        fault(Rule.R81, "an absent key form is not the plain one", TellsAbsentFromPlain::new),
        fault(Rule.R81, "merges filters of equal attributes only", MergesEqualOnly::new),
        fault(Rule.R81, "does not say which key forms differ", NamesNoForm::new),
        fault(Rule.R81, "merges other key forms, and refuses then", RefusesLate::new));
  }

  private static FilterSpec without(FilterSpec spec) {
    return spec.withAttributes(Map.of());
  }

  private static final class CreatesWithout extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      return super.create(without(spec), mode, limits);
    }
  }

  private static final class PlansWithout extends PatchedProvider {
    @Override
    public FilterPlan plan(FilterSpec spec) {
      return super.plan(without(spec));
    }
  }

  private static final class ReadsWithout extends PatchedProvider {
    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      return super.read(without(spec), layout, in, mode, limits);
    }
  }

  private static final class Normalizes extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      Map<String, String> attributes = new TreeMap<>(spec.attributes());
      attributes.replaceAll((name, text) -> Normalizer.normalize(text, Normalizer.Form.NFC));
      return super.create(spec.withAttributes(attributes), mode, limits);
    }
  }

  /** A filter that says something else of its spec. */
  private static class Restated extends PatchedFilter {
    FilterSpec spec;

    Restated(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
      this.spec = inner.spec();
    }

    @Override
    public final FilterSpec spec() {
      return spec;
    }
  }

  private static final class CopiesWithout extends Restated {
    CopiesWithout(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public Filter copy() {
      CopiesWithout copy = (CopiesWithout) super.copy();
      copy.spec = without(spec);
      return copy;
    }
  }

  private static final class TakesOver extends Restated {
    TakesOver(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      spec = spec.withAttributes(other.spec().attributes());
    }
  }

  private static final class ForgetsWhenCleared extends Restated {
    ForgetsWhenCleared(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void clear() {
      super.clear();
      spec = without(spec);
    }
  }

  private static class MergesOtherForms extends PatchedFilter {
    MergesOtherForms(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    /** Returns the same filter as if its attributes were those of this one. */
    final Filter recast(Filter other) {
      if (!(other instanceof PatchedFilter patched)) {
        return other;
      }
      FilterSpec alike = other.spec().withAttributes(spec().attributes());
      Payload content = Payload.of(patched.inner).reread();
      try {
        return provider.read(alike, other.layout(), content, mode, FilterLimits.HEAP);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(recast(other));
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return super.incompatibility(recast(other));
    }
  }

  private static final class RefusesLate extends MergesOtherForms {
    RefusesLate(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      incompatibility(other)
          .ifPresent(
              reason -> {
                throw new IllegalArgumentException(reason);
              });
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return inner.incompatibility(unwrap(other));
    }
  }

  /** A filter that has another reason to refuse. */
  private abstract static class Refuses extends PatchedFilter {
    Refuses(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    abstract boolean differs(FilterSpec other);

    @Override
    public void putAll(Filter other) {
      incompatibility(other)
          .ifPresent(
              reason -> {
                throw new IllegalArgumentException(reason);
              });
      super.putAll(other);
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return differs(other.spec())
          ? Optional.of("attributes differ")
          : super.incompatibility(other);
    }
  }

  private static final class TellsAbsentFromPlain extends Refuses {
    TellsAbsentFromPlain(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    boolean differs(FilterSpec other) {
      return DrawnAttributes.keyForm(spec()).equals(DrawnAttributes.keyForm(other))
          && spec().attributes().containsKey(KeyForm.ATTRIBUTE)
              != other.attributes().containsKey(KeyForm.ATTRIBUTE);
    }
  }

  private static final class NamesNoForm extends Refuses {
    NamesNoForm(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    boolean differs(FilterSpec other) {
      return !DrawnAttributes.keyForm(spec()).equals(DrawnAttributes.keyForm(other));
    }
  }

  private static final class MergesEqualOnly extends Refuses {
    MergesEqualOnly(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    boolean differs(FilterSpec other) {
      return DrawnAttributes.keyForm(spec()).equals(DrawnAttributes.keyForm(other))
          && !spec().attributes().equals(other.attributes());
    }
  }
}
