package com.example.modular;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.window.SlidingBloomFilter;
import java.util.List;

/** Queries a filter of each variant in the arguments, one that is built once, and a window. */
public final class Main {

  private Main() {}

  /** Prints "asked" if every result is as expected. */
  public static void main(String... variants) {
    for (String variant : variants) {
      BloomFilter<Long> filter = Bloomery.longs().expect(1_000).variant(variant).create();
      if (!filter.put(7L) || !filter.mightContain(7L)) {
        throw new IllegalStateException("wrong answer: " + variant);
      }
    }
    if (!Bloomery.longs().fpp(0.001).build(List.of(7L)).mightContain(7L)) {
      throw new IllegalStateException("wrong answer: built once");
    }
    SlidingBloomFilter<String> window =
        SlidingBloomFilter.builder(Bloomery.strings().expect(1_000).fpp(1e-6)).create();
    if (!window.put("ada") || window.put("ada")) {
      throw new IllegalStateException("wrong answer: window");
    }
    System.out.println(
        "asked in " + Main.class.getModule() + " on Java " + Runtime.version().feature());
  }
}
