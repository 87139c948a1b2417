package io.bloomery.hash;

/** A hasher of this library whose keys are bytes, in an array or in pieces. */
interface EncodedBytesHasher extends WrittenHasher<byte[]>, BytesKeyHasher {

  @Override
  default long hashWritten(byte[] bytes, int length) {
    return hash(bytes, 0, length);
  }

  @Override
  default BytesKeyHasher withSeed(long seed) {
    return (BytesKeyHasher) WrittenHasher.super.withSeed(seed);
  }

  @Override
  default BytesKeyHasher secret(byte[] secret) {
    return (BytesKeyHasher) WrittenHasher.super.secret(secret);
  }
}
