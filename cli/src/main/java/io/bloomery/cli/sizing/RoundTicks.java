package io.bloomery.cli.sizing;

import java.util.List;
import java.util.stream.LongStream;

/** Ticks of an axis at round numbers: 0, 200, 400 and so on. */
final class RoundTicks {

  private static final int[] STEPS = {1, 2, 5};

  private RoundTicks() {}

  /**
   * Returns the multiples of 1, 2 or 5 times a power of ten from 0 to {@code last}, at most {@code
   * most} of them.
   */
  static List<Long> upTo(long last, int most) {
    long power = 1;
    while (true) {
      for (int factor : STEPS) {
        long step = power * factor;
        // A larger step would overflow.
        if (last / step < most || step > Long.MAX_VALUE / 2) {
          return LongStream.rangeClosed(0, last / step).mapToObj(i -> i * step).toList();
        }
      }
      power *= 10;
    }
  }
}
