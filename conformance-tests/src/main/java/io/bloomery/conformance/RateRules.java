package io.bloomery.conformance;

import io.bloomery.Filter;
import io.bloomery.FilterPlan;
import io.bloomery.FilterSpec;
import io.bloomery.KeyHasher;
import io.bloomery.ThreadMode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.IntFunction;
import net.jqwik.api.Example;

/** How often absent hashes are found. */
interface RateRules extends RuleSet {

  @Example
  default void r11_theRateAskedIsKeptAtEverySize() {
    // Many filters where few keys make them differ, so that the average is close to its
    // expectation.
    for (double rate : new double[] {0.5, 0.25, 0.03, 0.01}) {
      checkRate(1, rate, 50_000, 150_000);
      checkRate(2, rate, 25_000, 150_000);
      checkRate(10, rate, 5_000, 150_000);
      checkRate(100, rate, 500, 150_000);
      checkRate(10_000, rate, 8, 200_000);
    }
    for (double rate : new double[] {1e-4, 1e-7}) {
      checkRate(1, rate, 50_000, 300_000);
      checkRate(2, rate, 25_000, 300_000);
      checkRate(10, rate, 5_000, 300_000);
      checkRate(100, rate, 500, 300_000);
      checkRate(10_000, rate, 8, 300_000);
    }
    checkRate(1_000_000, 0.01, 1, 300_000);
  }

  private void checkRate(int size, double rate, int filters, int probes) {
    if (subject().planIfOffered(size, rate).isPresent()) {
      FilterPlan plan = subject().plan(size, rate);
      long hits = countHits("r11", plan, size, filters, probes / filters);
      long trials = (long) filters * (probes / filters);
      String cell = filters + " filters of " + size + " keys at " + rate;
      verdict().notAbove(RateBound.of(plan, filters), hits, trials, cell);
    }
  }

  private long countHits(String purpose, FilterPlan plan, int keys, int filters, int probesEach) {
    Hashes hashes = new Hashes(purpose + plan.spec());
    Filter empty = subject().provider().create(plan.spec(), ThreadMode.SHARED);
    // Planning takes longer than copying a small filter, and there are many of these.
    boolean small = plan.spec().expectedKeys() <= 100;
    long hits = 0;
    for (int i = 0; i < filters; i++) {
      Filter filter =
          small ? empty.copy() : subject().provider().create(plan.spec(), ThreadMode.SHARED);
      Subject.put(filter, hashes.next(keys));
      for (int j = 0; j < probesEach; j++) {
        hits += filter.mightContain(hashes.next()) ? 1 : 0;
      }
    }
    return hits;
  }

  @Example
  default void r12_theRatePlannedIsTheRateMeasured() {
    checkPlannedRate(10_000, 0.1, 10_000);
    checkPlannedRate(10_000, 0.01, 10_000);
    checkPlannedRate(20_000, 0.03, 10_000);
    checkPlannedRate(100_000, 0.05, 100_000);
  }

  private void checkPlannedRate(int size, double rate, int keys) {
    FilterPlan plan = subject().plan(size, rate);
    int filters = Math.max(1, 80_000 / size);
    int probesEach = 200_000 / filters;
    long hits = countHits("r12", plan, keys, filters, probesEach);
    long trials = (long) filters * probesEach;
    double planned = plan.rate(keys);
    String cell = keys + " of " + size + " keys at " + rate;
    double above = planned * (1 + RateBound.slack(keys, plan.probes(), filters));
    verdict().notAbove(above, hits, trials, cell);
    // Some plans count the tail of a distribution as hits, or promise for a filter that grows.
    verdict().notBelow(planned / 2, hits, trials, cell);
  }

  @Example
  default void r13_structuredKeysKeepTheRate() {
    String prefix = "https://example.org/a/path/that/every/key/shares/".repeat(20);
    checkKeys("longs", KeyHasher.longs(), i -> (long) i);
    checkKeys("even longs", KeyHasher.longs(), i -> 2L * i);
    checkKeys("longs in steps of 2^40", KeyHasher.longs(), i -> (long) i << 40);
    checkKeys("longs of two equal halves", KeyHasher.longs(), i -> (long) i << 32 | i);
    checkKeys("ints", KeyHasher.ints(), i -> i);
    checkKeys("decimal numbers", KeyHasher.utf8(), Integer::toString);
    checkKeys("shared prefix", KeyHasher.utf8(), i -> prefix + i);
    checkKeys("two bits set in 64 bytes", KeyHasher.bytes(), RateRules::twoBits);
    checkKeys(
        "shared suffix",
        KeyHasher.bytes(),
        i -> (i + "@example.org").getBytes(StandardCharsets.UTF_8));
    checkKeys("uuids", KeyHasher.uuids(), i -> new UUID(0, i));
  }

  private static byte[] twoBits(int key) {
    byte[] bytes = new byte[64];
    int low = key % 256;
    int high = 256 + key / 256;
    bytes[low / Byte.SIZE] = (byte) (1 << low % Byte.SIZE);
    bytes[high / Byte.SIZE] = (byte) (1 << high % Byte.SIZE);
    return bytes;
  }

  private <K> void checkKeys(String family, KeyHasher<? super K> hasher, IntFunction<K> keys) {
    int size = 10_000;
    int probes = 50_000;
    FilterSpec spec = new FilterSpec(size, 0.01, hasher.id());
    Filter filter = subject().provider().create(spec, ThreadMode.SHARED);
    for (int i = 0; i < size; i++) {
      filter.put(hasher.hash(keys.apply(i)));
    }
    long hits = 0;
    for (int i = size; i < size + probes; i++) {
      hits += filter.mightContain(hasher.hash(keys.apply(i))) ? 1 : 0;
    }
    FilterPlan plan = subject().provider().plan(spec);
    verdict().notAbove(RateBound.of(plan, 1), hits, probes, family);
  }
}
