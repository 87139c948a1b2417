package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.ForAll;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.Allocation;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.MappedWords;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** The rules on descriptions of providers and filters. */
public final class DescriptionRules extends RuleGroup {

  /** The maximum length of a text, so that it fits in one or two lines. */
  private static final int MAX_TEXT = 200;

  /** The maximum length of a name or cost, so that it fits in a column of a table. */
  private static final int MAX_WORDS = 40;

  /**
   * The maximum number of bytes allocated for a description, far below the size of the tables
   * tried.
   */
  private static final long MAX_ALLOCATED = 1 << 16;

  private static final Domain TYPED = Domain.everyFilter().maxPut(1_000).draws(16);

  // Some are so large that reading the content would show in the allocation.
  private static final Domain DESCRIBED =
      Domain.everyFilter()
          .maxPut(5_000)
          .draws(16)
          .edges(List.of(Case.of(1_000_000, 0.01).withPut(5_000).withMode(ThreadMode.SHARED)));

  public DescriptionRules(RuleContext context) {
    super(context);
  }

  public void theTypeOfFiltersIsKnownBeforehand() {
    Class<?> type = BuiltOnDemand.tested(subject().provider()).filterType();
    assertNotNull(type, "type of the filters");
    assertEquals(
        subject().takesPuts(),
        Filter.class.isAssignableFrom(type),
        () -> "whether filters take puts, and whether " + type + " is a Filter");
    assertTrue(StoredFilter.class.isAssignableFrom(type), () -> type + " must be a StoredFilter");
    forAll(
        TYPED,
        subject()
            .builder()
            .<ForAll.Check>map(building -> drawn -> checkTypes(building, drawn))
            .orElse(this::checkTypes));
  }

  private void checkTypes(StaticFilterProvider building, Case drawn) throws IOException {
    Class<? extends StoredFilter> type = building.filterType();
    FilterSpec spec = drawn.spec();
    long[] hashes = new FilledFilter(subject(), drawn).hashes();
    StoredFilter built = building.build(spec, LongStream.of(hashes), FilterLimits.HEAP);
    checkType(type, building.build(spec, LongStream.empty(), FilterLimits.HEAP), "built of none");
    checkType(type, built, "built");
    for (ThreadMode mode : ThreadMode.values()) {
      Payload payload = Payload.of(built);
      checkType(
          type,
          building.read(spec, built.layout(), payload.reread(), mode, FilterLimits.HEAP),
          "read");
    }
    assertEquals(type, building.filterType(), "type of the filters, asked again");
  }

  private void checkTypes(Case drawn) {
    Class<? extends Filter> type = subject().provider().filterType();
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    checkType(type, filled.empty(), "created");
    checkType(type, filled.empty().copy(), "copied while empty");
    checkType(type, filter, "filled");
    checkType(type, filter.copy(), "copied");
    checkType(type, filled.partner(filled.hashes(), 10), "to merge");
    for (ThreadMode mode : ThreadMode.values()) {
      Filter read = subject().read(Subject.write(filter), mode);
      checkType(type, read, "read");
      checkType(type, read.copy(), "read and copied");
      checkType(type, subject().readAs(FilterSpec.of(5_000, 0.2), filter, mode), "of other spec");
    }
    assertEquals(type, subject().provider().filterType(), "type of the filters, asked again");
  }

  private static void checkType(
      Class<? extends StoredFilter> type, StoredFilter filter, String how) {
    assertTrue(
        type.isInstance(filter),
        () -> "a filter " + how + " is no " + type + ": " + Subject.text(filter));
    for (Class<?> capability : Set.of(Filter.class, MergeableFilter.class, RemovableFilter.class)) {
      assertEquals(
          capability.isInstance(filter),
          capability.isAssignableFrom(type),
          () -> "a filter " + how + ", and whether " + type + " is a " + capability);
    }
  }

  public void descriptionsAreCompleteAndAgree() {
    forAll(DESCRIBED, this::checkDescriptions);
  }

  private void checkDescriptions(Case drawn) throws IOException {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    FilterPlan plan = subject().provider().plan(drawn.spec());
    Filter empty = filled.empty();
    Set<String> layout = empty.layout().toMap().keySet();
    FilterDescription planned = checked(plan::description, layout, "plan");
    FilterDescription first = checked(empty::description, layout, "new filter");
    assertEquals(planned, first, () -> "descriptions of a plan and a new filter for " + drawn);
    checkMapped(empty);
    Filter filter = filled.filter();
    checkFilled(filter, first);
    // Growing filters have grown by then.
    Subject.put(filter, filled.others().next((int) Math.min(5_000, 6 * drawn.keys())));
    checkFilled(filter, first);
    filter.clear();
    assertEquals(first, filter.description(), "description after clear");
  }

  private void checkFilled(Filter filter, FilterDescription empty) throws IOException {
    Set<String> layout = filter.layout().toMap().keySet();
    FilterDescription filled = checked(filter::description, layout, "filter after puts");
    assertEquals(empty.structure(), filled.structure(), "structure after puts");
    assertEquals(filled, filter.copy().description(), "description of a copy");
    checkNumbers(filter, filled);
    checkMapped(filter);
  }

  /** Compares the numbers of a description with the layout and the size. */
  private static void checkNumbers(Filter filter, FilterDescription description) {
    description
        .parts()
        .forEach(
            (name, number) -> {
              Long inLayout = filter.layout().toMap().get(name);
              assertTrue(
                  inLayout == null || inLayout.equals(number),
                  () -> "part " + name + " is " + number + ", but in the layout " + inLayout);
              assertTrue(number >= 0, () -> "part " + name + " is " + number);
            });
  }

  private void checkMapped(Filter filter) throws IOException {
    FilterProvider provider = subject().provider();
    Payload payload = Payload.of(filter);
    FilterSpec spec = filter.spec();
    FilterLayout layout = filter.layout();
    Filter read =
        provider.read(spec, layout, payload.reread(), ThreadMode.SHARED, FilterLimits.HEAP);
    FilterDescription expected = checked(read::description, layout.toMap().keySet(), "filter read");
    assertEquals(filter.description(), expected, "description of a filter read");
    FilterView view = provider.map(spec, layout, new MappedWords(payload.words(), 256));
    FilterDescription mapped = checked(view::description, layout.toMap().keySet(), "mapped filter");
    assertEquals(expected.structure(), mapped.structure(), "structure of a mapped filter");
    assertEquals(expected.parts(), mapped.parts(), "parts of a mapped filter");
  }

  /** Returns a description after checking it in isolation. */
  private static FilterDescription checked(
      Supplier<FilterDescription> described, Set<String> layout, String what) {
    FilterDescription first = described.get();
    assertNotNull(first, () -> "description of a " + what);
    long before = Allocation.byThisThread();
    FilterDescription again = described.get();
    long allocated = Allocation.byThisThread() - before;
    assertTrue(
        allocated <= MAX_ALLOCATED,
        () -> allocated + " bytes were allocated for the description of a " + what);
    assertEquals(first, again, () -> "description of a " + what + ", asked again");
    checkText(first.structure(), MAX_TEXT, "structure of a " + what);
    checkText(first.queryCost(), MAX_WORDS, "cost of a query of a " + what);
    first
        .parts()
        .forEach(
            (name, number) -> {
              checkName(name, "part of a " + what);
              assertNotNull(number, () -> "part " + name + " of a " + what);
            });
    Set<String> known = new HashSet<>(layout);
    known.addAll(first.parts().keySet());
    first
        .meanings()
        .forEach(
            (name, meaning) -> {
              checkName(name, "number of a " + what);
              checkText(meaning, MAX_TEXT, "meaning of " + name);
              assertTrue(known.contains(name), () -> "a meaning of " + name + ", which is nowhere");
            });
    assertThrows(UnsupportedOperationException.class, () -> first.parts().put("", 1L), "parts");
    assertThrows(
        UnsupportedOperationException.class, () -> first.meanings().put("", ""), "meanings");
    return first;
  }

  private static void checkName(String name, String what) {
    checkText(name, MAX_WORDS, what);
    assertTrue(!name.isBlank(), () -> "a name of a " + what);
  }

  private static void checkText(String text, int maxLength, String what) {
    assertNotNull(text, what);
    assertTrue(
        text.length() <= maxLength,
        () -> what + " has " + text.length() + " characters, at most " + maxLength + ": " + text);
    assertTrue(
        text.codePoints().noneMatch(Character::isISOControl),
        () -> what + " has control characters: " + text);
  }
}
