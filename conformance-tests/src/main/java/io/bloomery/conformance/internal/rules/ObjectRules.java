package io.bloomery.conformance.internal.rules;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongHashSet;
import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Payload;
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
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.function.Executable;

/** The rules on filters as Java objects. */
public final class ObjectRules extends RuleGroup {

  private static final Domain OBJECTS =
      Domain.everyFilter().maxPut(2_000).edges(new long[] {1, 100, 10_000}, 0.01);

  /** Hashes of few digits come about by chance. */
  private static final Domain SHOWN =
      Domain.everyFilter().uniform().maxPut(20_000).edges(new long[] {1, 100, 10_000}, 0.01);

  /** The minimum number of digits for a number to count as a hash or a word: 48 bits and more. */
  private static final int MIN_DIGITS = 12;

  private static final int MAX_DIGITS = 20;
  private static final int MAX_TEXT = 500;

  public ObjectRules(RuleContext context) {
    super(context);
  }

  public void filtersAreNotJavaSerializable() {
    forAll(
        OBJECTS,
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
  }

  private void checkText(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    checkText(filled.filter(), filled.hashes());
    long[] batch = filled.others().next(drawn.from() + Math.min(drawn.length(), 1_000));
    try {
      filled.filter().putAll(batch, drawn.from(), batch.length);
    } catch (FilterFullException e) {
      // Some of them are present, and none may be shown.
    }
    checkText(filled.filter(), batch);
    int[] hits = new int[batch.length];
    filled.filter().select(batch, 0, batch.length, hits);
    checkText(filled.filter(), batch);
  }

  private static void checkText(Filter filter, long... hashes) {
    String text = filter.toString().toLowerCase(Locale.ROOT);
    assertTrue(text.length() <= MAX_TEXT, () -> "toString has " + text.length() + " characters");
    LongHashSet secrets = LongHashSet.from(hashes);
    // A word of the table reveals which keys may be present.
    for (long word : Payload.of(filter).words()) {
      if (Long.bitCount(word) > 8) {
        secrets.add(word);
      }
    }
    for (int from = 0; from < text.length(); from++) {
      for (int to = from + MIN_DIGITS; to <= Math.min(text.length(), from + MAX_DIGITS); to++) {
        String part = text.substring(from, to);
        assertFalse(
            isOneOf(secrets, part), () -> "toString shows a hash or a word, " + part + ": " + text);
      }
    }
  }

  /** Returns whether a text is one of some numbers: decimal, signed or unsigned, or hexadecimal. */
  private static boolean isOneOf(LongHashSet numbers, String text) {
    int i = 0;
    boolean isDecimal = true;
    for (; i < text.length(); i++) {
      char digit = text.charAt(i);
      boolean isDigit = (digit >= '0' && digit <= '9') || (i == 0 && digit == '-');
      isDecimal &= isDigit;
      if (!isDigit && (digit < 'a' || digit > 'f')) {
        return false;
      }
    }
    return (isDecimal && isDecimal(numbers, text))
        || (text.length() <= Long.BYTES * 2
            && text.charAt(0) != '-'
            && numbers.contains(Long.parseUnsignedLong(text, 16)));
  }

  private static boolean isDecimal(LongHashSet numbers, String digits) {
    try {
      return numbers.contains(
          digits.charAt(0) == '-' ? Long.parseLong(digits) : Long.parseUnsignedLong(digits));
    } catch (NumberFormatException e) {
      return false; // a number above 2^64 is not a hash
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
  }

  private static void checkNull(Executable call, String what) {
    assertThrows(NullPointerException.class, call, what);
  }
}
