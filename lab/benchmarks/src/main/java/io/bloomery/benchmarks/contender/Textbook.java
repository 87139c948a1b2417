package io.bloomery.benchmarks.contender;

/**
 * The textbook formulas for sizes, for libraries that take a number of bits or do not report
 * theirs.
 */
final class Textbook {

  private Textbook() {}

  static double bitsPerKey(double rate) {
    return -Math.log(rate) / (Math.log(2) * Math.log(2));
  }

  static long bits(long keys, double rate) {
    return (long) Math.ceil(keys * bitsPerKey(rate));
  }

  static int probes(double rate) {
    return (int) Math.round(-Math.log(rate) / Math.log(2));
  }
}
