package io.bloomery.examples;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.io.IOException;
import java.nio.file.Path;

/** The first lines of the README. */
public final class QuickStart {

  private QuickStart() {}

  /** Creates a filter, asks it, saves it and opens it again. */
  public static void main(String... args) throws IOException {
    BloomFilter<String> seen = Bloomery.strings().expect(1_000_000).fpp(0.01).create();
    seen.put("https://example.org/"); // true: certainly not there before
    seen.mightContain("https://example.org/"); // true, always
    seen.mightContain("https://example.com/"); // false: certainly absent (true for 1 in 100)
    seen.save(Path.of("seen.bloom"));
    BloomFilter<String> again = Bloomery.strings().open(Path.of("seen.bloom"));

    System.out.println(again.mightContain("https://example.org/"));
  }
}
