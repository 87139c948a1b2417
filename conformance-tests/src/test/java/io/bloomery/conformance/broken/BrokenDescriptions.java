package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import java.util.List;
import java.util.function.UnaryOperator;

/** Faults in what providers and filters say of themselves. */
public final class BrokenDescriptions {

  private static final FilterDescription NONE = FilterDescription.of("", "");
  private static final FaultWindow BEYOND_32_KIB = FaultWindow.bytesFrom((32 << 10) + 1);

  private BrokenDescriptions() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R80, "filters merge, and their type does not say so", new HasType(Filter.class)),
        fault(Rule.R80, "filters are of another type", new HasType(CountingReference.class)),
        fault(Rule.R80, "filters have no type", new HasType(null)),
        fault(
            Rule.R80,
            "copies of tables beyond 32 KiB are of another type",
            BEYOND_32_KIB,
            Patch.copy(filter -> filter.inner.copy())),
        fault(
            Rule.R82,
            "a part differs from the layout beyond 32 KiB",
            BEYOND_32_KIB,
            Patch.plan(
                (right, spec) -> {
                  FilterPlan plan = right.plan(spec);
                  return plan.sizeInBits() > 32 << 13
                      ? described(plan, BrokenDescriptions::withOtherBits)
                      : plan;
                }),
            Patch.description((filter, description) -> withOtherBits(description))),
        described("is null", description -> null),
        described("is too long", description -> FilterDescription.of(" ".repeat(201), "")),
        described("breaks its line", description -> FilterDescription.of("bits\n", "")),
        described("has a long cost", description -> FilterDescription.of("", "r".repeat(41))),
        described("has a part without a name", description -> NONE.part("", 1, "parts")),
        described("tells of a number that is nowhere", description -> NONE.meaning("x", "y")),
        fault(
            Rule.R82,
            "a description throws",
            Patch.description(
                (filter, description) -> {
                  throw new UnsupportedOperationException("there are no words for it");
                })),
        fault(
            Rule.R82,
            "a description reads the content",
            Patch.description((filter, description) -> filter.inner.copy().description())),
        fault(
            Rule.R82,
            "a description differs from that of the plan",
            Patch.description(
                (filter, description) ->
                    description.part("words", filter.payloadSize() / Long.BYTES, "its words"))),
        fault(
            Rule.R82,
            "a description changes its words with the content",
            Patch.description(
                (filter, description) ->
                    filter.last == 0
                        ? description
                        : FilterDescription.of("a table with something in it", ""))),
        fault(
            Rule.R82,
            "copies are not described",
            FaultWindow.EVERYWHERE.after(Step.COPY),
            Patch.description((filter, description) -> FilterDescription.NONE)),
        fault(
            Rule.R82,
            "a mapped filter is not described",
            Patch.map(
                (right, spec, layout, in) ->
                    new PatchedView(right.map(spec, layout, in)) {
                      @Override
                      public FilterDescription description() {
                        return FilterDescription.NONE;
                      }
                    })));
  }

  /** Makes a provider whose plans and filters are described alike, and wrongly. */
  private static Broken described(String fault, UnaryOperator<FilterDescription> wrong) {
    return fault(
        Rule.R82,
        "a description " + fault,
        Patch.plan((right, spec) -> described(right.plan(spec), wrong)),
        Patch.description((filter, description) -> wrong.apply(description)));
  }

  private static FilterPlan described(FilterPlan plan, UnaryOperator<FilterDescription> wrong) {
    return new PatchedPlan(plan) {
      @Override
      public FilterDescription description() {
        return wrong.apply(super.description());
      }
    };
  }

  private static FilterDescription withOtherBits(FilterDescription description) {
    return description.part("bits", 64, "bits of the first word");
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
}
