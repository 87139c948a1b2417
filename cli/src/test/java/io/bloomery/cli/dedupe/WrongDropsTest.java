package io.bloomery.cli.dedupe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.PronounceableWords;
import io.bloomery.cli.input.SeenLines;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrongDropsTest {

  /**
   * All lines are distinct, so every drop is wrong. Their number is a sum of rare events, so that
   * four times its square root is exceeded once in 15,000 runs; the seeds are fixed.
   */
  @ParameterizedTest
  @CsvSource({
    "standard, 20000, 0.01, 20000",
    "standard, 20000, 0.01, 60000",
    "standard, 20000, 0.3, 20000",
    "blocked, 20000, 0.01, 40000",
    "scalable, 1000, 0.05, 100000"
  })
  void theyAreAsManyAsStated(String variant, long keys, double rate, int lines) {
    SeenLines seen =
        SeenLines.in(
            Bloomery.installed()
                .providers()
                .get(variant)
                .create(FilterSpec.of(keys, rate), ThreadMode.CONFINED));
    WrongDrops wrong = WrongDrops.of(seen::highestRate, keys);
    int dropped = 0;
    for (int i = 0; i < lines; i++) {
      if (seen.put(
          KeyHash.TEXT.hash(PronounceableWords.at(i).getBytes(StandardCharsets.US_ASCII)))) {
        wrong.linePrinted();
      } else {
        dropped++;
      }
    }
    WrongDrops.Lost lost = wrong.among(Long.MAX_VALUE);
    double stated = lost.expected();
    assertEquals(dropped, stated, 4 * Math.sqrt(dropped) + 0.05 * dropped);
    // A probability of 10^-6 is 4.75 deviations away; a third covers the rise of rates between
    // samples.
    assertTrue(dropped <= lost.atMost(), dropped + ", stated at most " + lost.atMost());
    assertTrue(
        lost.atMost() <= 1.33 * stated + 8 * Math.sqrt(stated) + 20,
        dropped + ", stated at most " + lost.atMost());
    assertEquals(lines - dropped, wrong.printed());
    // The final rate would give more.
    if (!variant.equals(DefaultVariants.GROWING)) {
      assertTrue(
          stated < 0.6 * seen.highestRate() * lines, stated + " of " + seen.highestRate() * lines);
    }
  }

  private static WrongDrops printed(double rate, long lines) {
    WrongDrops wrong = WrongDrops.of(() -> rate, 1_000_000);
    for (long i = 0; i < lines; i++) {
      wrong.linePrinted();
    }
    return wrong;
  }

  @Test
  void theyAreNeverMoreThanWereDropped() {
    WrongDrops wrong = printed(1, 1);
    assertEquals(3, wrong.among(3).atMost());
    assertEquals(3, wrong.among(3).expected());
    assertEquals(0, wrong.among(0).atMost());
  }

  @Test
  void whatIsLostBehindTheLastPrintedLineIsAmongThem() {
    assertEquals(1_000, printed(1, 0).among(1_000).atMost());
    assertEquals(0, printed(0, 0).among(1_000).atMost());
  }

  /**
   * The bits of a filter that is far too large are never wrong, but in 2 * 10^8 lines 10^-3 pairs
   * of equal 64-bit hashes are expected: one cannot be excluded with a probability of one in a
   * million, but five can. Of a hundred lines none is lost.
   */
  @Test
  void equalHashesAreAmongThem() {
    WrongDrops.Lost lost = printed(0, 200_000_000).among(Long.MAX_VALUE);
    assertTrue(lost.expected() > 1e-3 && lost.expected() < 3e-3, lost.toString());
    assertTrue(lost.atMost() >= 1 && lost.atMost() < 5, lost.toString());
    assertEquals(0, printed(1e-110, 100).among(Long.MAX_VALUE).atMost());
  }

  /** How many of a million lines are lost at a rate of one in a million is random: none to nine. */
  @Test
  void aNumberToExpectIsNoBound() {
    WrongDrops.Lost lost = printed(1e-6, 1_000_000).among(Long.MAX_VALUE);
    assertEquals(1, lost.expected(), 0.02);
    // Poisson: more than 9 with a probability of 10^-7, more than 7 with 10^-5.
    assertTrue(lost.atMost() >= 8 && lost.atMost() < 20, lost.toString());
  }
}
