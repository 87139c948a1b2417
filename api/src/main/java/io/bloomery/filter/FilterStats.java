package io.bloomery.filter;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * A snapshot of the statistics of a filter, computed from its bits and compared with its
 * specification.
 *
 * <p>A filter with more than the expected keys still has no false negatives, but exceeds its
 * false-positive probability: see {@link #isOverfull}, {@link #excessKeys} for the number of keys,
 * and {@link #falsePositiveRate} for the current rate.
 */
public final class FilterStats {

  private final FilterSpec spec;
  private final boolean grows;
  private final long sizeInBits;
  private final long setBits;
  private final double falsePositiveRate;
  private final OptionalLong approximateKeys;

  private FilterStats(Builder builder) {
    this.spec = builder.spec;
    this.grows = builder.grows;
    this.sizeInBits = builder.sizeInBits;
    this.setBits = builder.setBits;
    this.falsePositiveRate = builder.falsePositiveRate;
    this.approximateKeys = spec.isIntersection() ? OptionalLong.empty() : builder.approximateKeys;
  }

  /** Returns a builder of the statistics of a filter that was created for {@code spec}. */
  public static Builder of(FilterSpec spec) {
    return new Builder(spec);
  }

  /**
   * Returns a builder with the values of these statistics, for filters that are composed of others.
   */
  public Builder toBuilder() {
    Builder builder = new Builder(spec);
    builder.grows = grows;
    builder.sizeInBits = sizeInBits;
    builder.setBits = setBits;
    builder.falsePositiveRate = falsePositiveRate;
    builder.approximateKeys = approximateKeys;
    return builder;
  }

  /**
   * Returns the number of bits that queries read; less than {@link FilterPlan#sizeInBits} if the
   * variant also stores other bits, such as counts.
   */
  public long sizeInBits() {
    return sizeInBits;
  }

  /** Returns the number of these bits that are set. */
  public long setBits() {
    return setBits;
  }

  /** Returns the fill: the fraction of bits that are set, 0 if there are no bits. */
  public double fill() {
    return setBits == 0 ? 0 : (double) setBits / sizeInBits;
  }

  /**
   * Returns the current false-positive probability, computed from the bits that are set; in an
   * {@linkplain FilterSpec#isIntersection intersection} that of keys which none of its filters
   * contains.
   */
  public double falsePositiveRate() {
    return falsePositiveRate;
  }

  /**
   * Returns an estimate of the number of distinct keys put; empty if all bits are set, which allows
   * no estimate, and in an {@linkplain FilterSpec#isIntersection intersection}, of whose bits some
   * belong to no key of it. For a table of m bits with k probes the estimate is {@code ln(1 - X/m)
   * / (k ln(1 - 1/m))} for X set bits, with a standard error of {@code sqrt(m (e^c - c - 1)) / k}
   * keys where {@code c = kn/m}: below 1 % of n from n = 1,000 at a rate of 1 %. Source: Swamidass
   * and Baldi, 2007, doi.org/10.1021/ci600358f.
   */
  public OptionalLong approximateKeys() {
    return approximateKeys;
  }

  /**
   * Returns whether the filter grows beyond the expected keys and keeps its false-positive
   * probability.
   */
  public boolean grows() {
    return grows;
  }

  /** Returns the expected number of keys, which a filter that grows may exceed. */
  public long expectedKeys() {
    return spec.expectedKeys();
  }

  /**
   * Returns whether the filter holds more distinct keys than expected, so that its false-positive
   * probability is higher than guaranteed: the estimate exceeds the expected number by more than
   * four times its square root, or four standard errors of an estimate if these are more, which
   * hardly ever happens at exactly that number. If all bits are set, it is true: the expected keys
   * set them all where the requested rate is close to 1. Never true of a filter that grows and
   * keeps its rate, nor of an intersection, whose keys cannot be told.
   */
  public boolean isOverfull() {
    double expected = spec.expectedKeys();
    return !grows
        && !spec.isIntersection()
        && falsePositiveRate > spec.falsePositiveRate()
        && (approximateKeys.isEmpty() || approximateKeys.getAsLong() > expected + 4 * error());
  }

  /**
   * Returns the standard error of the estimate of keys for a table of m bits, or the square root of
   * the expected keys if that is more, for filters whose bits do not tell it. The mean number of
   * times that a bit was set is c = -ln(1 - fill).
   */
  private double error() {
    double c = -Math.log1p(-fill());
    double ofBits =
        c > 0 && sizeInBits > 0
            ? (double) approximateKeys.orElse(0) / c * Math.sqrt((Math.expm1(c) - c) / sizeInBits)
            : 0;
    return Math.max(Math.sqrt((double) spec.expectedKeys()), ofBits);
  }

  /**
   * Returns an estimate of the number of keys in excess of the expected number: 0 if there are none
   * or the filter grows; empty if {@link #approximateKeys} is.
   */
  public OptionalLong excessKeys() {
    if (grows) {
      return OptionalLong.of(0);
    }
    return approximateKeys.isEmpty()
        ? approximateKeys
        : OptionalLong.of(Math.max(0, approximateKeys.getAsLong() - spec.expectedKeys()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FilterStats stats
        && stats.spec.equals(spec)
        && stats.grows == grows
        && stats.sizeInBits == sizeInBits
        && stats.setBits == setBits
        && Double.compare(stats.falsePositiveRate, falsePositiveRate) == 0
        && stats.approximateKeys.equals(approximateKeys);
  }

  @Override
  public int hashCode() {
    return Objects.hash(spec, grows, sizeInBits, setBits, falsePositiveRate, approximateKeys);
  }

  /** Returns the statistics as text, with a warning if the filter is overfull. */
  @Override
  public String toString() {
    String unknown = spec.isIntersection() ? "an unknown number of" : "too many";
    String keys = approximateKeys.isPresent() ? "about " + approximateKeys.getAsLong() : unknown;
    return setBits
        + " of "
        + sizeInBits
        + " bits set, "
        + keys
        + " keys, a rate of "
        + falsePositiveRate
        + (isOverfull()
            ? ", overfull: made for " + spec.expectedKeys() + " keys at " + spec.falsePositiveRate()
            : "");
  }

  /**
   * A builder of statistics. The default of each number is 0, and that of the estimate of keys is
   * empty.
   */
  public static final class Builder {

    private final FilterSpec spec;
    private boolean grows;
    private long sizeInBits;
    private long setBits;
    private double falsePositiveRate;
    private OptionalLong approximateKeys = OptionalLong.empty();

    private Builder(FilterSpec spec) {
      this.spec = Objects.requireNonNull(spec, "spec");
    }

    /** Marks the filter as one that grows beyond the expected keys. */
    public Builder grows() {
      this.grows = true;
      return this;
    }

    /** Sets the number of bits that queries read. */
    public Builder sizeInBits(long bits) {
      this.sizeInBits = bits;
      return this;
    }

    /** Sets the number of these bits that are set. */
    public Builder setBits(long bits) {
      this.setBits = bits;
      return this;
    }

    /** Sets the current false-positive probability. */
    public Builder falsePositiveRate(double rate) {
      this.falsePositiveRate = rate;
      return this;
    }

    /** Sets the estimate of the number of distinct keys put. */
    public Builder approximateKeys(long keys) {
      this.approximateKeys = OptionalLong.of(keys);
      return this;
    }

    /** Sets the estimate of the number of distinct keys put, or empty if there is none. */
    public Builder approximateKeys(OptionalLong keys) {
      this.approximateKeys = Objects.requireNonNull(keys, "keys");
      return this;
    }

    /** Returns the statistics. */
    public FilterStats build() {
      return new FilterStats(this);
    }
  }
}
