package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterSpec;
import io.bloomery.ThreadMode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrongDropsTest {

  /**
   * Lines that are all different: every drop is wrong. Their number is a sum of rare events, so
   * that four times its root is exceeded once in 15,000; the seeds are fixed.
   */
  @ParameterizedTest
  @CsvSource({
    "standard, 20000, 0.01, 20000",
    "standard, 20000, 0.01, 60000",
    "standard, 20000, 0.3, 20000",
    "split-block, 20000, 0.01, 40000",
    "scalable, 1000, 0.05, 100000"
  })
  void theyAreAsManyAsStated(String variant, long keys, double rate, int lines) {
    SeenLines seen =
        SeenLines.in(
            Bloomery.installed()
                .provider(variant)
                .create(new FilterSpec(keys, rate), ThreadMode.CONFINED));
    WrongDrops wrong = WrongDrops.of(seen, keys);
    int dropped = 0;
    for (int i = 0; i < lines; i++) {
      if (seen.put(KeyHash.TEXT.hash(Words.at(i).getBytes(StandardCharsets.US_ASCII)))) {
        wrong.linePrinted();
      } else {
        dropped++;
      }
    }
    double stated = wrong.among(Long.MAX_VALUE);
    assertEquals(dropped, stated, 4 * Math.sqrt(dropped) + 0.05 * dropped);
    assertEquals(lines - dropped, wrong.printed());
    // Not what the rate at the end would make of it.
    if (!variant.equals("scalable")) {
      assertTrue(stated < 0.6 * seen.rate() * lines, stated + " of " + seen.rate() * lines);
    }
  }

  @Test
  void theyAreNeverMoreThanWereDropped() {
    WrongDrops wrong =
        WrongDrops.of(
            new SeenLines() {
              @Override
              public boolean put(long hash) {
                return true;
              }

              @Override
              public double rate() {
                return 1;
              }
            },
            1);
    assertEquals(0, wrong.among(3));
    wrong.linePrinted();
    assertEquals(3, wrong.among(3));
    assertEquals(0, wrong.among(0));
  }
}
