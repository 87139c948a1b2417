package io.bloomery.filter;

import io.bloomery.internal.Attributes;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The partitioning of a filter into shards: which shard a hash belongs to, and the specification of
 * each shard. Shards are independent filters, of any variant, that are queried together as one: for
 * filters larger than a table, a heap or a machine, and for builds whose parts run independently.
 *
 * <p>The shard is selected by a hash of the hash, since filters use every bit of the hash itself,
 * which must stay uniform within a shard. Each shard is sized for its mean number of keys plus six
 * standard deviations, which the fullest of 65,536 shards of 10,000 keys exceeds in one build of
 * 11,000; the false-positive probability of the whole is the mean over the shards. A 64-bit hash
 * equals one of n others in its shard as often as in the whole, so that the lowest rate is that of
 * the whole, too. {@code docs/FORMAT.md} has the numbers.
 */
public final class Sharding {
  // decisions.md#the-shard-of-a-hash-is-chosen-by-a-hash-of-the-hash

  /** The largest number of shards. */
  public static final int MAX_SHARDS = 1 << 16;

  private static final int DEVIATIONS = 6;

  private final FilterSpec spec;
  private final int shards;
  private final long keysOfShard;
  private final double rateOfShard;

  private Sharding(FilterSpec spec, int shards) {
    this.spec = spec;
    this.shards = shards;
    this.keysOfShard = keysOfShard(spec.expectedKeys(), shards);
    // A shard allows for hash collisions with its own keys only.
    double others = (spec.expectedKeys() - keysOfShard) * 0x1p-64;
    this.rateOfShard =
        Math.max(spec.falsePositiveRate() - others, FilterSpec.lowestRate(keysOfShard));
    spec(shards - 1); // throws if there is no room for one more attribute
  }

  /**
   * Returns the sharding of a filter.
   *
   * @param spec the specification of the whole filter
   * @param shards from 1 to {@value #MAX_SHARDS}
   * @throws IllegalArgumentException if the number of shards is out of range, or the spec is that
   *     of a shard, or has 16 attributes already, since a shard needs one of its own
   */
  public static Sharding of(FilterSpec spec, int shards) {
    if (shards < 1 || shards > MAX_SHARDS) {
      throw new IllegalArgumentException(
          "shards must be from 1 to " + MAX_SHARDS + ", but were " + shards);
    }
    if (spec.attributes().containsKey(Attributes.SHARD)) {
      throw new IllegalArgumentException(
          "a shard must not be cut again, but is "
              + spec.attributes().get(Attributes.SHARD)
              + " already; cut the whole into more");
    }
    return new Sharding(spec, shards);
  }

  private static long keysOfShard(long keys, int shards) {
    long mean = keys / shards + (keys % shards == 0 ? 0 : 1);
    double deviation = StrictMath.sqrt(mean * (1 - 1.0 / shards));
    return Math.min(keys, mean + (long) StrictMath.ceil(DEVIATIONS * deviation));
  }

  /** Returns the specification of the whole filter. */
  public FilterSpec spec() {
    return spec;
  }

  /** Returns the number of shards. */
  public int shards() {
    return shards;
  }

  /** Returns the index of the shard that a hash belongs to, from 0 to {@link #shards} - 1. */
  public int shardOf(long hash) {
    // Appleby, 2011, MurmurHash3, fmix64: each bit of the result depends on all bits of the hash.
    long mixed = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    mixed ^= mixed >>> 33;
    return (int) Math.multiplyHigh(mixed >>> 1, 2L * shards);
  }

  /**
   * Returns the specification of a shard. It has the hash id and the attributes of the whole, and
   * an attribute with the index and the number of shards.
   */
  public FilterSpec spec(int shard) {
    Objects.checkIndex(shard, shards);
    SortedMap<String, String> attributes = new TreeMap<>(spec.attributes());
    attributes.put(Attributes.SHARD, shard + "/" + shards);
    return FilterSpec.of(keysOfShard, rateOfShard, spec.hashId()).withAttributes(attributes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sharding that && that.shards == shards && that.spec.equals(spec);
  }

  @Override
  public int hashCode() {
    return 31 * spec.hashCode() + shards;
  }

  @Override
  public String toString() {
    return shards + " shards of " + spec;
  }
}
