package io.bloomery.benchmarks.contender;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.hash.KeyHasher;

/** A variant of Bloomery with keys that are Strings. */
final class BloomeryStrings extends BloomeryObjects<String> {

  BloomeryStrings(String variant) {
    super(variant, KeyHasher.strings());
  }

  @Override
  FilterBuilder<String> builder() {
    return Bloomery.strings();
  }
}
