package io.bloomery.examples;

import io.bloomery.Bloomery;
import io.bloomery.window.LiveSlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The snippets of docs/window.md. */
public final class WindowSnippets {

  private WindowSnippets() {}

  /** The last million keys; returns whether a key is known the second time only. */
  public static boolean lastKeys() {
    SlidingBloomFilter<String> seen =
        SlidingBloomFilter.builder(Bloomery.strings().expect(1_000_000).fpp(1e-6)).create();
    boolean isNew = seen.put("order-17"); // true: it was not among the last million
    boolean isAgain = !seen.put("order-17"); // true, and its age starts over
    boolean isTold = seen.putIfAbsent("disk full"); // true: it was not, and is put
    boolean isSilent = !seen.putIfAbsent("disk full"); // true, and its age stays as it is
    return isNew && isAgain && isTold && isSilent;
  }

  /** The keys of a day. */
  public static SlidingBloomFilter<String> lastDay() {
    SlidingBloomFilter<String> today =
        SlidingBloomFilter.builder(Bloomery.strings().expect(5_000_000).fpp(0.001))
            .lasting(Duration.ofHours(24))
            .create();
    today.put("order-17");
    today.stats().isOverfull(); // true if more came than were expected: the rate is higher then
    return today;
  }

  /** A window that is saved, and opened again. */
  public static SlidingBloomFilter<String> files(SlidingBloomFilter<String> seen, Path path)
      throws IOException {
    seen.save(path); // atomically
    SlidingBloomFilter<String> again = SlidingBloomFilter.open(Bloomery.strings(), path);
    return again;
  }

  /** A window that lives in its file. */
  public static void live(Path path) throws IOException {
    try (LiveSlidingBloomFilter<String> seen =
        SlidingBloomFilter.builder(Bloomery.strings().expect(1_000_000)).openOrCreate(path)) {
      seen.put("order-17"); // in the file at once
      seen.force(); // on the disk
    }
  }
}
