package io.bloomery.conformance;

import java.util.SplittableRandom;

/** An endless sequence of uniform hashes that are all different from each other. */
final class Hashes {

  private final SplittableRandom random;

  /** Starts the sequence that belongs to a purpose. */
  Hashes(String purpose) {
    // SplittableRandom mixes a counter by a bijection: no number comes twice in 2^64.
    this.random = new SplittableRandom(Seeds.of(purpose));
  }

  long next() {
    return random.nextLong();
  }

  long[] next(int count) {
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = next();
    }
    return hashes;
  }

  static long[] of(String purpose, int count) {
    return new Hashes(purpose).next(count);
  }
}
