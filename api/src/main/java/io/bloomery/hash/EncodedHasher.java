package io.bloomery.hash;

import io.bloomery.internal.HashId;

/** A hasher of this library that hashes the bytes of an encoding. */
interface EncodedHasher<K> extends KeyHasher<K> {

  Encoding<K> encoding();

  @Override
  default KeyHasher<K> withSeed(long seed) {
    HashId id = HashId.parse(id());
    if (id.hasSecret()) {
      throw new IllegalArgumentException(
          "a hasher with a seed must have no secret, but is "
              + id()
              + "; leave the seed out: secrets give different hashes as seeds do");
    }
    if (id.hasSeed()) {
      throw new IllegalArgumentException(
          "a hasher takes one seed, but "
              + id()
              + " has one; give the other to a hasher that has none");
    }
    return encoding().hasher().apply(Xxh3.seeded(seed));
  }

  @Override
  default KeyHasher<K> readyIn(KeyForm form) {
    if (form != KeyForm.PLAIN && !encoding().isTextOrBytes()) {
      throw KeyForms.notOfTextOrBytes(this, form);
    }
    return KeyHasher.super.readyIn(form);
  }

  @Override
  default KeyHasher<K> withForm(KeyForm form) {
    if (form == KeyForm.PLAIN) {
      return this;
    }
    throw KeyForms.notOfTextOrBytes(this, form);
  }

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
