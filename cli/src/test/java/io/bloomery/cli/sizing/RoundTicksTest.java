package io.bloomery.cli.sizing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class RoundTicksTest {

  @Example
  void ticksAreAsManyAsThereIsRoomFor() {
    assertEquals(List.of(0L, 1L, 2L, 3L), RoundTicks.upTo(3, 7));
    assertEquals(List.of(0L, 100_000L, 200_000L, 300_000L), RoundTicks.upTo(370_368, 7));
    assertEquals(List.of(0L, 50_000L, 100_000L), RoundTicks.upTo(110_000, 4));
    assertEquals(List.of(0L), RoundTicks.upTo(9, 1));
  }

  @Property(tries = 2_000, seed = "1")
  void stepsAreOneTwoOrFiveTimesAPowerOfTen(
      @ForAll @LongRange(min = 1) long last, @ForAll @IntRange(min = 4, max = 20) int most) {
    List<Long> ticks = RoundTicks.upTo(last, most);
    assertTrue(ticks.size() <= most, ticks + "");
    // The next smaller step gives too many ticks, and no step is more than two and a half times the
    // one before it.
    assertTrue(ticks.size() * 5L >= Math.min(last, most) || ticks.size() > last, ticks + "");
    long step = ticks.get(1);
    assertTrue(Long.toString(step).matches("[125]0*"), step + "");
    for (int i = 0; i < ticks.size(); i++) {
      assertEquals(i * step, (long) ticks.get(i));
    }
    assertTrue(last - ticks.get(ticks.size() - 1) < step, ticks + " up to " + last);
  }
}
