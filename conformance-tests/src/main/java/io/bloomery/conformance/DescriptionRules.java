package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** What a provider and its filters say of themselves. */
final class DescriptionRules extends Topic {

  /** How many characters a text may have, so that it stands in one line or two. */
  private static final int MAX_TEXT = 200;

  /** How many characters a name or a cost may have, so that it stands in a column of a table. */
  private static final int MAX_WORDS = 40;

  /** How many bytes may be allocated for a description, far below those of the tables tried. */
  private static final long MAX_ALLOCATED = 1 << 16;

  DescriptionRules(RuleContext context) {
    super(context);
  }

  /** Draws what to ask for, within what every variant must offer. */
  private static FilterSpec drawnSpec(SplittableRandom random) {
    double[] rates = {0.5, 0.1, 0.01, Subject.ALWAYS_RATE};
    long keys = 1 + (long) StrictMath.pow(10, 4 * random.nextDouble());
    return FilterSpec.of(keys, rates[random.nextInt(rates.length)]);
  }

  void theTypeOfFiltersIsKnownBeforehand() {
    SplittableRandom random = new SplittableRandom(seed("r80"));
    FilterProvider provider = subject().provider();
    Class<? extends Filter> type = provider.filterType();
    assertNotNull(type, "type of the filters");
    int cases = tier().choose(50, 500, 5_000);
    for (int i = 0; i < cases; i++) {
      ThreadMode mode = Subject.modeOf(i);
      FilterSpec spec = drawnSpec(random);
      Filter filter = provider.create(spec, mode);
      Subject.put(filter, random.longs(20).toArray());
      checkType(type, filter, "created");
      checkType(type, filter.copy(), "copied");
      Filter read = subject().read(Subject.write(filter), mode);
      checkType(type, read, "read");
      checkType(type, read.copy(), "read and copied");
      assertEquals(type, provider.filterType(), "type of the filters, asked again");
    }
    evidence().note(cases + " specs");
  }

  private static void checkType(Class<? extends Filter> type, Filter filter, String how) {
    assertTrue(type.isInstance(filter), () -> "a filter " + how + " is no " + type + ": " + filter);
    for (Class<?> capability : Set.of(MergeableFilter.class, RemovableFilter.class)) {
      assertEquals(
          capability.isInstance(filter),
          capability.isAssignableFrom(type),
          () -> "a filter " + how + ", and whether " + type + " is a " + capability);
    }
  }

  void descriptionsAreCompleteAndAgree() throws IOException {
    SplittableRandom random = new SplittableRandom(seed("r82"));
    int cases = tier().choose(30, 300, 3_000);
    for (int i = 0; i < cases; i++) {
      checkDescriptions(drawnSpec(random), Subject.modeOf(i), random);
    }
    evidence().note(cases + " specs");
    // Large enough that a look at the content would show.
    checkDescriptions(
        FilterSpec.of(Subject.ALWAYS_KEYS, 0.01), ThreadMode.SHARED, new SplittableRandom(1));
  }

  private void checkDescriptions(FilterSpec spec, ThreadMode mode, SplittableRandom random)
      throws IOException {
    FilterProvider provider = subject().provider();
    FilterPlan plan = provider.plan(spec);
    Filter filter = provider.create(spec, mode);
    Set<String> layout = filter.layout().toMap().keySet();
    FilterDescription planned = checked(plan::description, layout, "plan");
    FilterDescription empty = checked(filter::description, layout, "new filter");
    assertEquals(planned, empty, () -> "descriptions of a plan and a new filter for " + spec);
    checkMapped(filter);
    // Filters that grow have grown by then.
    Subject.put(filter, random.longs(Math.min(5_000, 6 * spec.expectedKeys())).toArray());
    FilterDescription filled = checked(filter::description, layout, "filter after puts");
    assertEquals(empty.structure(), filled.structure(), "structure after puts");
    assertEquals(filled, filter.copy().description(), "description of a copy");
    checkMapped(filter);
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

  /** Asks for a description and checks it for itself. */
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
