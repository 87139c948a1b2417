package io.bloomery.proof.rate;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

/** The false-positive rates that docs/rates.md derives, without rounding. */
final class ExactRates {

  private static final int ROTATIONS = 64;

  private static final Ratio NEGLIGIBLE = new Ratio(BigInteger.ONE, BigInteger.TEN.pow(40));

  private ExactRates() {}

  /** Returns {@code (1 - (1 - 1/s)^n)^k}: that of k slices of s bits. */
  static Ratio slices(int keys, long sliceBits, int slices) {
    return Ratio.of(1, sliceBits).rest().pow(keys).rest().pow(slices);
  }

  /** Returns {@code (1 - (1 - k/m)^n)^k}: the bound of one table of m bits. */
  static Ratio bound(int keys, long bits, int probes) {
    return Ratio.of(probes, bits).rest().pow(keys).rest().pow(probes);
  }

  /**
   * Returns {@code 1 - e^-x} to 35 digits, by as many terms of the series of {@code e^x}, which are
   * all positive.
   */
  static Ratio textbookFill(Ratio x) {
    BigInteger scale = BigInteger.TEN.pow(60);
    BigInteger term = scale;
    BigInteger sum = term;
    for (int i = 1; term.signum() > 0; i++) {
      term = term.multiply(x.numerator()).divide(x.denominator().multiply(BigInteger.valueOf(i)));
      sum = sum.add(term);
    }
    return new Ratio(scale, sum).rest();
  }

  /** Returns {@code (1 - e^(-kn/m))^k}. */
  static Ratio textbook(int keys, long bits, int probes) {
    return textbookFill(Ratio.of((long) probes * keys, bits)).pow(probes);
  }

  /** The rates of one table by occupancy: {@code E[(X/m)^k]} after kn balls in m bins. */
  static final class Table {

    private final int bits;
    private final int probes;
    private final BigInteger[] factors; // of (m - j)^balls

    Table(int bits, int probes) {
      this.bits = bits;
      this.probes = probes;
      this.factors = factors(bits, probes);
    }

    // The probes of a query are d different bits in S(k, d) m (m-1) ... (m-d+1) of m^k cases. By
    // inclusion and exclusion all d are set with probability sum over j of (-1)^j C(d, j)
    // ((m-j)/m)^balls.
    private static BigInteger[] factors(int bits, int probes) {
      BigInteger[] factors = new BigInteger[probes + 1];
      Arrays.fill(factors, BigInteger.ZERO);
      BigInteger[] stirling = stirling(probes);
      BigInteger falling = BigInteger.ONE;
      for (int d = 1; d <= Math.min(probes, bits); d++) {
        falling = falling.multiply(BigInteger.valueOf(bits - d + 1));
        BigInteger cases = stirling[d].multiply(falling);
        BigInteger choose = BigInteger.ONE;
        for (int j = 0; j <= d; j++) {
          BigInteger term = cases.multiply(choose);
          factors[j] = j % 2 == 0 ? factors[j].add(term) : factors[j].subtract(term);
          choose = choose.multiply(BigInteger.valueOf(d - j)).divide(BigInteger.valueOf(j + 1));
        }
      }
      return factors;
    }

    private static BigInteger[] stirling(int k) {
      BigInteger[] row = new BigInteger[k + 1];
      Arrays.fill(row, BigInteger.ZERO);
      row[0] = BigInteger.ONE;
      for (int i = 1; i <= k; i++) {
        for (int j = i; j > 0; j--) {
          row[j] = row[j].multiply(BigInteger.valueOf(j)).add(row[j - 1]);
        }
        row[0] = BigInteger.ZERO;
      }
      return row;
    }

    Ratio rate(int keys) {
      int balls = probes * keys;
      BigInteger sum = BigInteger.ZERO;
      for (int j = 0; j < factors.length && j <= bits; j++) {
        sum = sum.add(factors[j].multiply(BigInteger.valueOf(bits - j).pow(balls)));
      }
      return new Ratio(sum, BigInteger.valueOf(bits).pow(balls + probes));
    }
  }

  /**
   * Returns the mean rate of blocks, each of which a key is in with a probability.
   *
   * @param inBlock the rate of a block of a number of keys
   */
  static Ratio blocks(int keys, Ratio share, IntFunction<Ratio> inBlock) {
    Ratio sum = Ratio.ZERO;
    BigInteger choose = BigInteger.ONE;
    for (int i = 0; i <= keys; i++) {
      Ratio chance =
          new Ratio(choose, BigInteger.ONE).times(share.pow(i)).times(share.rest().pow(keys - i));
      sum = sum.plus(chance.times(inBlock.apply(i)));
      choose = choose.multiply(BigInteger.valueOf(keys - i)).divide(BigInteger.valueOf(i + 1));
    }
    return sum;
  }

  /**
   * Returns the mean rate of blocks if the number of keys in each has a Poisson distribution.
   *
   * @param mean the mean number of keys in a block
   */
  static Ratio poissonBlocks(Ratio mean, IntFunction<Ratio> inBlock) {
    Ratio chance = textbookFill(mean).rest();
    Ratio left = chance.rest();
    Ratio sum = Ratio.ZERO;
    for (int i = 1; left.compareTo(NEGLIGIBLE) > 0; i++) {
      chance = chance.times(mean).over(Ratio.of(i, 1)).rounded();
      left = left.minus(chance);
      sum = sum.plus(chance.times(inBlock.apply(i)).rounded());
    }
    return sum;
  }

  /** Rates of blocks of a number of words, with as many probes of a key in each word. */
  static IntFunction<Ratio> words(int words, int probes) {
    Table word = new Table(Long.SIZE, probes);
    Map<Integer, Ratio> rates = new HashMap<>();
    return keys -> rates.computeIfAbsent(keys, i -> word.rate(i).pow(words));
  }

  /**
   * The rates of pairs of words with a pattern of a key rotated in each, by inclusion and exclusion
   * over the bits of a query.
   */
  static final class Pairs {

    private final long[] patterns;
    private final int pairs;
    private final Map<Long, Integer> terms = new TreeMap<>(); // by placements that leave bits clear
    private final long placements;
    private final int queries;

    private Pairs(long[] patterns, int pairs, int queries) {
      this.patterns = patterns;
      this.pairs = pairs;
      this.queries = queries * patterns.length;
      this.placements = (long) pairs * patterns.length * ROTATIONS * ROTATIONS;
    }

    /** Pairs of which none shares a word with another. */
    static Pairs apart(long[] patterns, int pairs) {
      Pairs all = new Pairs(patterns, pairs, 1);
      all.addQueries(1, 0, 0);
      return all;
    }

    /** Pairs of neighbouring words, of which there is one more. */
    static Pairs overlapping(long[] patterns, int pairs) {
      Pairs all = new Pairs(patterns, pairs, pairs);
      all.addQueries(1, 0, 1);
      all.addQueries(1, 1, 0);
      all.addQueries(pairs - 2, 1, 1);
      return all;
    }

    // left and right: the number of pairs that share the first or the second word of the query's.
    private void addQueries(int times, int left, int right) {
      for (long query : patterns) {
        for (long first = query; ; first = (first - 1) & query) {
          long[] clearFirst = clear(first);
          for (long second = query; ; second = (second - 1) & query) {
            long[] clearSecond = clear(second);
            long clear =
                (long) (pairs - 1 - left - right) * patterns.length * ROTATIONS * ROTATIONS;
            for (int i = 0; i < patterns.length; i++) {
              clear += clearFirst[i] * clearSecond[i];
              clear += left * clearFirst[i] * ROTATIONS + right * clearSecond[i] * ROTATIONS;
            }
            int sign = Long.bitCount(first ^ second) % 2 == 0 ? times : -times;
            terms.merge(clear, sign, Integer::sum);
            if (second == 0) {
              break;
            }
          }
          if (first == 0) {
            break;
          }
        }
      }
    }

    /** Returns the number of rotations of each pattern that set no bit of a word's. */
    private long[] clear(long bits) {
      long[] clear = new long[patterns.length];
      for (int i = 0; i < clear.length; i++) {
        for (int rotation = 0; rotation < ROTATIONS; rotation++) {
          clear[i] += (Long.rotateLeft(patterns[i], rotation) & bits) == 0 ? 1 : 0;
        }
      }
      return clear;
    }

    /** Returns the rate if the number of keys of each pair has a Poisson distribution. */
    Ratio poisson(int keys) {
      Ratio sum = Ratio.ZERO;
      for (Map.Entry<Long, Integer> term : terms.entrySet()) {
        Ratio clear =
            textbookFill(Ratio.of(term.getKey(), placements).rest().times(Ratio.of(keys, 1)))
                .rest();
        sum = sum.plus(Ratio.of(term.getValue(), queries).times(clear).rounded());
      }
      return sum;
    }

    Ratio rate(int keys) {
      BigInteger sum = BigInteger.ZERO;
      for (Map.Entry<Long, Integer> term : terms.entrySet()) {
        BigInteger power = BigInteger.valueOf(term.getKey()).pow(keys);
        sum = sum.add(power.multiply(BigInteger.valueOf(term.getValue())));
      }
      return new Ratio(
          sum, BigInteger.valueOf(placements).pow(keys).multiply(BigInteger.valueOf(queries)));
    }
  }

  /** The patterns of blocked filters of two words, of FORMAT.md. */
  static long[] threeBits() {
    long[] patterns = new long[64];
    for (int i = 0; i < patterns.length; i++) {
      patterns[i] = 1L | 1L << (1 + i % 31) | 1L << (32 + i / 2);
    }
    return patterns;
  }

  /** The pairs of counting filters, of FORMAT.md. */
  static long[] twoBits() {
    long[] patterns = new long[32];
    for (int i = 0; i < patterns.length; i++) {
      patterns[i] = 1L | 1L << (i + 1);
    }
    return patterns;
  }
}
