package io.bloomery.hash;

import java.util.Objects;

/** A hasher of ints as the longs of the same value. */
record IntHasher(LongKeyHasher longs) implements EncodedHasher<Integer> {

  @Override
  public Encoding<Integer> encoding() {
    return Encoding.ints();
  }

  @Override
  public String id() {
    return longs.id();
  }

  @Override
  public long hash(Integer key) {
    return longs.hash((long) Objects.requireNonNull(key, "key must not be null"));
  }

  @Override
  public String toString() {
    return id();
  }
}
