package io.bloomery.partitioned;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.FilterSpec;
import org.junit.jupiter.api.Test;

class BlocksTest {

  @Test
  void rateBelowAMillionthIsRefusedAndStandardNamed() {
    Blocks.fewest(new FilterSpec(1_000, 1e-6));
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> Blocks.fewest(new FilterSpec(1_000, Math.nextDown(1e-6))))
            .getMessage();
    assertTrue(
        message.contains("at least 1.0E-6") && message.contains("variant standard"), message);
  }

  @Test
  void sizeBeyondOneTableIsRefusedWithTheBitsNeeded() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> Blocks.fewest(new FilterSpec(1_000_000_000_000L, 0.01)))
            .getMessage();
    assertTrue(message.matches(".* but need 10446\\d{9}; ask for fewer keys .*"), message);
  }
}
