package io.bloomery.proof.rate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/** An exact fraction, not reduced. */
record Ratio(BigInteger numerator, BigInteger denominator) implements Comparable<Ratio> {

  static final Ratio ZERO = of(0, 1);
  static final Ratio ONE = of(1, 1);

  private static final MathContext DIGITS = new MathContext(30);
  private static final int MANY_BITS = 250;

  static Ratio of(long numerator, long denominator) {
    return new Ratio(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
  }

  /** Returns the number that a double is, without rounding. */
  static Ratio of(double number) {
    BigDecimal decimal = new BigDecimal(number);
    return decimal.scale() > 0
        ? new Ratio(decimal.unscaledValue(), BigInteger.TEN.pow(decimal.scale()))
        : new Ratio(decimal.toBigIntegerExact(), BigInteger.ONE);
  }

  Ratio plus(Ratio other) {
    // Most denominators are powers of the same number.
    BigInteger[] times = other.denominator.divideAndRemainder(denominator);
    if (times[1].signum() == 0) {
      return new Ratio(numerator.multiply(times[0]).add(other.numerator), other.denominator);
    }
    return new Ratio(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  Ratio minus(Ratio other) {
    return plus(new Ratio(other.numerator.negate(), other.denominator));
  }

  Ratio times(Ratio other) {
    return new Ratio(numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  Ratio over(Ratio other) {
    return times(new Ratio(other.denominator, other.numerator));
  }

  Ratio pow(int exponent) {
    return new Ratio(numerator.pow(exponent), denominator.pow(exponent));
  }

  /** Returns 1 minus this. */
  Ratio rest() {
    return ONE.minus(this);
  }

  /** Returns the probability that one of two independent events occurs. */
  Ratio or(Ratio other) {
    return rest().times(other.rest()).rest();
  }

  /** Returns this number to 50 digits behind the point. */
  Ratio rounded() {
    BigInteger scale = BigInteger.TEN.pow(50);
    return new Ratio(numerator.multiply(scale).divide(denominator), scale);
  }

  /** Returns this number to 30 digits. */
  BigDecimal decimal() {
    Ratio near = toManyBits();
    return new BigDecimal(near.numerator).divide(new BigDecimal(near.denominator), DIGITS);
  }

  /** Returns by how much of this a number is larger, or smaller if negative. */
  BigDecimal excessOf(Ratio number) {
    Ratio near = toManyBits();
    return number.toManyBits().minus(near).over(near).decimal();
  }

  // A difference of nearly equal numbers, as doubles and rates are, keeps 60 digits of these 75.
  private Ratio toManyBits() {
    return new Ratio(highest(numerator), BigInteger.ONE)
        .over(new Ratio(highest(denominator), BigInteger.ONE))
        .shifted(shift(numerator) - shift(denominator));
  }

  private Ratio shifted(int bits) {
    return bits < 0
        ? new Ratio(numerator, denominator.shiftLeft(-bits))
        : new Ratio(numerator.shiftLeft(bits), denominator);
  }

  private static BigInteger highest(BigInteger number) {
    return number.shiftRight(shift(number));
  }

  private static int shift(BigInteger number) {
    return Math.max(0, number.bitLength() - MANY_BITS);
  }

  @Override
  public int compareTo(Ratio other) {
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }
}
