package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilterView;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A query of a member by a view takes at most one and a half times what it takes to hash the same
 * bytes and compute the same positions: the median of the ratios of 61 rounds, in turns.
 */
class QuerySpeedTest {

  private static final int KEYS = 20_000;
  private static final int ROUNDS = 61;
  private static final double LIMIT = 1.5;

  private static long sum; // so that no position is left out

  /** The positions of an item, added up. */
  @FunctionalInterface
  private interface Positions {
    long of(Item item, long bits, int probes);
  }

  private static byte[][] keys() {
    SplittableRandom random = new SplittableRandom(28);
    byte[][] keys = new byte[KEYS][];
    for (int i = 0; i < KEYS; i++) {
      keys[i] = new byte[8 + random.nextInt(24)];
      random.nextBytes(keys[i]);
    }
    return keys;
  }

  private static void compare(ForeignFormat format, Positions positions) {
    byte[][] keys = keys();
    ForeignFilter filter = format.create(KEYS, 0.01);
    filter.putAll(Arrays.asList(keys), ItemEncoding.bytes());
    BloomFilterView<byte[]> view = filter.view(ItemEncoding.bytes());
    long bits = filter.table().bits();
    int probes = filter.table().probes;
    Item item = new Item();
    double[] ratios = new double[ROUNDS];
    for (int round = -20; round < ROUNDS; round++) {
      long start = System.nanoTime();
      for (byte[] key : keys) {
        item.length = 0;
        item.add(key);
        sum += positions.of(item, bits, probes);
      }
      long computed = System.nanoTime();
      for (byte[] key : keys) {
        sum += view.mightContain(key) ? 1 : 0;
      }
      if (round >= 0) {
        ratios[round] = (double) (System.nanoTime() - computed) / (computed - start);
      }
    }
    Arrays.sort(ratios);
    double median = ratios[ROUNDS / 2];
    System.out.printf(Locale.ROOT, "%-14s %4.2f of the positions alone%n", format, median);
    assertTrue(sum != 0);
    assertTrue(median <= LIMIT, () -> format + ": " + median);
  }

  @Test
  @Tag("nightly")
  void aQueryIsHardlyMoreThanItsPositions() {
    compare(
        ForeignFormat.GUAVA,
        (item, bits, probes) -> {
          Hashes.murmur128(item);
          long added = 0;
          long c = item.h1;
          for (int i = 0; i < probes; i++, c += item.h2) {
            added += (c & Long.MAX_VALUE) % bits;
          }
          return added;
        });
    compare(
        ForeignFormat.CASSANDRA_4,
        (item, bits, probes) -> {
          Hashes.cassandra128(item);
          long added = 0;
          long c = item.h2;
          for (int i = 0; i < probes; i++, c += item.h1) {
            added += Math.abs(c % bits);
          }
          return added;
        });
    compare(
        ForeignFormat.SPARK_V2,
        (item, bits, probes) -> {
          int h1 = Hashes.spark32(item, 0);
          int h2 = Hashes.spark32(item, h1);
          long added = 0;
          long c = (long) h1 * Integer.MAX_VALUE;
          for (int i = 0; i < probes; i++) {
            c += h2;
            added += (c < 0 ? ~c : c) % bits;
          }
          return added;
        });
    compare(
        ForeignFormat.DATASKETCHES,
        (item, bits, probes) -> {
          long c = Hashes.xxh64(item, 9001);
          long step = Hashes.xxh64(item, c);
          long added = 0;
          for (int i = 0; i < probes; i++) {
            c += step;
            added += (c >>> 1) % bits;
          }
          return added;
        });
    compare(
        ForeignFormat.ORC,
        (item, bits, probes) -> {
          long hash = Hashes.hiveMurmur64(item);
          int c = (int) hash;
          long added = 0;
          for (int i = 0; i < probes; i++) {
            c += (int) (hash >>> 32);
            added += (c < 0 ? ~c : c) % bits;
          }
          return added;
        });
  }
}
