package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.kit.DrawnAttributes;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyForm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.text.Normalizer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Faults in keeping attributes, and in merging by them. */
public final class BrokenAttributes {

  private BrokenAttributes() {}

  public static List<Broken> all() {
    return List.of(
        fault(
            Rule.R77,
            "filters are created without attributes",
            Patch.create((right, spec, mode, limits) -> right.create(without(spec), mode, limits))),
        fault(
            Rule.R77,
            "filters are planned without attributes",
            Patch.plan((right, spec) -> right.plan(without(spec)))),
        fault(
            Rule.R77,
            "copies have no attributes",
            FaultWindow.EVERYWHERE.after(Step.COPY),
            Patch.spec((filter, spec) -> without(spec))),
        fault(
            Rule.R77,
            "what is read has no attributes",
            TableFault.READ_FORGETS_ATTRIBUTES.everywhere()),
        fault(
            Rule.R77,
            "attributes are brought to another form of Unicode",
            Patch.create(
                (right, spec, mode, limits) -> {
                  Map<String, String> attributes = new TreeMap<>(spec.attributes());
                  attributes.replaceAll(
                      (name, text) -> Normalizer.normalize(text, Normalizer.Form.NFC));
                  return right.create(spec.withAttributes(attributes), mode, limits);
                })),
        fault(
            Rule.R77,
            "a merge takes over the attributes",
            Patch.spec(
                (filter, spec) ->
                    filter.kept instanceof FilterSpec taken
                        ? spec.withAttributes(taken.attributes())
                        : spec),
            Patch.merge(
                (filter, other) -> {
                  filter.rightMerge(other);
                  filter.kept = other.spec();
                })),
        fault(
            Rule.R81,
            "merges filters of other key forms",
            Patch.incompatibility(
                (filter, other) -> filter.rightIncompatibility(recast(filter, other))),
            Patch.merge((filter, other) -> filter.rightMerge(recast(filter, other)))),
        fault(
            Rule.R81,
            "merges other key forms, and refuses then",
            Patch.merge(
                (filter, other) -> {
                  filter.rightMerge(recast(filter, other));
                  filter.checkFits(other);
                })),
        fault(
            Rule.R81,
            "an absent key form is not the plain one",
            Patch.refuse(
                (here, there) ->
                    haveEqualForms(here, there)
                        && here.attributes().containsKey(KeyForm.ATTRIBUTE)
                            != there.attributes().containsKey(KeyForm.ATTRIBUTE),
                "attributes differ")),
        fault(
            Rule.R81,
            "does not say which key forms differ",
            Patch.refuse((here, there) -> !haveEqualForms(here, there), "attributes differ")),
        fault(
            Rule.R81,
            "merges filters of equal attributes only",
            Patch.refuse(
                (here, there) ->
                    haveEqualForms(here, there) && !here.attributes().equals(there.attributes()),
                "attributes differ")));
  }

  private static FilterSpec without(FilterSpec spec) {
    return spec.withAttributes(Map.of());
  }

  private static boolean haveEqualForms(FilterSpec here, FilterSpec there) {
    return DrawnAttributes.keyForm(here).equals(DrawnAttributes.keyForm(there));
  }

  /** Returns the same filter as if its attributes were those of another one. */
  private static Filter recast(PatchedFilter like, Filter other) {
    if (!(other instanceof PatchedFilter patched)) {
      return other;
    }
    FilterSpec alike = other.spec().withAttributes(like.spec().attributes());
    Payload content = Payload.of(patched.inner).reread();
    try {
      return like.provider.read(alike, other.layout(), content, like.mode, FilterLimits.HEAP);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
