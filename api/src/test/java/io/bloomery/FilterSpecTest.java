package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterSpecTest {

  private static String refusal(long keys, double rate, String hashId) {
    return assertThrows(IllegalArgumentException.class, () -> new FilterSpec(keys, rate, hashId))
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
    new FilterSpec(1_000, FilterSpec.lowestRate(1_000));
    assertThrows(
        IllegalArgumentException.class,
        () -> new FilterSpec(1_000, Math.nextDown(FilterSpec.lowestRate(1_000))));
  }

  @Test
  void hashIdsThatAFileCannotHoldAreRefused() {
    assertThrows(NullPointerException.class, () -> new FilterSpec(1, 0.1, null));
    for (String id : new String[] {"", "with space", "ü", "x".repeat(256), "new\nline"}) {
      assertTrue(refusal(1, 0.1, id).startsWith("hash id must be"), id);
    }
    new FilterSpec(1, 0.1, "x".repeat(255));
  }
}
