package io.bloomery.hash;

/** A hasher of this library whose keys are primitive longs. */
interface EncodedLongHasher extends EncodedHasher<Long>, LongKeyHasher {

  @Override
  default Encoding<Long> encoding() {
    return Encoding.longs();
  }

  @Override
  default LongKeyHasher withSeed(long seed) {
    return (LongKeyHasher) EncodedHasher.super.withSeed(seed);
  }

  @Override
  default LongKeyHasher secret(byte[] secret) {
    return (LongKeyHasher) EncodedHasher.super.secret(secret);
  }
}
