package io.bloomery.conformance.statistics;

/**
 * How often some filters found what was never put.
 *
 * @param what which filters and which keys, in a few words
 * @param keys n, how many different hashes each filter was given
 * @param filters T, how many filters share the trials
 * @param probes k, the planned number of probes
 * @param bits m, the planned size of one filter
 * @param trials N, how many absent hashes were queried in all
 * @param hits X, how many of them were found
 */
public record RateSample(
    String what, long keys, int filters, int probes, long bits, long trials, long hits) {

  private static final double HALF_ERROR = 0.5e-6;

  /** Returns the rate measured. */
  public double rate() {
    return (double) hits / trials;
  }

  /** Returns the lower end of the Clopper-Pearson interval of the rate, of 99.9999 %. */
  public double lowest() {
    return Binomial.lowest(hits, trials, HALF_ERROR);
  }

  /** Returns the upper end of the Clopper-Pearson interval of the rate, of 99.9999 %. */
  public double highest() {
    return Binomial.highest(hits, trials, HALF_ERROR);
  }
}
