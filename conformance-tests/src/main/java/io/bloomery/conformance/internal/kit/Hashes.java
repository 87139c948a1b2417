package io.bloomery.conformance.internal.kit;

import java.util.SplittableRandom;

/** An endless sequence of uniform hashes that are all different from each other. */
public final class Hashes {

  private final SplittableRandom random;

  /** Starts the sequence that belongs to a seed. */
  public Hashes(long seed) {
    // SplittableRandom mixes a counter by a bijection: no number comes twice in 2^64.
    this.random = new SplittableRandom(seed);
  }

  public long next() {
    return random.nextLong();
  }

  public long[] next(int count) {
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = next();
    }
    return hashes;
  }
}
