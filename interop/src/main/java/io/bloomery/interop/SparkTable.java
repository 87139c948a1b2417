package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.io.IOException;

/** The filter of Spark's sketches, versions 1 and 2, which differ in header and positions. */
final class SparkTable extends ForeignTable {

  private final int version;
  private final int seed;

  private SparkTable(int version, int seed, int probes, long[] words) {
    super(words, probes);
    this.version = version;
    this.seed = seed;
  }

  static SparkTable read(int version, ForeignInput in) throws IOException {
    int found = in.i32(BIG_ENDIAN);
    in.require(found == version, 0, "version must be " + version, found);
    int probes = in.i32(BIG_ENDIAN);
    in.require(probes >= 1 && probes <= MAX_PROBES, 4, "hash functions must be 1 to 255", probes);
    int seed = version == 2 ? in.i32(BIG_ENDIAN) : 0;
    long at = in.offset();
    return new SparkTable(version, seed, probes, in.words(in.i32(BIG_ENDIAN), BIG_ENDIAN, at));
  }

  static SparkTable create(int version, ForeignParameters asked) {
    long bits = (long) bitsFor(asked.keys(), asked.rate());
    long probes = Math.max(1, Math.round((double) bits / asked.keys() * Math.log(2)));
    if (version == 1 && asked.seedOr(0) != 0) {
      throw new IllegalArgumentException("spark-v1 has no seed, but was " + asked.seedOr(0));
    }
    return new SparkTable(
        version,
        (int) asked.seedOr(0),
        asked.probes(probes, MAX_PROBES),
        asked.table((double) bits));
  }

  @Override
  boolean visit(Item item, boolean put) {
    int h1 = Hashes.spark32(item, seed);
    int h2 = Hashes.spark32(item, h1);
    return version == 1 ? visit1(h1, h2, put) : visit2(h1, h2, put);
  }

  private boolean visit1(int h1, int h2, boolean put) {
    long bits = bits();
    boolean isSmall = bits <= Integer.MAX_VALUE;
    boolean all = true;
    int c = h1;
    for (int i = 0; i < probes; i++) {
      c += h2;
      // An int remainder takes half the time of a long one.
      all &= bit(words, isSmall ? flip(c) % (int) bits : flip(c), put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  private boolean visit2(int h1, int h2, boolean put) {
    long bits = bits();
    boolean all = true;
    long c = (long) h1 * Integer.MAX_VALUE;
    for (int i = 0; i < probes; i++) {
      c += h2;
      all &= bit(words, (c < 0 ? ~c : c) % bits, put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    out.i32(version, BIG_ENDIAN);
    out.i32(probes, BIG_ENDIAN);
    if (version == 2) {
      out.i32(seed, BIG_ENDIAN);
    }
    out.i32(words.length, BIG_ENDIAN);
    out.words(words, BIG_ENDIAN);
  }

  @Override
  boolean has32BitPositions() {
    return version == 1;
  }

  @Override
  String words() {
    return say("version %d, seed %d, %d hash functions, %d bits", version, seed, probes, bits());
  }

  @Override
  ForeignTable copy() {
    return new SparkTable(version, seed, probes, words.clone());
  }
}
