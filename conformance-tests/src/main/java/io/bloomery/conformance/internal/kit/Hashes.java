package io.bloomery.conformance.internal.kit;

import java.util.SplittableRandom;

/** An endless sequence of uniform, distinct hashes. */
public final class Hashes {

  private final SplittableRandom random;

  /** Creates the sequence of a seed. */
  public Hashes(long seed) {
    // SplittableRandom maps a counter by a bijection: no number is repeated within 2^64.
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
