package io.bloomery.benchmarks.contender;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.hash.KeyHasher;

/** A variant of Bloomery with keys that are byte arrays. */
final class BloomeryBytes extends BloomeryObjects<byte[]> {

  BloomeryBytes(String variant) {
    super(variant, KeyHasher.byteArrays());
  }

  @Override
  FilterBuilder<byte[]> builder() {
    return Bloomery.byteArrays();
  }
}
