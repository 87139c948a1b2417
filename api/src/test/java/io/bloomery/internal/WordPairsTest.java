package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordPairsTest {

  // As the variants have them: pairs that lie apart of two bits, and overlapping ones of three.
  private static final long[] PATTERNS_OF_TWO =
      LongStream.range(1, 33).map(distance -> 1L | (1L << distance)).toArray();
  private static final long[] PATTERNS_OF_THREE =
      LongStream.range(0, 64).map(i -> 1L | (2L << i % 31) | (1L << (32 + i / 2))).toArray();
  private static final RotatedPatterns OF_TWO = new RotatedPatterns(PATTERNS_OF_TWO);
  private static final RotatedPatterns OF_THREE = new RotatedPatterns(PATTERNS_OF_THREE);

  /** Of 20 tables each, within six standard errors of an estimate from 256 pairs: 1e-9 each. */
  @ParameterizedTest(name = "{0} keys per pair, step {1}")
  @CsvSource({
    "0.01, 1, 0.2", "0.3, 1, 0.2", "1, 1, 0.2", "3, 1, 0.1", "6, 1, 0.03", "15, 1, 0.02",
    "0.01, 2, 0.2", "0.3, 2, 0.2", "1, 2, 0.2", "3, 2, 0.1", "6, 2, 0.03", "15, 2, 0.02",
    "200, 1, 1e-4", "200, 2, 1e-4"
  })
  void theRateIsCloseToTheMeanOverAllPairs(double load, int step, double off) {
    RotatedPatterns patterns = step == 1 ? OF_THREE : OF_TWO;
    SplittableRandom random = new SplittableRandom(71);
    double sum = 0;
    int tables = 20;
    for (int table = 0; table < tables; table++) {
      long[] words = words(1_400 + 2 * random.nextInt(20_000), step, load, random);
      double exact = exact(patterns, words, step);
      double rate = new WordPairs(WordRange.of(words), words.length, step).rate(patterns);
      assertEquals(exact, rate, off * exact, words.length + " words");
      sum += rate / exact - 1;
    }
    // Nor is it off on average.
    assertEquals(0, sum / tables, off / 6 / Math.sqrt(tables) * 5);
  }

  @ParameterizedTest
  @CsvSource({"2, 1", "2, 2", "3, 1", "1024, 1", "1025, 1", "1026, 1", "1026, 2", "2048, 2"})
  void upTo1024PairsAreAllMeasured(int count, int step) {
    RotatedPatterns patterns = step == 1 ? OF_THREE : OF_TWO;
    SplittableRandom random = new SplittableRandom(72);
    for (double load : new double[] {0, 0.1, 2, 300}) {
      // Only the first pairs have keys, however large the table is.
      long[] words = new long[count + 100_000];
      System.arraycopy(words(count, step, load, random), 0, words, 0, count);
      for (int size : new int[] {count, words.length}) {
        long[] some = Arrays.copyOf(words, size);
        double exact = exact(patterns, some, step);
        double rate = new WordPairs(WordRange.of(some), size, step).rate(patterns);
        if (count <= 1_025) {
          assertEquals(exact, rate, 1e-12 * exact);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void pairsAreCountedAndAFullTableHasRateOne(int step) {
    long[] words = new SplittableRandom(73).longs(4_098).toArray();
    WordPairs pairs = new WordPairs(WordRange.of(words), words.length, step);
    long[][] counts = new long[65][65];
    for (int i = 0; i + 1 < words.length; i += step) {
      counts[Long.bitCount(words[i])][Long.bitCount(words[i + 1])]++;
    }
    for (int first = 0; first <= 64; first++) {
      for (int second = 0; second <= 64; second++) {
        assertEquals(counts[first][second], pairs.count(first, second));
      }
    }
    Arrays.fill(words, -1);
    pairs = new WordPairs(WordRange.of(words), words.length, step);
    assertEquals(1, pairs.rate(step == 1 ? OF_THREE : OF_TWO));
  }

  /** Whatever the size: the cost beside that of one pass is that of some hundred pairs. */
  @ParameterizedTest
  @CsvSource({"1", "2"})
  void aLargeTableIsReadLittleMoreThanOnce(int step) {
    RotatedPatterns patterns = step == 1 ? OF_THREE : OF_TWO;
    int count = 1_000_000;
    long[] words = words(count, step, 6, new SplittableRandom(74));
    long[] copied = new long[1];
    WordRange counted =
        (first, into, size) -> {
          copied[0] += size;
          WordRange.of(words).copy(first, into, size);
        };
    new WordPairs(counted, count, step).rate(patterns);
    assertTrue(copied[0] < 1.05 * count, copied[0] + " words");
  }

  private static long[] words(int count, int step, double load, SplittableRandom random) {
    long[] patterns = step == 1 ? PATTERNS_OF_THREE : PATTERNS_OF_TWO;
    long[] words = new long[count];
    int pairs = (count - 2) / step + 1;
    for (long key = 0; key < load * pairs; key++) {
      int first = random.nextInt(pairs) * step;
      long pattern = patterns[random.nextInt(patterns.length)];
      words[first] |= Long.rotateLeft(pattern, random.nextInt(64));
      words[first + 1] |= Long.rotateLeft(pattern, random.nextInt(64));
    }
    return words;
  }

  private static double exact(RotatedPatterns patterns, long[] words, int step) {
    double sum = 0;
    for (int i = 0; i + 1 < words.length; i += step) {
      sum += patterns.rate(words[i], words[i + 1]);
    }
    return sum / ((words.length - 2) / step + 1);
  }
}
