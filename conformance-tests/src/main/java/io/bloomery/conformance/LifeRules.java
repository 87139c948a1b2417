package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;

/** Creating, copying and clearing, and what must not change a filter. */
final class LifeRules extends Topic {

  LifeRules(RuleContext context) {
    super(context);
  }

  void eachCreateGivesAFilterOfItsOwn() {
    for (int size : new int[] {1, 100}) {
      int count = 300;
      long[] hashes = hashes("r06", count);
      byte[] empty = Subject.write(subject().create(size, 0.01));
      List<Filter> filters = new ArrayList<>();
      for (long hash : hashes) {
        Filter filter = subject().create(size, 0.01);
        assertArrayEquals(empty, Subject.write(filter), "a filter just created is empty");
        filter.put(hash);
        filters.add(filter);
      }
      for (int i = 0; i < count; i++) {
        Filter only = subject().create(size, 0.01);
        only.put(hashes[i]);
        assertArrayEquals(
            Subject.write(only), Subject.write(filters.get(i)), "filter " + i + " of " + count);
      }
    }
  }

  void clearMakesAFilterAsItWasCreated() {
    for (ThreadMode mode : ThreadMode.values()) {
      for (int size : new int[] {1, 100, 10_000}) {
        checkClear(size, mode);
      }
    }
  }

  private void checkClear(int size, ThreadMode mode) {
    Filter filter = subject().create(size, 0.01, mode);
    byte[] fresh = Subject.write(filter);
    Hashes hashes = hashes("r07/" + size);
    Subject.put(filter, hashes.next(2 * size));
    filter.clear();
    assertArrayEquals(fresh, Subject.write(filter), () -> "bytes after clear of " + filter);
    assertEquals(subject().create(size, 0.01, mode).stats(), filter.stats());
    Filter other = subject().create(size, 0.01, mode);
    for (long hash : hashes.next(size)) {
      assertEquals(other.put(hash), filter.put(hash), "put after clear");
    }
    assertArrayEquals(Subject.write(other), Subject.write(filter), "bytes after clear and puts");
  }

  void aCopyIsEqualAndIndependentBothWays() {
    for (ThreadMode mode : ThreadMode.values()) {
      // Tables of odd and even numbers of words.
      for (int size : new int[] {1, 13, 50, 100, 10_000}) {
        checkCopy(size, mode);
      }
    }
  }

  private void checkCopy(int size, ThreadMode mode) {
    FilterSpec spec = FilterSpec.of(size, 0.01, "conformance/other");
    Filter filter = subject().provider().create(spec, mode);
    Hashes hashes = hashes("r08/" + size);
    long[] put = hashes.next(size);
    Subject.put(filter, put);
    byte[] before = Subject.write(filter);

    Filter copy = filter.copy();
    assertNotSame(filter, copy);
    assertArrayEquals(before, Subject.write(copy), () -> "a copy of " + filter);
    assertEquals(filter.stats(), copy.stats(), () -> "statistics of a copy of " + filter);
    assertEquals(filter.spec(), copy.spec(), "spec of a copy");
    assertEquals(filter.variant(), copy.variant(), "variant of a copy");
    assertEquals(filter.layout(), copy.layout(), "layout of a copy");

    for (Change change : Change.values()) {
      if (change.isOffered(filter)) {
        Filter first = filter.copy();
        Filter second = first.copy();
        change.apply(first, put[0], hashes.next(20));
        assertArrayEquals(before, Subject.write(second), () -> "a copy, the original: " + change);
        Filter third = second.copy();
        change.apply(third, put[0], hashes.next(20));
        assertArrayEquals(before, Subject.write(second), () -> "the original, a copy: " + change);
      }
    }
    assertArrayEquals(before, Subject.write(filter), "the original of all copies");
  }

  void questionsChangeNothing() {
    Filter filter = subject().create(500, 0.1);
    Hashes hashes = hashes("r09");
    Subject.put(filter, hashes.next(500));
    long[] absent = hashes.next(5_000);
    byte[] before = Subject.write(filter);

    assertArrayEquals(before, Subject.write(filter), "writing");
    for (long hash : absent) {
      boolean unused = filter.mightContain(hash);
    }
    assertArrayEquals(before, Subject.write(filter), "mightContain");
    assertTrue(filter.select(absent, 0, absent.length, new int[absent.length]) < absent.length);
    assertArrayEquals(before, Subject.write(filter), "select");
    assertFalse(filter.stats().fill() > 1);
    assertArrayEquals(before, Subject.write(filter), "stats");
    assertFalse(
        (filter.spec()
                + filter.variant()
                + filter.layout()
                + filter.limits()
                + filter.description()
                + filter
                + filter.payloadSize())
            .isEmpty());
    assertArrayEquals(before, Subject.write(filter), "descriptions");
    filter.copy();
    assertArrayEquals(before, Subject.write(filter), "copy");
    if (filter instanceof MergeableFilter mergeable) {
      assertTrue(mergeable.incompatibility(subject().create(500, 0.1)).isEmpty());
      assertArrayEquals(before, Subject.write(filter), "mismatch");
    }
  }

  void equalContentIsWrittenAsEqualBytes() {
    for (int size : new int[] {1, 100, 10_000}) {
      long[] hashes = hashes("r10/" + size, size);
      Filter forward = subject().create(size, 0.01);
      Subject.put(forward, hashes);
      Filter again = subject().create(size, 0.01);
      if (forward instanceof MergeableFilter || forward instanceof RemovableFilter) {
        for (int i = size - 1; i >= 0; i--) {
          again.put(hashes[i]);
        }
      } else {
        // What it can hold may depend on what came first.
        Subject.put(again, hashes);
      }
      if (!(forward instanceof RemovableFilter)) {
        Subject.put(again, hashes);
      }
      assertArrayEquals(
          Subject.write(forward), Subject.write(again), () -> "same hashes in " + forward);
    }
  }

  void attributesComeBack() {
    SplittableRandom random = new SplittableRandom(seed("r77"));
    List<SortedMap<String, String>> cases = new ArrayList<>(DrawnAttributes.atTheEdges(random));
    while (cases.size() < tier().choose(60, 1_000, 20_000)) {
      cases.add(DrawnAttributes.of(random));
    }
    int[] sizes = {1, 10, 100};
    for (int i = 0; i < cases.size(); i++) {
      ThreadMode mode = Subject.modeOf(i);
      FilterSpec spec = FilterSpec.of(sizes[i % sizes.length], 0.01);
      SortedMap<String, String> others = cases.get((i + 1) % cases.size());
      checkAttributes(spec.withAttributes(cases.get(i)), spec.withAttributes(others), mode);
    }
    evidence().note(cases.size() + " sets of attributes");
  }

  private void checkAttributes(FilterSpec spec, FilterSpec otherSpec, ThreadMode mode) {
    assertEquals(spec, subject().provider().plan(spec).spec(), "spec of a plan");
    Filter filter = subject().provider().create(spec, mode);
    checkAttributes(spec, filter, "a new filter");
    Subject.put(filter, hashes("r77", 20));
    checkAttributes(spec, filter, "a filter after puts");
    checkAttributes(spec, filter.copy().copy(), "a copy of a copy");

    byte[] file = Subject.write(filter);
    String bytes = new String(file, StandardCharsets.ISO_8859_1);
    spec.attributes()
        .forEach(
            (name, text) -> {
              byte[] encoded = (name + text).getBytes(StandardCharsets.UTF_8);
              int length = encoded.length - name.length();
              String shown =
                  new String(encoded, name.length(), length, StandardCharsets.ISO_8859_1);
              assertTrue(
                  bytes.contains(name) && bytes.contains(shown), () -> name + " in the file");
            });
    Filter read = subject().read(file, mode);
    checkAttributes(spec, read, "a filter read");
    checkAttributes(spec, read.copy(), "a copy of a filter read");
    assertArrayEquals(file, Subject.write(read), "bytes of a filter read");

    if (filter instanceof MergeableFilter mergeable) {
      Filter other = subject().provider().create(otherSpec, mode);
      Subject.put(other, hashes("r77/other", 20));
      mergeable.putAll(other);
      checkAttributes(spec, filter, "a filter merged into");
      checkAttributes(otherSpec, other, "a filter merged from");
      // Nothing to merge with tempts to take what comes as it is.
      Filter empty = subject().provider().create(spec, mode);
      ((MergeableFilter) empty).putAll(other);
      checkAttributes(spec, empty, "an empty filter merged into");
    }
    filter.clear();
    checkAttributes(spec, filter, "a filter after clear");
  }

  private static void checkAttributes(FilterSpec expected, Filter filter, String what) {
    assertEquals(expected.attributes(), filter.spec().attributes(), () -> "attributes of " + what);
    assertEquals(expected, filter.spec(), () -> "spec of " + what);
  }

  /** What can be done to one of two filters that must not show in the other. */
  private enum Change {
    PUT,
    PUT_ALL,
    CLEAR,
    MERGE,
    REMOVE;

    boolean isOffered(Filter filter) {
      return switch (this) {
        case PUT, PUT_ALL, CLEAR -> true;
        case MERGE -> filter instanceof MergeableFilter;
        case REMOVE -> filter instanceof RemovableFilter;
      };
    }

    void apply(Filter filter, long there, long... some) {
      switch (this) {
        case PUT -> Subject.put(filter, some);
        case PUT_ALL -> filter.putAll(some, 0, some.length);
        case CLEAR -> filter.clear();
        case MERGE -> {
          Filter other = filter.copy();
          other.clear();
          Subject.put(other, some);
          ((MergeableFilter) filter).putAll(other);
        }
        case REMOVE -> ((RemovableFilter) filter).remove(there);
      }
    }
  }
}
