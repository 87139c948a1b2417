package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TwoWordSizingTest {

  // At the size for 1 %.
  private static final double KEYS_PER_PAIR = 64 / 10.45;

  /**
   * A term of the rate of a pair by inclusion and exclusion: how many keys of the pair before, of
   * the pair and of the pair behind clear bits of a query on average.
   */
  private record Term(double before, double own, double behind, double times) {}

  private static final List<Term> TERMS = terms();

  private static List<Term> terms() {
    long[] patterns = TwoWordPatterns.all();
    List<Term> terms = new ArrayList<>();
    for (long query : patterns) {
      for (int a = 0; a < 8; a++) {
        for (int b = 0; b < 8; b++) {
          double first = 0;
          double second = 0;
          double either = 0;
          for (long pattern : patterns) {
            double clearFirst = shareOfRotationsThatMiss(pattern, subset(query, a));
            double clearSecond = shareOfRotationsThatMiss(pattern, subset(query, b));
            first += (1 - clearFirst) / patterns.length;
            second += (1 - clearSecond) / patterns.length;
            either += (1 - clearFirst * clearSecond) / patterns.length;
          }
          int sign = Integer.bitCount(a ^ b) % 2 == 0 ? 1 : -1;
          terms.add(new Term(first, either, second, (double) sign / patterns.length));
        }
      }
    }
    return terms;
  }

  private static long subset(long query, int which) {
    long subset = 0;
    int number = 0;
    for (long left = query; left != 0; left &= left - 1) {
      subset |= (which >> number++ & 1) != 0 ? Long.lowestOneBit(left) : 0;
    }
    return subset;
  }

  private static double shareOfRotationsThatMiss(long pattern, long bits) {
    int miss = 0;
    for (int rotation = 0; rotation < 64; rotation++) {
      miss += (Long.rotateLeft(pattern, rotation) & bits) == 0 ? 1 : 0;
    }
    return miss / 64.0;
  }

  /** Returns the rate of a pair for the mean numbers of keys in it and its neighbours. */
  private static double rate(double before, double own, double behind) {
    double rate = 0;
    for (Term term : TERMS) {
      double cleared = before * term.before + own * term.own + behind * term.behind;
      rate += term.times * Math.exp(-cleared);
    }
    return rate;
  }

  @ParameterizedTest
  @ValueSource(doubles = {4, 6, 9})
  void theRateOfALargeTableIsThatOfAPairWithTwoNeighbours(double keysPerPair) {
    long words = 1 << 20;
    double expected = rate(keysPerPair, keysPerPair, keysPerPair);
    long keys = Math.round(keysPerPair * (words - 1));
    assertEquals(expected, TwoWordSizing.rate(keys, words), 1e-5 * expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5, 20})
  void theFirstPairAndTheLastHaveOneNeighbour(int words) {
    long keys = 10L * (words - 1);
    // Numbers of keys are not Poisson's in so small a table, but shares of them are.
    double pairs = words - 1;
    double inner = 0;
    double outer = 0;
    for (Term term : TERMS) {
      double all = term.before + term.own + term.behind;
      inner += term.times * Math.pow(1 - all / pairs, (double) keys);
      outer += term.times * Math.pow(1 - (term.own + term.behind) / pairs, (double) keys);
    }
    double expected = ((pairs - 2) * inner + 2 * outer) / pairs;
    assertEquals(expected, TwoWordSizing.rate(keys, words), 1e-9 * expected);
  }

  /** Pairs come from so many values or one more, as multiplying spreads them over the table. */
  @ParameterizedTest
  @CsvSource({"2.02", "2.1", "2.37", "2.5", "2.63", "2.9", "3.4", "5.5", "8.1", "20.5"})
  void theRateOfATableWhosePairsComeUnevenlyIsNotAboveWhatIsSaid(double values) {
    long words = Math.round((1L << 32) / values) + 1;
    long keys = Math.round(KEYS_PER_PAIR * (words - 1));
    double perValue = KEYS_PER_PAIR / values;
    int pairs = 10_000;
    // Values of a pair are one of two numbers, so that there are few rates to compute.
    Map<List<Double>, Double> rates = new HashMap<>();
    double sum = 0;
    for (int i = 1; i <= pairs; i++) {
      double own = valuesOf(i, values);
      double rate =
          rates.computeIfAbsent(
              List.of(valuesOf(i - 1, values), own, valuesOf(i + 1, values)),
              of -> rate(of.get(0) * perValue, of.get(1) * perValue, of.get(2) * perValue));
      sum += own / values * rate;
    }
    double even = rate(KEYS_PER_PAIR, KEYS_PER_PAIR, KEYS_PER_PAIR);
    double said = TwoWordSizing.rate(keys, words);
    assertTrue(sum / pairs > even, "a rate that uneven pairs raise: " + sum / pairs);
    assertTrue(sum / pairs < said, sum / pairs + " where " + said + " is said");
  }

  private static double valuesOf(int pair, double values) {
    return Math.floor((pair + 1) * values) - Math.floor(pair * values);
  }

  @Test
  void oneWordLessWouldBreakTheRate() {
    for (long keys : new long[] {1, 10, 20, 30, 100, 1_000, 33_333, 1_000_000, 10_000_000_000L}) {
      for (double rate : new double[] {0.01, 0.02, 0.1, 0.5, 0.9}) {
        long words = TwoWordSizing.minWords(keys, rate);
        String what = keys + " keys at " + rate + " in " + words;
        assertTrue(TwoWordSizing.rate(keys, words) <= rate, what);
        assertTrue(
            words == TwoWordSizing.MIN_WORDS || TwoWordSizing.rate(keys, words - 1) > rate, what);
      }
    }
  }
}
