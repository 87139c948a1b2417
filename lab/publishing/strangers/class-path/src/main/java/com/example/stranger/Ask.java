package com.example.stranger;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.guard.Guard;
import io.bloomery.guard.GuardSource;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.window.SlidingBloomFilter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Queries a filter of each variant in the arguments, one that is built once, a window, a guard and
 * a format of another system.
 */
public final class Ask {

  private Ask() {}

  /** Prints "asked" if every result is as expected. */
  public static void main(String... variants) throws Exception {
    check(variants.length > 0, "no variant is named");
    for (String variant : variants) {
      BloomFilter<String> filter =
          Bloomery.strings().expect(1_000).variant(variant).fpp(0.001).create();
      check(filter.put("ada") && filter.mightContain("ada"), variant);
      check(!filter.mightContain("bob"), variant + " of another key");
    }
    check(Bloomery.strings().fpp(0.001).build(List.of("ada")).mightContain("ada"), "built once");
    SlidingBloomFilter<String> window =
        SlidingBloomFilter.builder(Bloomery.strings().expect(1_000).fpp(1e-6)).create();
    check(window.put("ada") && !window.put("ada"), "window");
    Map<String, String> table = Map.of("ada", "Lovelace");
    try (Guard<String, String> guard =
        Guard.builder(
                Bloomery.strings().expect(1_000).fpp(0.001),
                GuardSource.of(
                    () -> table.keySet().stream(), key -> Optional.ofNullable(table.get(key))))
            .build()) {
      check(guard.get("ada").equals(Optional.of("Lovelace")), "guard");
      check(guard.get("bob").isEmpty(), "guard of another key");
    }
    check(ForeignFormat.GUAVA.name().equals("GUAVA"), "interop");
    if (Boolean.getBoolean("stranger.redis")) {
      Class.forName("io.bloomery.redis.JedisLink").getMethod("connect", String.class);
    }
    System.out.println("asked on Java " + Runtime.version().feature());
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("wrong answer: " + what);
    }
  }
}
