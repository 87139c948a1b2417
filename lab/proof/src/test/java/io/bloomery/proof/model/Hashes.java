package io.bloomery.proof.model;

import io.bloomery.filter.Filter;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Hashes that no filter under test mistakes for each other, so that models are exact. */
final class Hashes {

  /** The number of hashes; the greatest parameter of an operation is one less. */
  static final int SIZE = 4;

  private static final int ATTEMPTS = 10_000;

  private Hashes() {}

  /**
   * Draws hashes each of which has a position of its own: a filter of all others does not contain
   * it, nor one of which puts were begun.
   */
  static long[] distinct(Supplier<? extends Filter> empty) {
    RandomGenerator random = new SplittableRandom(1);
    for (int i = 0; i < ATTEMPTS; i++) {
      long[] hashes = random.longs(SIZE).toArray();
      if (areDistinct(hashes, empty)) {
        return hashes;
      }
    }
    throw new AssertionError("all draws collide");
  }

  private static boolean areDistinct(long[] hashes, Supplier<? extends Filter> empty) {
    for (int i = 0; i < SIZE; i++) {
      Filter others = empty.get();
      others.putAll(hashes, 0, i);
      others.putAll(hashes, i + 1, SIZE);
      if (others.mightContain(hashes[i])) {
        return false;
      }
    }
    return true;
  }
}
