package io.bloomery;

import java.util.OptionalLong;

/**
 * Statistics of a filter, from its bits as they are at one moment.
 *
 * @param sizeInBits the bits that queries look at; fewer than {@link FilterPlan#sizeInBits} where a
 *     variant keeps more than queries need, such as counts
 * @param setBits how many of them are set
 * @param falsePositiveRate the rate for keys never put, from the bits as they are
 * @param approximateKeys how many different keys were put, estimated; empty when every bit is set
 *     and nothing can be said. For a table of m bits with k probes the estimate is {@code ln(1 -
 *     X/m) / (k ln(1 - 1/m))} for X set bits, with a standard error of {@code sqrt(m (e^c - c - 1))
 *     / k} keys where {@code c = kn/m}: below 1 % of n from n = 1,000 at a rate of 1 %. Source:
 *     Swamidass and Baldi, 2007, doi.org/10.1021/ci600358f.
 */
public record FilterStats(
    long sizeInBits, long setBits, double falsePositiveRate, OptionalLong approximateKeys) {

  /** Returns the share of bits that are set. */
  public double fill() {
    return (double) setBits / sizeInBits;
  }
}
