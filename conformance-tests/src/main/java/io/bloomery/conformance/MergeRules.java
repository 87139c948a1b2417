package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.cases.Case;
import io.bloomery.conformance.cases.Domain;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Taking in all that another filter contains. */
final class MergeRules extends Topic {

  // Tables of odd and even numbers of words.
  private static final Domain MERGED =
      Domain.everyFilter().edges(new long[] {2, 13, 50, 100, 500, 10_000}, 0.01);

  MergeRules(RuleContext context) {
    super(context);
  }

  private MergeableFilter mergeable(long keys, double rate) {
    return mergeable(keys, rate, ThreadMode.SHARED);
  }

  private MergeableFilter mergeable(long keys, double rate, ThreadMode mode) {
    return (MergeableFilter) subject().create(keys, rate, mode);
  }

  void aMergeIsTheFilterOfTheUnion() {
    forAll(MERGED, this::checkUnion);
  }

  /** Merges with a filter that has a quarter of the same hashes, and as many others. */
  private void checkUnion(Case drawn) {
    Given firsts = new Given(subject(), drawn);
    long[] hashes = firsts.hashes();
    int quarter = hashes.length / 4;
    Filter lasts = firsts.partner(Arrays.copyOfRange(hashes, 3 * quarter, hashes.length), quarter);
    Filter union = firsts.reference();
    for (int i = 3 * quarter; i < hashes.length; i++) {
      if (!Subject.isTaken(union, hashes[i])) {
        return; // a merge into a filter that is full is refused, as another rule says
      }
    }
    for (long hash : firsts.others().next(quarter)) {
      if (!Subject.isTaken(union, hash)) {
        return;
      }
    }
    checkMerge(union, firsts.filter(), lasts);
    checkMerge(union, lasts, firsts.filter());
    checkMerge(firsts.reference(), firsts.empty(), firsts.filter());
    checkMerge(firsts.reference(), firsts.filter(), firsts.empty());
  }

  private static void checkMerge(Filter expected, Filter into, Filter from) {
    MergeableFilter merged = (MergeableFilter) into.copy();
    assertEquals(Optional.empty(), merged.incompatibility(from));
    // Whoever keeps statistics must know that these are old.
    merged.stats();
    merged.putAll(from.copy());
    assertEquals(expected.stats(), merged.stats(), () -> "statistics of two like " + into);
    assertArrayEquals(
        Subject.write(expected), Subject.write(merged), () -> "union of two like " + into);
  }

  void aMergeLeavesItsArgumentAlone() {
    for (int size : new int[] {10, 500}) {
      Hashes hashes = hashes("r28/" + size);
      MergeableFilter into = mergeable(size, 0.01);
      MergeableFilter from = mergeable(size, 0.01);
      Subject.put(into, hashes.next(size / 2));
      Subject.put(from, hashes.next(size / 2));
      byte[] before = Subject.write(from);
      into.putAll(from);
      assertArrayEquals(before, Subject.write(from), "the argument after the merge");
      checkIndependent(into, from, hashes);
      // Nothing to merge with tempts to take what comes as it is.
      MergeableFilter empty = mergeable(size, 0.01);
      empty.putAll(from);
      checkIndependent(empty, from, hashes);
    }
  }

  private static void checkIndependent(Filter merged, Filter argument, Hashes hashes) {
    byte[] result = Subject.write(merged);
    byte[] before = Subject.write(argument);
    Subject.put(argument, hashes.next(10));
    assertArrayEquals(result, Subject.write(merged), "the result after puts into the argument");
    byte[] after = Subject.write(argument);
    assertFalse(Arrays.equals(before, after), "puts of new hashes change a filter");
    Subject.put(merged, hashes.next(10));
    assertArrayEquals(after, Subject.write(argument), "the argument after puts into the result");
  }

  void aFilterMergedWithItselfIsUnchangedOrRefuses() {
    MergeableFilter filter = mergeable(100, 0.01);
    Subject.put(filter, hashes("r29", 100));
    byte[] before = Subject.write(filter);
    if (filter.incompatibility(filter).isPresent()) {
      assertThrows(IllegalArgumentException.class, () -> filter.putAll(filter));
    } else {
      assertDoesNotThrow(() -> filter.putAll(filter), "mismatch gave no reason");
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after merging with itself");
  }

  void whatDoesNotFitIsRefusedWithAReason() {
    MergeableFilter filter = mergeable(100, 0.01);
    Filter larger = subject().create(10_000, 0.01);
    Filter otherHash =
        subject().provider().create(FilterSpec.of(100, 0.01, "other"), ThreadMode.SHARED);
    Filter otherVariant = new ExactFilter(filter.spec(), filter.layout());
    List<Filter> others = new ArrayList<>(List.of(larger, otherHash, otherVariant));
    others.addAll(equalInSizeOnly(filter));
    for (Filter other : others) {
      Subject.put(other, hashes("r30", 50));
      Subject.put(filter, hashes("r30/into", 50));
      byte[] here = Subject.write(filter);
      byte[] there = Subject.write(other);
      Optional<String> reason = filter.incompatibility(other);
      assertTrue(reason.filter(text -> !text.isBlank()).isPresent(), () -> "no reason: " + other);
      IllegalArgumentException refusal =
          assertThrows(
              IllegalArgumentException.class,
              () -> filter.putAll(other),
              () -> filter + " must refuse " + other);
      assertFalse(refusal.getMessage().isBlank(), () -> "no message when refusing " + other);
      assertArrayEquals(here, Subject.write(filter), "the filter that refused");
      assertArrayEquals(there, Subject.write(other), "the filter that was refused");
    }
  }

  /** Returns filters whose content is as large, but laid out otherwise. */
  private List<Filter> equalInSizeOnly(Filter filter) {
    List<Filter> found = new ArrayList<>();
    for (int size = 20; size <= 500 && found.size() < 3; size += 5) {
      for (double rate : new double[] {0.3, 0.1, 0.03, 0.003, 0.001}) {
        Filter other = subject().create(size, rate);
        if (other.payloadSize() == filter.payloadSize()
            && !other.layout().equals(filter.layout())) {
          found.add(other);
        }
      }
    }
    return found;
  }

  void whatFitsIsMergedWhateverWasAskedFor() {
    // A rate lower by a billionth asks for the same whole number of words, in most layouts.
    Filter stricter = subject().create(100, 0.01 * (1 - 1e-9));
    Filter confined = subject().create(100, 0.01, ThreadMode.CONFINED);
    Filter read = subject().read(Subject.write(subject().create(100, 0.01)));
    assertEquals(confined.layout(), read.layout(), "one spec gives one layout");
    List<Filter> others = new ArrayList<>(List.of(confined, read, stricter));
    for (int size = 90; size <= 110; size++) {
      others.add(subject().create(size, 0.01));
    }
    for (Filter other : others) {
      MergeableFilter filter = mergeable(100, 0.01);
      if (!filter.layout().equals(other.layout())) {
        continue;
      }
      long[] hashes = hashes("r31", 40);
      Subject.put(other, hashes);
      assertEquals(Optional.empty(), filter.incompatibility(other));
      filter.putAll(other);
      for (long hash : hashes) {
        assertTrue(filter.mightContain(hash), () -> hash + " is lost in the merge with " + other);
      }
    }
    for (ThreadMode mode : ThreadMode.values()) {
      checkDoubled(mode);
    }
  }

  /** Doubles whatever is counted until no count of 64 bits can go higher, and once more. */
  private void checkDoubled(ThreadMode mode) {
    MergeableFilter filter = mergeable(100, 0.01, mode);
    long[] hashes = hashes("r31/doubled", 40);
    Subject.put(filter, hashes);
    for (int doublings = 0; doublings <= Long.SIZE; doublings++) {
      Filter other = filter.copy();
      byte[] before = Subject.write(other);
      assertEquals(Optional.empty(), filter.incompatibility(other));
      try {
        filter.putAll(other);
      } catch (FilterFullException e) {
        assertArrayEquals(before, Subject.write(filter), "the filter that has no room");
      }
      assertArrayEquals(before, Subject.write(other), "the filter that was merged, or refused");
      for (long hash : hashes) {
        assertTrue(filter.mightContain(hash), () -> hash + " is lost in a merge with a copy");
      }
    }
  }

  void filtersOfOtherKeyFormsDoNotMerge() {
    SplittableRandom random = new SplittableRandom(seed("r81"));
    List<Optional<String>> forms = new ArrayList<>(List.of(Optional.empty()));
    for (String form : List.of("plain", "hex", "base64", "trim", "trim ignore-case", "")) {
      forms.add(Optional.of(form));
    }
    for (int i = 0; i < 2; i++) {
      forms.add(Optional.of(DrawnAttributes.text(random, 1 + random.nextInt(40))));
    }
    for (Optional<String> here : forms) {
      for (Optional<String> there : forms) {
        checkKeyForms(withKeyForm(here, random), withKeyForm(there, random));
      }
    }
    evidence().note(forms.size() * forms.size() + " pairs of key forms");
  }

  private MergeableFilter withKeyForm(Optional<String> form, SplittableRandom random) {
    Map<String, String> attributes = new TreeMap<>();
    attributes.put("conformance.note", DrawnAttributes.text(random, random.nextInt(100)));
    form.ifPresent(text -> attributes.put(KeyForm.ATTRIBUTE, text));
    FilterSpec spec = FilterSpec.of(100, 0.01).withAttributes(attributes);
    Filter filter = subject().provider().create(spec, ThreadMode.SHARED);
    Subject.put(filter, random.longs(40).toArray());
    return (MergeableFilter) filter;
  }

  private static void checkKeyForms(MergeableFilter into, MergeableFilter from) {
    String here = DrawnAttributes.keyForm(into.spec());
    String there = DrawnAttributes.keyForm(from.spec());
    if (here.equals(there)) {
      assertEquals(
          Optional.empty(), into.incompatibility(from), () -> "two filters of form " + here);
      MergeableFilter union = (MergeableFilter) from.copy();
      union.putAll(into);
      into.putAll(from);
      assertArrayEquals(
          Payload.of(union).words(), Payload.of(into).words(), "a merge, either way round");
      return;
    }
    byte[] before = Subject.write(into);
    byte[] other = Subject.write(from);
    String reason =
        into.incompatibility(from)
            .orElseThrow(() -> new AssertionError("no reason: " + here + " and " + there));
    assertTrue(
        reason.contains(here) && reason.contains(there),
        () -> "a reason must name both '" + here + "' and '" + there + "': " + reason);
    assertThrows(
        IllegalArgumentException.class,
        () -> into.putAll(from),
        () -> "a merge of '" + there + "' into '" + here + "'");
    assertArrayEquals(before, Subject.write(into), "the filter that refused");
    assertArrayEquals(other, Subject.write(from), "the filter that was refused");
  }
}
