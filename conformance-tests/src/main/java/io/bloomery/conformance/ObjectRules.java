package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.function.Executable;

/** Filters as Java objects. */
final class ObjectRules extends Topic {

  ObjectRules(RuleContext context) {
    super(context);
  }

  void filtersAreNotJavaSerializable() {
    for (ThreadMode mode : ThreadMode.values()) {
      Filter filter = subject().create(100, 0.01, mode);
      assertFalse(filter instanceof Serializable, () -> filter.getClass() + " is Serializable");
    }
  }

  void toStringIsShortAndShowsNoKeyMaterial() {
    for (int size : new int[] {1, 100, 10_000}) {
      Filter filter = subject().create(size, 0.01);
      long[] hashes = hashes("r46", size);
      Subject.put(filter, hashes);
      String text = filter.toString().toLowerCase(Locale.ROOT);
      checkShowsNoWord(filter, text);
      assertTrue(text.length() <= 500, () -> "toString has " + text.length() + " characters");
      for (long hash : hashes) {
        for (String shown :
            List.of(Long.toString(hash), Long.toUnsignedString(hash), Long.toHexString(hash))) {
          assertFalse(text.contains(shown), () -> "toString shows a hash: " + text);
        }
      }
    }
  }

  void filtersAreComparedByIdentity() {
    Filter filter = subject().create(100, 0.01);
    int hashCode = filter.hashCode();
    Subject.put(filter, hashes("r47", 100));
    assertEquals(hashCode, filter.hashCode(), "hash code after puts");
    assertEquals(filter, filter);
    assertNotEquals(filter, filter.copy(), "a filter and its copy");
    assertNotEquals(subject().create(100, 0.01), subject().create(100, 0.01), "two empty filters");
  }

  // A word of the table tells which keys may be in.
  private static void checkShowsNoWord(Filter filter, String text) {
    for (long word : Payload.of(filter).words()) {
      if (Long.bitCount(word) > 8) {
        assertFalse(text.contains(Long.toString(word)), () -> "toString shows a word: " + text);
        assertFalse(text.contains(Long.toHexString(word)), () -> "toString shows a word: " + text);
      }
    }
  }

  void nullIsRefusedBeforeAnythingChanges() {
    FilterProvider provider = subject().provider();
    FilterSpec spec = FilterSpec.of(100, 0.01);
    Filter filter = subject().create(100, 0.01);
    long[] hashes = hashes("r48", 10);
    byte[] before = Subject.write(filter);
    checkNull(() -> provider.plan(null), "plan of null");
    checkNull(() -> provider.create(null, ThreadMode.SHARED), "create of null");
    checkNull(() -> provider.create(spec, null), "create in mode null");
    checkNull(
        () ->
            provider.read(
                spec, filter.layout(), Payload.of(filter).reread(), null, FilterLimits.HEAP),
        "read in mode null");
    checkNull(() -> provider.create(spec, ThreadMode.SHARED, null), "create with limits null");
    checkNull(
        () ->
            provider.read(
                spec, filter.layout(), Payload.of(filter).reread(), ThreadMode.SHARED, null),
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
  }

  private static void checkNull(Executable call, String what) {
    assertThrows(NullPointerException.class, call, what);
  }
}
