package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecentValuesTest {

  private int found;

  private String find(FilterSpec spec) {
    found++;
    if (spec.expectedKeys() == 13) {
      throw new IllegalArgumentException("13");
    }
    return spec.toString() + spec.attributes();
  }

  @Test
  void whatCameLastIsNotFoundAgain() {
    RecentValues<FilterSpec, String> recent = new RecentValues<>(this::find);
    FilterSpec spec = FilterSpec.of(1_000, 0.01);
    assertEquals(recent.get(spec), recent.get(FilterSpec.of(1_000, 0.01)));
    assertEquals(1, found);
  }

  /** Specs that share a place, by number and rate or by chance, are told apart. */
  @Test
  void eachSpecHasItsOwn() {
    RecentValues<FilterSpec, String> recent = new RecentValues<>(this::find);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 10_000; i++) {
      FilterSpec spec =
          FilterSpec.of(
                  1 + random.nextInt(3), 0.1 * (1 + random.nextInt(3)), "id/" + random.nextInt(2))
              .withAttributes(random.nextBoolean() ? Map.of() : Map.of("a", "b"));
      assertEquals(spec.toString() + spec.attributes(), recent.get(spec));
    }
    assertTrue(found < 10_000, () -> "found " + found + " times");
  }

  @Test
  void whatIsRefusedIsRefusedAgain() {
    RecentValues<FilterSpec, String> recent = new RecentValues<>(this::find);
    FilterSpec spec = FilterSpec.of(13, 0.01);
    assertThrows(IllegalArgumentException.class, () -> recent.get(spec));
    assertThrows(IllegalArgumentException.class, () -> recent.get(spec));
  }
}
