package io.bloomery.hash;

import io.bloomery.internal.HashId;

/** A hasher of this library, whose keys are hashed by the bytes of an encoding. */
interface EncodedHasher<K> extends KeyHasher<K> {

  Encoding<K> encoding();

  @Override
  default KeyHasher<K> secret(byte[] secret) {
    HashId id = HashId.parse(id());
    if (id.hasSeed()) {
      throw new IllegalArgumentException(
          "a hasher with a secret must have no seed, but is "
              + id()
              + "; leave the seed out: secrets give different hashes as seeds do");
    }
    if (id.hasSecret()) {
      throw new IllegalArgumentException(
          "a hasher takes one secret, but "
              + id()
              + " has one; give the other to a hasher that has none");
    }
    return encoding().hasher().apply(SipHash.of(secret));
  }
}
