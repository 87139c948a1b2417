package io.bloomery.conformance.internal.kit;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** Numbers at which arithmetic is likely to fail. */
public final class BoundaryValues {

  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    2,
    7,
    8,
    63,
    64,
    65,
    127,
    128,
    255,
    256,
    32_767,
    65_535,
    65_536,
    (1L << 31) - 1,
    1L << 31,
    -1L << 31,
    (1L << 32) - 1,
    1L << 32,
    (1L << 32) + 64,
    1L << 33,
    // The largest table, one with a bit too many, and the largest counts.
    ((1L << 31) - 8) * 64,
    ((1L << 31) - 8) * 64 + 64,
    1L << 37,
    1L << 40,
    1L << 53,
    1L << 62,
    (1L << 62) + 8,
    Long.MAX_VALUE - 7,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1
  };

  private static final double[] RATES = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1e-6,
    1e-300,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Math.nextDown(1.0),
    Math.nextUp(1.0),
    0x1p-63,
    0x1p-64
  };

  private BoundaryValues() {}

  /** Returns such numbers, including doubles, and some close to the correct one. */
  public static long[] around(long right) {
    Set<Long> values = new LinkedHashSet<>();
    Arrays.stream(NUMBERS).forEach(values::add);
    Arrays.stream(RATES).mapToLong(Double::doubleToRawLongBits).forEach(values::add);
    // A NaN that arithmetic does not produce.
    values.add(0xfff0_dead_beef_0001L);
    for (int bit = 0; bit < 8; bit++) {
      values.add(right ^ (1L << bit));
    }
    for (long step : new long[] {1, 8, 63, 64, 128, 256, 512, 1L << 32}) {
      values.add(right + step);
      values.add(right - step);
    }
    values.add(2 * right);
    values.add(right / 2);
    values.add(-right);
    values.add(~right);
    values.add(right | Long.MIN_VALUE);
    values.remove(right);
    return values.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns a replacement for a correct number: one of these numbers, or a close one. */
  public static long instead(long right, SplittableRandom random) {
    return switch (random.nextInt(7)) {
      case 0 -> right + 1;
      case 1 -> right - 1;
      case 2 -> 2 * right;
      case 3 -> right ^ (1L << random.nextInt(Long.SIZE));
      case 4 -> random.nextLong() >>> random.nextInt(Long.SIZE);
      case 5 -> right + Long.SIZE * (random.nextLong(9) - 4);
      default -> NUMBERS[random.nextInt(NUMBERS.length)];
    };
  }

  /** Returns the bits of a rate, which may be invalid. */
  public static long rate(SplittableRandom random) {
    return Double.doubleToRawLongBits(
        random.nextBoolean() ? RATES[random.nextInt(RATES.length)] : random.nextDouble());
  }
}
