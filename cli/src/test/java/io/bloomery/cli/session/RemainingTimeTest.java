package io.bloomery.cli.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class RemainingTimeTest {

  private static final long ALL = 1_000_000_000;

  /** Requests the estimate every second, and compares it with the true remaining time. */
  private static void assertKnown(double seconds, DoubleUnaryOperator doneAfter) {
    RemainingTime remaining = new RemainingTime(ALL);
    for (int second = 0; second < seconds; second++) {
      Optional<Duration> shown =
          remaining.after(Duration.ofSeconds(second), (long) doneAfter.applyAsDouble(second));
      if (second < 3) {
        assertEquals(Optional.empty(), shown, "after " + second + " s");
      } else {
        double error = shown.orElseThrow().toSeconds() - (seconds - second);
        assertTrue(Math.abs(error) <= 0.05 * seconds + 1, shown + " after " + second + " s");
      }
    }
  }

  @Test
  void whatGoesEvenlyIsKnownAfterThreeSeconds() {
    assertKnown(100, second -> ALL * second / 100);
    assertKnown(10_000, second -> ALL * second / 10_000);
  }

  @Test
  void aSlowStartMakesNoHoursOfAMinute() {
    assertKnown(61, second -> Math.max(second * 1000, ALL * (second - 1) / 60));
  }

  @Test
  void nothingIsSaidOfWhatCannotBeKnown() {
    RemainingTime unknown = new RemainingTime(Progress.UNKNOWN);
    RemainingTime stuck = new RemainingTime(ALL);
    for (int second = 0; second < 100; second++) {
      assertEquals(Optional.empty(), unknown.after(Duration.ofSeconds(second), 1000L * second));
      assertEquals(Optional.empty(), stuck.after(Duration.ofSeconds(second), 5));
    }
  }

  @Test
  void moreThanThereWasToDoLeavesNothing() {
    RemainingTime remaining = new RemainingTime(10);
    remaining.after(Duration.ofSeconds(1), 1);
    assertEquals(Optional.of(Duration.ZERO), remaining.after(Duration.ofSeconds(4), 20));
  }
}
