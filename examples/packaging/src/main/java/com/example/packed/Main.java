package com.example.packed;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;

/** Puts a key into a filter of each variant that is named, and asks for it. */
public final class Main {

  private Main() {}

  /** Prints a line for each variant: its answer, or why there is none. */
  public static void main(String... variants) {
    for (String variant : variants) {
      System.out.println(variant + ": " + answer(variant));
    }
  }

  private static String answer(String variant) {
    try {
      BloomFilter<String> filter = Bloomery.strings().expect(100).variant(variant).create();
      filter.put("ada");
      return filter.mightContain("ada") ? "found" : "lost";
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }
}
