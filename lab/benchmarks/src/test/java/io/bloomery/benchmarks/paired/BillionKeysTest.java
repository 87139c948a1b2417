package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.Filter;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A filter of a billion keys is built and asked, and keeps its rate. */
final class BillionKeysTest {

  private static final int BATCH = 512;

  /** So many keys that were put are looked for, and ten times as many that were not. */
  private static final long PRESENT = 10_000_000;

  private static final long ABSENT = 100_000_000;

  // One in three million, on either side.
  private static final double DEVIATIONS = 5;

  private final LongKeyHasher hasher = KeyHasher.longs();
  private final long[] hashes = new long[BATCH];
  private final int[] hits = new int[BATCH];

  @ParameterizedTest
  @ValueSource(strings = {"standard", "blocked"})
  @Tag("nightly")
  void aBillionKeys(String variant) {
    buildAndAsk(variant, 1_000_000_000, PRESENT, ABSENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "blocked"})
  void aThousandthOfIt(String variant) {
    buildAndAsk(variant, 1_000_000, PRESENT / 1_000, ABSENT / 100);
  }

  private void buildAndAsk(String variant, long keys, long present, long absent) {
    FilterBuilder<Long> builder =
        Bloomery.longs().expect(keys).variant(variant).fpp(0.01).confined();
    Filter filter = builder.create().filter();
    long start = System.nanoTime();
    for (long key = 0; key < keys; key += BATCH) {
      filter.putAll(hashes, 0, hash(key, keys));
    }
    double put = perKey(start, keys);
    assertEquals(present, ask(filter, keys - present, keys));
    start = System.nanoTime();
    double measured = (double) ask(filter, keys, keys + absent) / absent;
    double asked = perKey(start, absent);
    double planned = builder.plan().falsePositiveRate(keys);
    double bound = DEVIATIONS * Math.sqrt(planned / absent);
    String report =
        String.format(
            Locale.ROOT,
            "%s, %,d keys: put %.1f ns, batch miss %.1f ns, %.2f GB, rate %.6f, planned %.6f +- %.6f",
            variant,
            keys,
            put,
            asked,
            filter.payloadSize() / 1e9,
            measured,
            planned,
            bound);
    System.out.println(report);
    assertTrue(Math.abs(measured - planned) <= bound, report);
  }

  private static double perKey(long start, long keys) {
    return (double) (System.nanoTime() - start) / keys;
  }

  private long ask(Filter filter, long from, long to) {
    long found = 0;
    for (long key = from; key < to; key += BATCH) {
      found += filter.select(hashes, 0, hash(key, to), hits);
    }
    return found;
  }

  private int hash(long from, long to) {
    int size = (int) Math.min(BATCH, to - from);
    for (int i = 0; i < size; i++) {
      hashes[i] = hasher.hash(from + i);
    }
    return size;
  }
}
