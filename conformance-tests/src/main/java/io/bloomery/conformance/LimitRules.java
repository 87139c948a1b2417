package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.SplittableRandom;

/** Filters that take so many keys, or so many bytes, and no more. */
final class LimitRules extends Topic {

  /** What a refusal may cost, such as its message, where a filter begins with a few bytes. */
  private static final long SMALL_CHANGE = 1 << 16;

  LimitRules(RuleContext context) {
    super(context);
  }

  void aFullFilterRefusesAndStaysAsItIs() {
    for (int size : new int[] {1, 10, 500}) {
      for (ThreadMode mode : ThreadMode.values()) {
        checkFull(size, mode);
      }
    }
  }

  private void checkFull(int size, ThreadMode mode) {
    Filter filter = subject().create(size, 0.01, mode);
    Hashes hashes = hashes("r72/" + size);
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

  void limitsAreKept() {
    for (ThreadMode mode : ThreadMode.values()) {
      checkRefusedBeforeMemoryIsTaken(mode);
    }
    SplittableRandom random = new SplittableRandom(seed("r78"));
    int[] sizes = {1, 2, 5, 10, 50, 200, 1_000};
    double[] rates = {0.5, 0.1, 0.01, Subject.ALWAYS_RATE};
    int cases = tier().choose(140, 1_400, 14_000);
    for (int i = 0; i < cases; i++) {
      FilterSpec spec = FilterSpec.of(sizes[i % sizes.length], rates[random.nextInt(rates.length)]);
      ThreadMode mode = Subject.modeOf(random.nextInt());
      long smallest = subject().provider().create(spec, mode).payloadSize();
      checkTooLarge(spec, mode, smallest - 1);
      checkTooLarge(spec, mode, 1 + random.nextLong(smallest - 1));
      new LimitedRun(context(), spec, mode, limits(smallest, random), random)
          .check(20 + 2 * sizes[i % sizes.length]);
    }
    evidence().note(cases + " filters with limits");
  }

  /** Draws limits: no room for more, for a few counts more, or for some slices more. */
  private static FilterLimits limits(long smallest, SplittableRandom random) {
    return FilterLimits.ofBytes(
        switch (random.nextInt(4)) {
          case 0 -> smallest;
          case 1 -> smallest + random.nextInt(100);
          default -> smallest + random.nextLong(10 * smallest);
        });
  }

  private void checkTooLarge(FilterSpec spec, ThreadMode mode, long maxBytes) {
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> subject().provider().create(spec, mode, FilterLimits.ofBytes(maxBytes)),
            () -> "creating a filter for " + spec + " with at most " + maxBytes + " bytes");
    assertTrue(refusal.getMessage().length() > 20, () -> "reason for refusing " + spec);
  }

  private void checkRefusedBeforeMemoryIsTaken(ThreadMode mode) {
    FilterSpec spec = FilterSpec.of(Subject.ALWAYS_KEYS, Subject.ALWAYS_RATE);
    // What a filter writes in the end may be more than it begins with.
    long smallest = subject().provider().create(spec, mode).payloadSize();
    for (long maxBytes : new long[] {1, Math.max(1, smallest / 2), smallest - 1}) {
      long before = Allocation.byThisThread();
      checkTooLarge(spec, mode, maxBytes);
      long taken = Allocation.byThisThread() - before;
      assertTrue(
          taken < Math.max(smallest / 2, SMALL_CHANGE),
          () -> taken + " bytes were allocated before refusing to create " + smallest);
    }
  }
}
