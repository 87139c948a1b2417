package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Filter;
import io.bloomery.FilterFullException;
import io.bloomery.ThreadMode;
import net.jqwik.api.Example;

/** Filters that take so many keys and no more. */
interface LimitRules extends RuleSet {

  @Example
  default void r72_aFullFilterRefusesAndStaysAsItIs() {
    for (int size : new int[] {1, 10, 500}) {
      for (ThreadMode mode : ThreadMode.values()) {
        checkFull(size, mode);
      }
    }
  }

  private void checkFull(int size, ThreadMode mode) {
    Filter filter = subject().create(size, 0.01, mode);
    Hashes hashes = new Hashes("r72/" + size);
    long last = 0;
    long next = hashes.next();
    for (int i = 0; i < 1_000 * size && Subject.isTaken(filter, next); i++) {
      last = next;
      next = hashes.next();
    }
    byte[] full = Subject.write(filter);
    for (int i = 0; i < 20; i++) {
      long refused = hashes.next();
      if (!filter.mightContain(refused)) {
        checkRefused(filter, refused);
        checkBatch(filter.copy(), last, refused);
      }
    }
    assertArrayEquals(full, Subject.write(filter), () -> "bytes of a filter that refused");
    assertArrayEquals(full, Subject.write(subject().read(full, mode)), "bytes of a full filter");
    assertTrue(filter.mightContain(last), "what was put last");
    assertFalse(filter.put(last), "a put of what is there");
  }

  private static void checkRefused(Filter filter, long hash) {
    FilterFullException refusal =
        assertThrows(FilterFullException.class, () -> filter.put(hash), "put into a full filter");
    String message = refusal.getMessage();
    assertFalse(
        message.contains(Long.toString(hash))
            || message.contains(Long.toUnsignedString(hash))
            || message.contains(Long.toHexString(hash)),
        () -> "the message shows the hash: " + message);
    assertFalse(filter.mightContain(hash), "a hash that was refused");
  }

  private static void checkBatch(Filter filter, long there, long refused) {
    Filter expected = filter.copy();
    expected.put(there);
    expected.put(there);
    long[] batch = {there, there, refused, there, refused};
    FilterFullException refusal =
        assertThrows(
            FilterFullException.class,
            () -> filter.putAll(batch, 0, batch.length),
            "a batch with one that does not fit");
    assertTrue(refusal.getMessage().contains("2"), () -> "how many are in: " + refusal);
    assertArrayEquals(
        Subject.write(expected), Subject.write(filter), "bytes after what came before was put");
  }
}
