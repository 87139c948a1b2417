package io.bloomery.benchmarks.contender;

import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.hash.KeyHasher;

/** A variant of Bloomery with keys that are byte arrays. */
final class BloomeryBytes extends BloomeryObjects<byte[]> {

  BloomeryBytes(String variant) {
    super(variant, KeyHasher.byteArrays());
  }

  @Override
  Filters<byte[]> filters() {
    return Bloomery.byteArrays();
  }
}
