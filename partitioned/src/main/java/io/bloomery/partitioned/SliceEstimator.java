package io.bloomery.partitioned;

import io.bloomery.filter.KeyEstimator;
import io.bloomery.internal.Sizing;
import java.util.OptionalDouble;
import java.util.function.LongUnaryOperator;

/** The estimator of the number of keys from the mean fill of slices. */
record SliceEstimator(int slices, long sliceWords) implements KeyEstimator {

  private long words() {
    return slices * sliceWords;
  }

  @Override
  public OptionalDouble keys(LongUnaryOperator words) {
    long setBits = 0;
    for (long i = 0; i < words(); i++) {
      setBits += Long.bitCount(words.applyAsLong(i));
    }
    return keys(setBits);
  }

  /** Returns the number of keys whose expected number of set bits in a slice is the mean. */
  OptionalDouble keys(long setBits) {
    long bits = words() * Long.SIZE;
    double clear = StrictMath.log1p(-(double) setBits / bits);
    return setBits == bits
        ? OptionalDouble.empty()
        : OptionalDouble.of(clear / StrictMath.log1p(-1.0 / (sliceWords * Long.SIZE)));
  }

  @Override
  public double variance(double keys) {
    return Sizing.variance(keys, (double) words() * Long.SIZE, slices);
  }
}
