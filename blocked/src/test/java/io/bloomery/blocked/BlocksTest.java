package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.Sizing;
import io.bloomery.spi.TableLayout;
import org.junit.jupiter.api.Test;

class BlocksTest {

  @Test
  void rateBelowAMillionthIsRefusedAndStandardNamed() {
    Blocks.smallest(FilterSpec.of(1_000, 1e-6));
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> Blocks.smallest(FilterSpec.of(1_000, Math.nextDown(1e-6))))
            .getMessage();
    assertTrue(
        message.contains("at least 1.0E-6") && message.contains("variant standard"), message);
  }

  @Test
  void sizeBeyondOneTableIsRefusedWithTheBitsNeeded() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> Blocks.smallest(FilterSpec.of(1_000_000_000_000L, 0.01)))
            .getMessage();
    assertTrue(message.matches(".* but need 10446\\d{9}; ask for fewer keys .*"), message);
  }

  // The first word of two comes from 32 bits, here from two values or three.
  @Test
  void tablesWhoseWordsComeUnevenlyAreMadeLarger() {
    long keys = (3L << 29) * Long.SIZE * 100 / 1046;
    TableLayout layout = Blocks.smallest(FilterSpec.of(keys, 0.01));
    double even = TwoWordPatterns.rotated().sizing(2).rate(keys, layout.bits() / 64.0 / 3);
    assertTrue(even < 0.01 / 1.14 && even > 0.01 / 1.16, "rate of even words " + even);
    double wanted = 0.01 - Sizing.collisionRate(keys);
    assertTrue(Blocks.rate(keys, layout) <= wanted);
    TableLayout less = TableLayout.ofBits(layout.bits() - Long.SIZE).withProbes(layout.probes());
    assertTrue(Blocks.rate(keys, less) > wanted);
  }
}
