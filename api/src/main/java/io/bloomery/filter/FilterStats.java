package io.bloomery.filter;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * Statistics of a filter, from its bits as they are at one moment, held against what it was made
 * for.
 *
 * <p>A filter whose expected keys were passed keeps answering, but no longer at its rate: {@link
 * #isOverfull} says so, {@link #excessKeys} by how many keys, and {@link #falsePositiveRate} what
 * the rate is now.
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
    this.approximateKeys = builder.approximateKeys;
  }

  /** Starts the statistics of a filter that was made for {@code spec}. */
  public static Builder of(FilterSpec spec) {
    return new Builder(spec);
  }

  /** Returns the same statistics, to be changed: for filters that are made of others. */
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
   * Returns the bits that queries look at; fewer than {@link FilterPlan#sizeInBits} where a variant
   * keeps more than queries need, such as counts.
   */
  public long sizeInBits() {
    return sizeInBits;
  }

  /** Returns how many of these bits are set. */
  public long setBits() {
    return setBits;
  }

  /** Returns the share of bits that are set. */
  public double fill() {
    return (double) setBits / sizeInBits;
  }

  /** Returns the rate for keys never put, from the bits as they are. */
  public double falsePositiveRate() {
    return falsePositiveRate;
  }

  /**
   * Returns how many different keys were put, estimated; empty when every bit is set and nothing
   * can be said. For a table of m bits with k probes the estimate is {@code ln(1 - X/m) / (k ln(1 -
   * 1/m))} for X set bits, with a standard error of {@code sqrt(m (e^c - c - 1)) / k} keys where
   * {@code c = kn/m}: below 1 % of n from n = 1,000 at a rate of 1 %. Source: Swamidass and Baldi,
   * 2007, doi.org/10.1021/ci600358f.
   */
  public OptionalLong approximateKeys() {
    return approximateKeys;
  }

  /** Returns whether the filter grows when more keys come than expected, and keeps its rate. */
  public boolean grows() {
    return grows;
  }

  /** Returns how many keys the filter was made for; one that grows takes any number. */
  public long expectedKeys() {
    return spec.expectedKeys();
  }

  /**
   * Returns whether the filter holds certainly more different keys than expected, and its rate is
   * therefore higher than promised: the estimate is above the expected keys by more than four times
   * their root, which that of just as many hardly ever is. Never true of a filter that grows and
   * keeps its rate.
   */
  public boolean isOverfull() {
    double expected = spec.expectedKeys();
    return !grows
        && falsePositiveRate > spec.falsePositiveRate()
        && approximateKeys.orElse(Long.MAX_VALUE) > expected + 4 * Math.sqrt(expected);
  }

  /**
   * Returns by how many keys, estimated, there are more than expected: 0 if there are not, or the
   * filter grows; empty when every bit is set and nothing can be said.
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

  /** Returns the numbers in words, with a warning if the filter is overfull. */
  @Override
  public String toString() {
    String keys = approximateKeys.isPresent() ? "about " + approximateKeys.getAsLong() : "too many";
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

  /** What statistics are made of. Numbers that are not set are 0, and keys cannot be told. */
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

    /** Says that the filter grows: any number of keys is as expected. */
    public Builder grows() {
      this.grows = true;
      return this;
    }

    /** Sets how many bits queries look at. */
    public Builder sizeInBits(long bits) {
      this.sizeInBits = bits;
      return this;
    }

    /** Sets how many of these are set. */
    public Builder setBits(long bits) {
      this.setBits = bits;
      return this;
    }

    /** Sets the rate from the bits as they are. */
    public Builder falsePositiveRate(double rate) {
      this.falsePositiveRate = rate;
      return this;
    }

    /** Sets how many different keys were put, estimated. */
    public Builder approximateKeys(long keys) {
      this.approximateKeys = OptionalLong.of(keys);
      return this;
    }

    /** Sets how many different keys were put, estimated, or that nothing can be said. */
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
