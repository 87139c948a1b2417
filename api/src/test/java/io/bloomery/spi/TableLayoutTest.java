package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableLayoutTest {

  @Test
  void aLayoutComesBackFromItsNumbers() {
    TableLayout layout = new TableLayout(BitTable.MAX_BITS, 64);
    assertEquals(layout, TableLayout.of(layout.toMap()));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 65, (1L << 32) + 7, Long.MAX_VALUE})
  void probesOutOfRangeAreRefusedHoweverLarge(long probes) {
    assertThrows(
        IllegalArgumentException.class,
        () -> TableLayout.of(Map.of("bits", 64L, "probes", probes)));
  }

  @Test
  void otherNumbersAreRefused() {
    for (Map<String, Long> numbers :
        List.of(
            Map.<String, Long>of(),
            Map.of("bits", 64L),
            Map.of("bits", 64L, "probes", 3L, "blocks", 1L))) {
      assertThrows(IllegalArgumentException.class, () -> TableLayout.of(numbers));
    }
  }
}
