package io.bloomery.interop;

import java.util.Random;

/** What a build draws of the cases that the nightly one has whole. */
final class DayDraw {

  private DayDraw() {}

  /** Returns random numbers by the seed of the property {@code bloomery.draw}, or a printed one. */
  static Random random() {
    long seed = Long.getLong("bloomery.draw", System.nanoTime());
    System.out.println("drawn by -Dbloomery.draw=" + seed);
    return new Random(seed);
  }
}
