package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Makes every kind of call of a filter and notes what it returned: filters of equal content must
 * return the same, whatever was refused or interrupted before. Changes the filter.
 */
public final class EveryCall {

  /** The maximum size in bytes of a filter that is copied and written again and again. */
  private static final int SMALL = 1 << 18;

  private final Filter filter;
  private final long[] hashes;
  private final Runnable after;
  private final List<String> results = new ArrayList<>();

  private EveryCall(Filter filter, long[] hashes, Runnable after) {
    this.filter = filter;
    this.hashes = hashes;
    this.after = after;
  }

  /**
   * Fails if two filters of equal content return different results.
   *
   * @param hashes some that are present, and some that are not
   * @param first a number that determines which call comes first
   */
  public static void checkEqual(
      Filter expected, Filter filter, long[] hashes, long first, String when) {
    List<String> results = of(expected, hashes, first, () -> {});
    assertEquals(results, of(filter, hashes, first, () -> {}), () -> "results of calls " + when);
  }

  /**
   * Fails if the calls of an interrupted thread, or later ones, return other results than those of
   * another thread, or end its interrupt.
   */
  public static void checkInterrupted(Filter filter, long[] hashes, long first) {
    Filter expected = filter.copy();
    Filter interrupted = filter.copy();
    List<String> results = of(expected, hashes, first, () -> {});
    List<String> found;
    Thread.currentThread().interrupt();
    try {
      found =
          of(
              interrupted,
              hashes,
              first,
              () ->
                  assertTrue(
                      Thread.currentThread().isInterrupted(), "a call must not end an interrupt"));
    } finally {
      // No one else interrupts the threads that run rules.
      Thread.interrupted();
    }
    assertEquals(results, found, "results of calls in an interrupted thread");
    checkEqual(expected, interrupted, hashes, ~first, "after those of an interrupted thread");
  }

  private static List<String> of(Filter filter, long[] hashes, long first, Runnable after) {
    EveryCall calls = new EveryCall(filter, hashes, after);
    calls.make(first);
    return calls.results;
  }

  private void make(long first) {
    List<Runnable> calls =
        new ArrayList<>(
            List.of(
                () -> note("queries", this::queries),
                () -> note("a batch of queries", this::select),
                () -> note("statistics", filter::stats),
                () -> note("puts", this::puts),
                () -> note("a batch of puts", this::putAll)));
    if (filter instanceof RemovableFilter removable) {
      calls.add(() -> note("counts", () -> removable.approximateCount(hashes[0])));
      calls.add(() -> note("a remove", () -> removable.remove(hashes[0])));
    }
    boolean isSmall = filter.payloadSize() <= SMALL;
    if (isSmall || first % 3 == 0) {
      calls.add(() -> note("a copy", () -> content(filter.copy())));
    }
    if (filter instanceof MergeableFilter into && (isSmall || first % 3 == 1)) {
      calls.add(() -> note("a merge", () -> merge(into)));
    }
    int start = (int) Math.floorMod(first, (long) calls.size());
    for (int i = 0; i < calls.size(); i++) {
      calls.get((start + i) % calls.size()).run();
    }
    note("content", () -> content(filter));
    if (isSmall || first % 3 == 2) {
      note("clear", this::clear);
    }
  }

  private void note(String call, Supplier<Object> result) {
    try {
      results.add(call + ": " + result.get());
    } catch (FilterFullException e) {
      results.add(call + ": full");
    }
    after.run();
  }

  private String queries() {
    return Arrays.toString(Arrays.stream(hashes).mapToObj(filter::mightContain).toArray());
  }

  private String select() {
    int[] hits = new int[hashes.length];
    return Arrays.toString(Arrays.copyOf(hits, filter.select(hashes, 0, hashes.length, hits)));
  }

  private String puts() {
    return Arrays.toString(Arrays.stream(hashes).mapToObj(filter::put).toArray());
  }

  /** Puts others than {@link #puts}, the last of which shows if it is left out. */
  private int putAll() {
    long[] others = Arrays.stream(hashes).map(Long::reverse).toArray();
    return filter.putAll(others, 1, others.length);
  }

  private String merge(MergeableFilter into) {
    Filter from = into.copy();
    from.clear();
    from.put(~hashes[0]);
    into.putAll(from);
    return content(into);
  }

  private String clear() {
    filter.clear();
    return content(filter);
  }

  private static String content(Filter of) {
    return "content " + Arrays.hashCode(Payload.of(of).words());
  }
}
