package io.bloomery.cli.option;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrowthTest {

  @ParameterizedTest
  @CsvSource({"1, 0.01", "1, 0.5", "2, 0.0003", "700, 0.9", "10000, 0.01", "2000000, 0.001"})
  void onlyAFilterThatAddsSlicesGrows(long keys, double rate) {
    List<String> growing =
        Bloomery.installed().providers().variants().stream()
            .filter(
                variant ->
                    Growth.isIn(Bloomery.strings().expect(keys).variant(variant).fpp(rate).plan()))
            .toList();
    assertEquals(List.of(DefaultVariants.GROWING), growing);
  }
}
