package io.bloomery.filter;

import io.bloomery.internal.Attributes;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a filter is cut into shards: which of them a hash belongs to, and what each of them is made
 * for. Shards are filters of their own, of any variant, and together answer as one: for filters
 * larger than a table, a heap or a machine, and for builds whose parts must not wait for each
 * other.
 *
 * <p>The shard is chosen by a hash of the hash, since filters use every bit of the hash itself:
 * within a shard these stay uniform. Each shard is made for the mean of its keys and six standard
 * deviations more, which in one build of 11,000 the fullest of 65,536 shards of 10,000 keys passes;
 * the rate of the whole is the mean of theirs. A 64-bit hash equals one of n others in its shard as
 * often as in the whole, so that the lowest rate is that of the whole, too. {@code docs/FORMAT.md}
 * has the numbers.
 */
public final class Sharding {

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
    // What a shard reserves for equal hashes is for its own keys alone.
    double others = (spec.expectedKeys() - keysOfShard) * 0x1p-64;
    this.rateOfShard =
        Math.max(spec.falsePositiveRate() - others, FilterSpec.lowestRate(keysOfShard));
    spec(shards - 1); // which refuses what has no room for one more attribute
  }

  /**
   * Cuts a filter into shards.
   *
   * @param spec the request for the whole filter
   * @param shards from 1 to {@value #MAX_SHARDS}
   * @throws IllegalArgumentException if there cannot be so many, or the spec is one of a shard, or
   *     has 16 attributes, of which a shard needs one
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

  /** Returns the request for the whole filter. */
  public FilterSpec spec() {
    return spec;
  }

  /** Returns how many shards there are. */
  public int shards() {
    return shards;
  }

  /** Returns which shard a hash belongs to, from 0 to {@link #shards} - 1. */
  public int shardOf(long hash) {
    // Appleby, 2011, MurmurHash3, fmix64: each bit of the result depends on all of the hash.
    long mixed = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    mixed ^= mixed >>> 33;
    return (int) Math.multiplyHigh(mixed >>> 1, 2L * shards);
  }

  /**
   * Returns the request for the filter of a shard. It has the hash id and the attributes of the
   * whole, and says which shard it is of how many.
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
