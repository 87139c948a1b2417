package io.bloomery.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomery.filter.FilterLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableLayoutTest {

  @Test
  void aLayoutComesBackFromItsNumbers() {
    TableLayout layout = new TableLayout(BitTable.MAX_BITS, 64);
    assertEquals(layout, TableLayout.of(layout.toLayout()));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 65, (1L << 32) + 7, Long.MAX_VALUE})
  void probesOutOfRangeAreRefusedHoweverLarge(long probes) {
    assertThrows(
        IllegalArgumentException.class,
        () -> TableLayout.of(FilterLayout.of("bits", 64).with("probes", probes)));
  }

  @Test
  void otherNumbersAreRefused() {
    for (FilterLayout numbers :
        List.of(
            FilterLayout.EMPTY,
            FilterLayout.of("bits", 64),
            FilterLayout.of("bits", 64).with("probes", 3).with("blocks", 1))) {
      assertThrows(IllegalArgumentException.class, () -> TableLayout.of(numbers));
    }
  }
}
