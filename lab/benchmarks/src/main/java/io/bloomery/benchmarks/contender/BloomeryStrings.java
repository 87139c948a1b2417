package io.bloomery.benchmarks.contender;

import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.hash.KeyHasher;

/** A variant of Bloomery with keys that are Strings. */
final class BloomeryStrings extends BloomeryObjects<String> {

  BloomeryStrings(String variant) {
    super(variant, KeyHasher.strings());
  }

  @Override
  Filters<String> filters() {
    return Bloomery.strings();
  }
}
