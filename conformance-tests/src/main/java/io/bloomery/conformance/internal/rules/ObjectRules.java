package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.DrawnAttributes;
import io.bloomery.conformance.internal.kit.EveryCall;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Secrets;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.function.Executable;

/** The rules on filters as Java objects. */
public final class ObjectRules extends RuleGroup {

  private static final Domain OBJECTS =
      Domain.everyFilter().maxPut(2_000).smallDraws(16).edges(new long[] {1, 100, 10_000}, 0.01);

  /** Hashes of few digits come about by chance. */
  private static final Domain SHOWN =
      Domain.everyFilter()
          .uniform()
          .maxPut(20_000)
          .smallDraws(16)
          .edges(new long[] {1, 100, 10_000}, 0.01);

  private static final int MAX_TEXT = 500;

  private static final String LONGEST_ID = "i".repeat(255);

  private static final ThreadMode MODE = ThreadMode.SHARED;

  public ObjectRules(RuleContext context) {
    super(context);
  }

  public void filtersAreNotJavaSerializable() {
    forAll(
        OBJECTS.each(drawn -> drawn.withHistory(List.of())),
        drawn -> {
          FilledFilter filled = new FilledFilter(subject(), drawn);
          for (Filter filter : List.of(filled.empty(), filled.filter(), filled.filter().copy())) {
            assertFalse(
                filter instanceof Serializable, () -> filter.getClass() + " is Serializable");
          }
        });
  }

  public void toStringIsShortAndShowsNoKeyMaterial() {
    forAll(SHOWN, this::checkText);
    for (SortedMap<String, String> attributes :
        DrawnAttributes.atTheEdges(new SplittableRandom(seed("r46/attributes")))) {
      FilterSpec spec = FilterSpec.of(10, Subject.ALWAYS_RATE, LONGEST_ID);
      Filter filter = subject().provider().create(spec.withAttributes(attributes), MODE);
      checkText(filter);
      checkText(subject().read(Subject.write(filter), MODE));
    }
  }

  private void checkText(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    checkText(filter, filled.hashes());
    long[] batch = filled.others().next(drawn.from() + Math.min(drawn.length(), 1_000));
    try {
      filter.putAll(batch, drawn.from(), batch.length);
    } catch (FilterFullException e) {
      // Some of them are present, and none may be shown.
    }
    checkText(filter, batch);
    filter.select(batch, 0, batch.length, new int[batch.length]);
    checkText(filter, batch);
    long asked = ~drawn.seed();
    assertEquals(filter.mightContain(asked), filter.mightContain(asked), "the same question");
    checkText(filter, asked);
    batch[0] = asked;
    checkRefusals(filter, batch);
  }

  private static void checkText(Filter filter, long... hashes) {
    String text = filter.toString();
    assertTrue(text.length() <= MAX_TEXT, () -> "toString has " + text.length() + " characters");
    Secrets secrets = new Secrets(hashes);
    // A word of the table reveals which keys may be present.
    secrets.addWords(Payload.of(filter).words());
    secrets.checkNotIn(text);
    secrets.checkNotIn(filter.description().toString());
  }

  /** Makes calls that must be refused, none of which may tell what was put or passed. */
  private void checkRefusals(Filter filter, long... batch) {
    Secrets secrets = new Secrets(batch);
    int length = batch.length;
    List<Executable> refused =
        new ArrayList<>(
            List.of(
                () -> filter.putAll(batch, -1, length),
                () -> filter.putAll(batch, 0, length + 1),
                () -> filter.select(batch, 1, length + 1, new int[length]),
                () -> filter.select(batch, 0, length, new int[length - 1]),
                () -> filter.putAll(null, 0, 1)));
    if (filter instanceof RemovableFilter removable) {
      refused.add(() -> removable.removeAll(batch, 0, length + 1));
    }
    if (filter instanceof MergeableFilter mergeable) {
      FilterSpec spec = filter.spec();
      String id = spec.hashId().equals("other") ? "another" : "other";
      Filter other =
          subject()
              .provider()
              .create(
                  FilterSpec.of(spec.expectedKeys(), spec.falsePositiveRate(), id),
                  ThreadMode.SHARED);
      Subject.put(other, batch);
      secrets.checkNotIn(mergeable.incompatibility(other).orElse(""));
      refused.add(() -> mergeable.putAll(other));
    }
    for (Executable call : refused) {
      secrets.checkNotIn(assertThrows(RuntimeException.class, call, "a call to refuse"));
    }
  }

  public void filtersAreComparedByIdentity() {
    forAll(OBJECTS, this::checkIdentity);
  }

  private void checkIdentity(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    int hashCode = filter.hashCode();
    long[] others = filled.others().next(100);
    Subject.put(filter, others);
    assertEquals(hashCode, filter.hashCode(), "hash code after puts");
    assertEquals(filter, filter);
    assertNotEquals(filter, filter.copy(), "a filter and its copy");
    assertNotEquals(filter, subject().read(Subject.write(filter), drawn.mode()), "what is read");
    assertNotEquals(filled.empty(), filled.empty(), "two empty filters");
    filter.clear();
    assertEquals(hashCode, filter.hashCode(), "hash code after clear");
    assertNotEquals(filter, filled.empty(), "a cleared filter and an empty one");
  }

  public void nullIsRefusedBeforeAnythingChanges() {
    forAll(OBJECTS, this::checkNulls);
  }

  private void checkNulls(Case drawn) {
    FilterProvider provider = subject().provider();
    FilledFilter filled = new FilledFilter(subject(), drawn);
    FilterSpec spec = drawn.spec();
    Filter filter = filled.filter();
    ThreadMode mode = drawn.mode();
    long[] hashes = filled.others().next(10);
    byte[] before = Subject.write(filter);
    Filter equal = filter.copy();
    Payload payload = Payload.of(filter);
    checkNull(() -> provider.plan(null), "plan of null");
    checkNull(() -> provider.create(null, mode), "create of null");
    checkNull(() -> provider.create(spec, null), "create in mode null");
    checkNull(
        () -> provider.read(spec, filter.layout(), payload.reread(), null, FilterLimits.HEAP),
        "read in mode null");
    checkNull(() -> provider.create(spec, mode, null), "create with limits null");
    checkNull(
        () -> provider.read(spec, filter.layout(), payload.reread(), mode, null),
        "read with limits null");
    checkNull(() -> filter.putAll(null, 0, 0), "putAll of null");
    checkNull(() -> filter.select(null, 0, 0, new int[0]), "select of null");
    checkNull(() -> filter.select(hashes, 0, 10, null), "select into null");
    if (filter instanceof MergeableFilter mergeable) {
      checkNull(() -> mergeable.putAll(null), "merge of null");
      checkNull(() -> mergeable.incompatibility(null), "mismatch of null");
    }
    if (filter instanceof RemovableFilter removable) {
      checkNull(() -> removable.removeAll(null, 0, 0), "removeAll of null");
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after nulls were refused");
    if (subject().takesPuts()) {
      EveryCall.checkEqual(
          equal, filter, filled.some(), drawn.seed(), "after nulls that were refused");
    }
  }

  private static void checkNull(Executable call, String what) {
    assertThrows(NullPointerException.class, call, what);
  }
}
