package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.BloomFilter;
import io.bloomery.FilterBuilder;
import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The rules on the thread modes, which differ only in the threads that may use a filter. */
public final class ThreadModeRules extends RuleGroup {

  private static final Domain MODES =
      Domain.everyFilter()
          .keys(1, 100_000)
          .draws(12)
          .maxPut(2_000)
          .edges(
              new long[] {1, 100, 3_000}, 0.5, 0.25, 0.1, 0.05, 0.01, 1e-3, 3e-4, 1e-4, 3e-5, 1e-6)
          .edges(new long[] {100_000}, 0.01)
          // Few draws put enough for a batch that is divided into parts.
          .edges(List.of(Case.of(10_000, 1e-6).withBatch(5, 2_500)));

  public ThreadModeRules(RuleContext context) {
    super(context);
  }

  public void bothThreadModesGiveTheSameFilter() {
    forAll(MODES, this::checkModes);
  }

  private void checkModes(Case drawn) {
    FilledFilter shared = new FilledFilter(subject(), drawn.withMode(ThreadMode.SHARED));
    FilledFilter confined = new FilledFilter(subject(), drawn.withMode(ThreadMode.CONFINED));
    assertEquals(shared.filter().layout(), confined.filter().layout());
    assertBytes(shared.filter(), confined.filter(), "bytes");
    checkSameAnswers(drawn, shared.filter(), confined.filter());
    assertBytes(shared.filter().copy(), confined.filter().copy(), "bytes of copies");
  }

  private static void checkSameAnswers(Case drawn, Filter shared, Filter confined) {
    Hashes hashes = new Hashes(drawn.seed() + 2);
    int puts = Math.min(drawn.put(), 1_000);
    checkSameAnswers(hashes.next(puts), hash -> put(shared, hash), hash -> put(confined, hash));
    checkSameAnswers(hashes.next(puts), shared::mightContain, confined::mightContain);
    // A large filter must not be filled beyond the drawn number of hashes.
    int length = Math.max(1, Math.min(drawn.length(), drawn.put()));
    long[] batch = hashes.next(drawn.from() + length);
    int from = drawn.from();
    assertEquals(putAll(shared, batch, from), putAll(confined, batch, from), "new ones of a batch");
    assertBytes(shared, confined, "bytes after a batch");
    int[] here = new int[batch.length];
    int[] there = new int[batch.length];
    int to = batch.length;
    assertEquals(
        shared.select(batch, from / 2, to, here),
        confined.select(batch, from / 2, to, there),
        "found of a batch");
    assertArrayEquals(here, there, "which are found of a batch");
    if (shared instanceof RemovableFilter one && confined instanceof RemovableFilter two) {
      int half = from + length / 2;
      assertEquals(
          one.removeAll(batch, half, to), two.removeAll(batch, half, to), "removed of a batch");
      long[] some = Arrays.copyOfRange(batch, from, Math.min(half, from + puts));
      checkSameAnswers(some, one::approximateCount, two::approximateCount);
      checkSameAnswers(some, one::remove, two::remove);
      assertBytes(shared, confined, "bytes after removes");
    }
  }

  private static void assertBytes(Filter shared, Filter confined, String what) {
    assertArrayEquals(Subject.write(shared), Subject.write(confined), what);
  }

  private static void checkSameAnswers(
      long[] hashes, LongFunction<Object> shared, LongFunction<Object> confined) {
    for (long hash : hashes) {
      assertEquals(shared.apply(hash), confined.apply(hash), () -> "answer for " + hash);
    }
  }

  /** Puts a hash and returns the result. */
  private static Object put(Filter filter, long hash) {
    try {
      return filter.put(hash);
    } catch (FilterFullException e) {
      return "full";
    }
  }

  private static Object putAll(Filter filter, long[] hashes, int from) {
    try {
      return filter.putAll(hashes, from, hashes.length);
    } catch (FilterFullException e) {
      return "full";
    }
  }

  public void aParallelCollectorGivesTheSequentialFilter() {
    // A separate pool, so that threads other than this one create the filter on any machine.
    ForkJoinPool pool = new ForkJoinPool(2);
    try {
      checkCollector(Case.of(500, 0.01), pool, 20);
      checkCollector(Case.of(500, 0.01).withMode(ThreadMode.SHARED), pool, 20);
      forAll(
          Domain.everyFilter().keys(1, 100_000).maxPut(3_000),
          drawn -> checkCollector(drawn, pool, tier().choose(3, 10, 20)));
    } finally {
      pool.shutdown();
    }
  }

  private void checkCollector(Case drawn, ForkJoinPool pool, int rounds) {
    FilterBuilder<Long> shared =
        subject()
            .bloomery()
            .<Long>keys(KeyHasher.longs())
            .expect(drawn.keys())
            .variant(subject().provider().variant())
            .fpp(drawn.rate());
    FilterBuilder<Long> builder = drawn.mode() == ThreadMode.SHARED ? shared : shared.confined();
    long first = drawn.seed();
    long end = first + Math.min(drawn.put(), drawn.keys());
    BloomFilter<Long> expected = builder.create();
    for (long key = first; key < end; key++) {
      expected.put(key);
    }
    byte[] bytes = Subject.write(expected.filter());
    for (int round = 0; round < rounds; round++) {
      // A collector fills small filters in parts.
      boolean together = drawn.mode() == ThreadMode.SHARED && round % 2 == 1;
      Callable<BloomFilter<Long>> collecting =
          () -> {
            Stream<Long> keys = LongStream.range(first, end).parallel().boxed();
            return together ? together(keys, builder.create()) : keys.collect(builder.toFilter());
          };
      BloomFilter<Long> collected = pool.submit(collecting).join();
      assertArrayEquals(bytes, Subject.write(collected.filter()), "bytes of the collected filter");
    }
  }

  private static BloomFilter<Long> together(Stream<Long> keys, BloomFilter<Long> filter) {
    keys.forEach(filter::put);
    return filter;
  }
}
