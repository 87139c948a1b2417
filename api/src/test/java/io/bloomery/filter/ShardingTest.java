package io.bloomery.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.hash.KeyHasher;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardingTest {

  private static final FilterSpec SPEC = FilterSpec.of(1_000_000, 0.01, "xxh3-64/utf8");

  /** Vectors of docs/FORMAT.md. */
  @Test
  void theShardOfAHashIsTheSameForEver() {
    long hash = 0x78af5f94892f3950L;
    assertEquals(0, Sharding.of(SPEC, 1).shardOf(hash));
    assertEquals(6, Sharding.of(SPEC, 64).shardOf(hash));
    assertEquals(103, Sharding.of(SPEC, 1000).shardOf(hash));
    assertEquals(6785, Sharding.of(SPEC, 1 << 16).shardOf(hash));
    assertEquals(0, Sharding.of(SPEC, 64).shardOf(0));
    assertEquals(45, Sharding.of(SPEC, 64).shardOf(1));
    assertEquals(704, Sharding.of(SPEC, 1000).shardOf(1));
    assertEquals(25781, Sharding.of(SPEC, 1 << 16).shardOf(-1));
  }

  @Test
  void aShardIsMadeForTheMeanAndSixDeviations() {
    FilterSpec shard = Sharding.of(SPEC, 100).spec(7);
    assertEquals(10_597, shard.expectedKeys()); // 10,000 and six times the root of 9,900
    assertEquals(SPEC.hashId(), shard.hashId());
    assertEquals(Map.of("bloomery.shard", "7/100"), shard.attributes());
    assertEquals(SPEC.expectedKeys(), Sharding.of(SPEC, 1).spec(0).expectedKeys());
    assertEquals(5, Sharding.of(FilterSpec.of(5, 0.01), 64).spec(63).expectedKeys());
  }

  /**
   * A query meets an equal hash in its shard as often as in the whole: what the table of a shard
   * may have of the rate is what that of the whole may have.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 64, 65_536})
  void equalHashesTakeAsMuchOfTheRateAsInTheWhole(int shards) {
    for (long keys : new long[] {1, 1_000, 1L << 40, 1L << 61}) {
      double lowest = FilterSpec.lowestRate(keys);
      for (double rate : new double[] {lowest, Math.min(0.9, 3 * lowest), 0.99}) {
        if (rate < lowest) {
          continue;
        }
        FilterSpec shard = Sharding.of(FilterSpec.of(keys, rate), shards).spec(0);
        double ofTable = shard.falsePositiveRate() - shard.expectedKeys() * 0x1p-64;
        assertEquals(rate - keys * 0x1p-64, ofTable, 1e-9 * rate, keys + " at " + rate);
      }
    }
  }

  /**
   * 2 million successive longs, and as many hashes that successive longs are: each of 1,000 shards
   * has 2,000 and not more than six deviations from it. A false alarm comes once in 10^5 changes of
   * the function.
   */
  @Test
  void keysAreSpreadEvenly() {
    Sharding sharding = Sharding.of(SPEC, 1_000);
    int[] ofKeys = new int[1_000];
    int[] ofCounts = new int[1_000];
    for (long i = 0; i < 2_000_000; i++) {
      ofKeys[sharding.shardOf(KeyHasher.longs().hash(i))]++;
      ofCounts[sharding.shardOf(i)]++;
    }
    for (int shard = 0; shard < 1_000; shard++) {
      assertEquals(2_000, ofKeys[shard], 6 * Math.sqrt(2_000), "keys of shard " + shard);
      assertEquals(2_000, ofCounts[shard], 6 * Math.sqrt(2_000), "counts of shard " + shard);
    }
  }

  @Test
  void whatCannotBeCutIsRefused() {
    assertEquals(
        "shards must be from 1 to 65536, but were 0",
        assertThrows(IllegalArgumentException.class, () -> Sharding.of(SPEC, 0)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> Sharding.of(SPEC, 65_537));
    Sharding sharding = Sharding.of(SPEC, 4);
    FilterSpec shard = sharding.spec(3);
    assertEquals(
        "a shard must not be cut again, but is 3/4 already; cut the whole into more",
        assertThrows(IllegalArgumentException.class, () -> Sharding.of(shard, 2)).getMessage());
    assertThrows(IndexOutOfBoundsException.class, () -> sharding.spec(4));
    Map<String, String> many = new TreeMap<>();
    for (int i = 0; i < 16; i++) {
      many.put("a" + i, "");
    }
    FilterSpec full = SPEC.withAttributes(many);
    String message =
        assertThrows(IllegalArgumentException.class, () -> Sharding.of(full, 4)).getMessage();
    assertTrue(message.contains("are 17, with bloomery.shard, which Bloomery adds"), message);
  }

  @Test
  void equalCutsAreEqual() {
    assertEquals(Sharding.of(SPEC, 4), Sharding.of(SPEC, 4));
    assertEquals(Sharding.of(SPEC, 4).hashCode(), Sharding.of(SPEC, 4).hashCode());
    assertNotEquals(Sharding.of(SPEC, 4), Sharding.of(SPEC, 5));
    assertNotEquals(Sharding.of(SPEC, 4), Sharding.of(FilterSpec.of(7, 0.01), 4));
  }
}
