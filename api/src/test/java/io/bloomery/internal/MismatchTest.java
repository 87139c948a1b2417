package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MismatchTest {

  private static Mismatch.Side side(String place, long keys, double rate, long bits) {
    return new Mismatch.Side(place, "v", "raw", "plain", keys, rate, Map.of("bits", bits));
  }

  private static String incompatibility(long keys, double rate, long bits) {
    return Mismatch.of(side("here", 100, 0.01, 64), side("there", keys, rate, bits)).orElse("");
  }

  @Test
  void whatWasAskedForDifferentlyIsSaidBeforeTheLayoutsItMade() {
    assertEquals(
        "expected keys must make the same layout, but 100 here made {bits=64} and 200 there made"
            + " {bits=128}",
        incompatibility(200, 0.01, 128));
    assertEquals(
        "rate must make the same layout, but 0.01 here made {bits=64} and 0.001 there made"
            + " {bits=128}",
        incompatibility(100, 0.001, 128));
    assertEquals(
        "expected keys and rate must make the same layout, but 100 at 0.01 here made {bits=64} and"
            + " 200 at 0.001 there made {bits=128}",
        incompatibility(200, 0.001, 128));
    assertEquals(
        "layout must be equal, but is {bits=64} here and {bits=128} there",
        incompatibility(100, 0.01, 128));
  }

  @Test
  void whatMadeTheSameLayoutFitsWhateverWasAskedFor() {
    assertEquals("", incompatibility(101, 0.02, 64));
  }

  @Test
  void whatCannotBeChangedByNumbersComesFirst() {
    Mismatch.Side other =
        new Mismatch.Side("there", "w", "raw", "plain", 200, 0.1, Map.of("bits", 1L));
    assertEquals(
        Optional.of("variant must be equal, but is v here and w there"),
        Mismatch.of(side("here", 100, 0.01, 64), other));
  }
}
