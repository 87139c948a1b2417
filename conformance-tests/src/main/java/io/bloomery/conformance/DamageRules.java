package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.ThreadMode;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.Example;

/** Bytes that are not what was written. */
interface DamageRules extends RuleSet {

  private byte[] file(int size) {
    Filter filter = subject().create(size, 0.1);
    Subject.put(filter, Hashes.of("damage", size));
    return Subject.write(filter);
  }

  private void checkRefused(byte[] bytes, String what) {
    assertThrows(
        FilterFormatException.class,
        () -> subject().bloomery().read(new ByteArrayInputStream(bytes), ThreadMode.SHARED),
        what);
  }

  @Example
  default void r36_everyTruncationIsRefused() {
    for (int size : new int[] {1, 40}) {
      byte[] bytes = file(size);
      for (int length = 0; length < bytes.length; length++) {
        checkRefused(
            Arrays.copyOf(bytes, length), "the first " + length + " of " + bytes.length + " bytes");
      }
    }
  }

  @Example
  default void r37_everyFlippedBitIsRefused() {
    for (int size : new int[] {1, 40}) {
      byte[] bytes = file(size);
      for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
        byte[] damaged = bytes.clone();
        damaged[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        checkRefused(
            damaged, "bit " + bit % Byte.SIZE + " of byte " + bit / Byte.SIZE + " flipped");
      }
    }
  }

  @Example
  default void r38_hostileLayoutsAndSizesAreRefused() {
    Filter filter = subject().create(100, 0.01);
    Subject.put(filter, Hashes.of("r38", 50));
    Map<String, Long> layout = filter.layout();
    long[] words = Payload.of(filter).words();
    long size = (long) Long.BYTES * words.length;
    long[] evil = {
      0,
      1,
      -1,
      63,
      64,
      65,
      255,
      65_535,
      (1L << 31) - 1,
      1L << 31,
      -1L << 31,
      1L << 32,
      1L << 33,
      (1L << 32) + 7,
      1L << 37,
      1L << 40,
      Long.MAX_VALUE,
      Long.MIN_VALUE
    };
    for (String name : layout.keySet()) {
      for (long value : evil) {
        Map<String, Long> hostile = new HashMap<>(layout);
        hostile.put(name, value);
        checkHostile(filter, hostile, size, words);
        // The size that a table of so many bits would have, with next to nothing behind it.
        checkHostile(filter, hostile, value >>> 6 << 3, words);
      }
      Map<String, Long> incomplete = new HashMap<>(layout);
      incomplete.remove(name);
      checkHostile(filter, incomplete, size, words);
    }
    Map<String, Long> foreign = new HashMap<>(layout);
    foreign.put("conformance-tests", 1L);
    checkHostile(filter, foreign, size, words);
    checkHostile(filter, Map.of(), size, words);
    for (long other : new long[] {0, 8, size - 8, size + 8, 2 * size, 1L << 40, 1L << 62}) {
      checkHostile(filter, layout, other, Arrays.copyOf(words, 4 * words.length));
    }
  }

  // A changed number may make another layout of the same size, such as with fewer probes: then it
  // must be taken as it is.
  private void checkHostile(Filter original, Map<String, Long> layout, long size, long[] words) {
    String what = "layout " + layout + ", size " + size;
    long[] present = Arrays.copyOf(words, (int) Math.min(words.length, size / Long.BYTES));
    long before = Allocation.byThisThread();
    try {
      Payload given = new Payload(size, present);
      Filter read = subject().provider().read(original.spec(), layout, given, ThreadMode.SHARED);
      assertEquals(layout, read.layout(), what);
      Payload content = Payload.of(read);
      assertEquals(size, content.size(), what);
      assertArrayEquals(present, content.words(), what);
    } catch (FilterFormatException e) {
      assertTrue(e.getMessage().length() > 10, () -> "reason for refusing " + what);
    } catch (Exception | OutOfMemoryError e) {
      throw new AssertionError(what + " must be refused with FilterFormatException", e);
    }
    long taken = Allocation.byThisThread() - before;
    assertTrue(taken < 1 << 20, () -> taken + " bytes were allocated for " + what);
  }
}
