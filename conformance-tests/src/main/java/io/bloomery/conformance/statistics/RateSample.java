package io.bloomery.conformance.statistics;

import java.io.Serializable;

/**
 * A measurement of the false-positive rate of some filters.
 *
 * @param what a short description of the filters and keys
 * @param keys n, the number of distinct hashes put into each filter
 * @param filters T, the number of filters that share the trials
 * @param probes k, the planned number of probes
 * @param bits m, the planned size of one filter
 * @param trials N, the total number of queries for absent hashes
 * @param hits X, the number of them that were found
 */
public record RateSample(
    String what, long keys, int filters, int probes, long bits, long trials, long hits)
    implements Serializable {

  private static final double HALF_ERROR = 0.5e-6;

  /** Returns the measured rate. */
  public double rate() {
    return (double) hits / trials;
  }

  /** Returns the lower limit of the 99.9999 % Clopper-Pearson interval of the rate. */
  public double lowest() {
    return Binomial.lowest(hits, trials, HALF_ERROR);
  }

  /** Returns the upper limit of the 99.9999 % Clopper-Pearson interval of the rate. */
  public double highest() {
    return Binomial.highest(hits, trials, HALF_ERROR);
  }
}
