package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.io.IOException;

/**
 * The header of each filter of Hadoop: the number of hash functions, their kind, and the number of
 * bits or counters. Each hash of a key is the seed of the next.
 */
record HadoopHeader(int probes, int hash, int size) {

  static final int JENKINS = 0;
  static final int MURMUR = 1;

  static HadoopHeader read(ForeignInput in) throws IOException {
    long at = in.offset();
    int version = in.i32(BIG_ENDIAN);
    in.require(version == -1, at, "version must be -1", version);
    int probes = in.i32(BIG_ENDIAN);
    in.require(
        probes >= 1 && probes <= ForeignTable.MAX_PROBES,
        at + 4,
        "hash functions must be 1 to 255",
        probes);
    int hash = in.u8();
    in.require(hash <= MURMUR, at + 8, "hash must be 0 (Jenkins) or 1 (Murmur)", hash);
    int size = in.i32(BIG_ENDIAN);
    in.require(size >= 1, at + 9, "bits or counters must be at least 1", size);
    return new HadoopHeader(probes, hash, size);
  }

  /** Returns the header for a table that is asked for, or the one that the numbers are for. */
  static HadoopHeader create(int hash, double bits, double probes, ForeignParameters asked) {
    double size = asked.hasBits() ? (double) asked.bits() : Math.max(1, Math.ceil(bits));
    if (!(size <= Integer.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "Hadoop's filters must have at most 2147483647 bits, but one would have "
              + (long) size
              + "; ask for fewer keys or a higher rate");
    }
    return new HadoopHeader(
        asked.probes((long) Math.max(1, probes), ForeignTable.MAX_PROBES), hash, (int) size);
  }

  /** Returns the header of the size that Hudi computes, since Hadoop itself computes none. */
  static HadoopHeader create(int hash, ForeignParameters asked) {
    double bits = Math.ceil(ForeignTable.bitsFor(asked.keys(), asked.rate()));
    return create(hash, bits, Math.ceil(Math.log(2) * bits / asked.keys()), asked);
  }

  /**
   * Returns whether the item can be in a filter: Hadoop throws for empty ones.
   *
   * @throws IllegalArgumentException if it cannot, but is put
   */
  static boolean takes(Item item, boolean put) {
    if (item.length == 0 && put) {
      throw new IllegalArgumentException(
          "keys of Hadoop's filters must have at least one byte, but one is empty; leave it out");
    }
    return item.length > 0;
  }

  /** Returns the hash after a hash, or the first after 0. */
  int next(Item item, int previous) {
    return hash == JENKINS ? Hashes.lookup3(item, previous) : Hashes.hadoopMurmur(item, previous);
  }

  int position(int hashOfItem) {
    return Math.abs(hashOfItem % size);
  }

  /** Returns the bytes of as many bits. */
  int bytes() {
    return (int) ((size + 7L) / 8);
  }

  /** Returns the words of as many bits. */
  int stride() {
    return (int) ((size + 63L) / 64);
  }

  /** Returns what {@link ForeignTable#excess} is: each position depends on all of the hash. */
  double excess() {
    return size > 1 << 27 ? 1 : 0; // positions are remainders of 32 bits, of some there are more
  }

  void write(ForeignOutput out) throws IOException {
    out.i32(-1, BIG_ENDIAN);
    out.i32(probes, BIG_ENDIAN);
    out.u8(hash);
    out.i32(size, BIG_ENDIAN);
  }

  String words() {
    return ForeignTable.say(
        "%s, %d hash functions, %d ", hash == JENKINS ? "Jenkins" : "Murmur", probes, size);
  }
}
