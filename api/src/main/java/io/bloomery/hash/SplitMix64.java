package io.bloomery.hash;

/**
 * A hash function of longs: one step of SplitMix64, with two multiplications. It is a bijection, so
 * that no two longs have the same hash, and equals the output of {@link java.util.SplittableRandom}
 * for a seed. Source: Steele, Lea, Flood, 2014, doi.org/10.1145/2714064.2660195, with the constants
 * of Stafford's variant 13.
 */
enum SplitMix64 implements EncodedLongHasher {
  // decisions.md#unseeded-longs-are-hashed-by-splitmix64-not-by-xxh3-of-their-bytes

  INSTANCE;

  @Override
  public String id() {
    return "splitmix64/i64";
  }

  @Override
  public long hash(long key) {
    long hash = key + 0x9e3779b97f4a7c15L;
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return hash ^ (hash >>> 31);
  }

  @Override
  public String toString() {
    return id();
  }
}
