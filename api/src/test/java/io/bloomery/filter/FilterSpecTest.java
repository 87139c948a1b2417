package io.bloomery.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterSpecTest {

  private static String refusal(long keys, double rate, String hashId) {
    return assertThrows(IllegalArgumentException.class, () -> FilterSpec.of(keys, rate, hashId))
        .getMessage();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void fewerThanOneKeyIsRefused(long keys) {
    assertEquals("expected keys must be at least 1, but was " + keys, refusal(keys, 0.01, "raw"));
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        0,
        -0.0,
        1,
        -1,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        100
      })
  void ratesThatAreNoneAreRefused(double rate) {
    String message = refusal(10, rate, "raw");
    assertTrue(
        message.startsWith("rate must be between 0 and 1 (exclusive), but was " + rate), message);
  }

  @Test
  void aRateInPercentIsAnsweredWithTheNumberToWrite() {
    assertTrue(refusal(10, 1.5, "raw").endsWith("for 1.5 % write 0.015"));
  }

  @ParameterizedTest
  @CsvSource({"1, 1e-20", "1000000, 1e-13", "10000000000, 1e-9", "1, 4.9e-324"})
  void ratesBelowTheFloorOfTheHashAreRefusedWithTheFloor(long keys, double rate) {
    String message = refusal(keys, rate, "raw");
    assertTrue(message.contains("at least " + FilterSpec.lowestRate(keys)), message);
    assertTrue(message.contains("64-bit hashes"), message);
  }

  @Test
  void theFloorItselfIsAllowed() {
    FilterSpec.of(1_000, FilterSpec.lowestRate(1_000));
    assertThrows(
        IllegalArgumentException.class,
        () -> FilterSpec.of(1_000, Math.nextDown(FilterSpec.lowestRate(1_000))));
  }

  /** Products of doubles would be rounded to the same number on both sides. */
  @ParameterizedTest
  @ValueSource(longs = {1, 3, (1L << 53) + 1, (1L << 62) + 1, (1L << 62) + 513, Long.MAX_VALUE / 3})
  void theFloorIsExactForManyKeys(long keys) {
    double floor = FilterSpec.lowestRate(keys);
    assertTrue(new BigDecimal(floor).compareTo(share(keys)) >= 0);
    assertTrue(new BigDecimal(Math.nextDown(floor)).compareTo(share(keys)) < 0);
    assertEquals(keys, FilterSpec.of(keys, floor).expectedKeys());
    assertThrows(IllegalArgumentException.class, () -> FilterSpec.of(keys, Math.nextDown(floor)));
  }

  private static BigDecimal share(long keys) {
    return new BigDecimal(keys).divide(BigDecimal.valueOf(2).pow(63));
  }

  @Test
  void halfIsTooLowARateForMoreThanHalfOfAllHashes() {
    FilterSpec.of(1L << 62, 0.5);
    assertThrows(IllegalArgumentException.class, () -> FilterSpec.of((1L << 62) + 1, 0.5));
  }

  @Test
  void hashIdsThatAFileCannotHoldAreRefused() {
    assertThrows(NullPointerException.class, () -> FilterSpec.of(1, 0.1, null));
    for (String id : new String[] {"", "with space", "ü", "x".repeat(256), "new\nline"}) {
      assertTrue(refusal(1, 0.1, id).startsWith("hash id must be"), id);
    }
    FilterSpec.of(1, 0.1, "x".repeat(255));
  }

  /** In the digits that were written, whatever those are in binary. */
  @Test
  void theNumberToWriteHasTheDigitsOfThePercentage() {
    for (int hundredths = 100; hundredths < 10_000; hundredths++) {
      BigDecimal percent = BigDecimal.valueOf(hundredths, 2);
      double meant = percent.movePointLeft(2).doubleValue();
      assertTrue(
          refusal(10, percent.doubleValue(), "raw")
              .endsWith("for " + percent.doubleValue() + " % write " + meant),
          percent::toString);
    }
  }

  @Test
  void theTextIsShortWhateverTheHashIdAndTheAttributes() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      String id = "h".repeat(1 + random.nextInt(255));
      String letter = random.nextBoolean() ? "a" : "\ud83d\ude00";
      String value = letter.repeat(random.nextInt(900 / letter.getBytes(UTF_8).length));
      FilterSpec spec =
          FilterSpec.of(1L << 60, 0.22345678901234567, id).withAttributes(Map.of("name", value));
      String text = spec.toString();
      assertTrue(text.length() <= 220, text);
      assertEquals(text, new String(text.getBytes(UTF_8), UTF_8), "no half of a pair");
      assertEquals(id.length() <= 60, text.contains("hashed by " + id + ", with "), text);
    }
  }
}
