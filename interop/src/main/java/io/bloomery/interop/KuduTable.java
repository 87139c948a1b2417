package io.bloomery.interop;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;

/**
 * The block filter of Kudu, which Impala sends to it with the predicates of a scan: Parquet's
 * blocks with another 32-bit hash, in a protobuf message that ends with the input.
 */
final class KuduTable extends ForeignTable {

  private static final int FAST_HASH = 3;
  private static final int FEWEST_LOG_BYTES = 6;
  private static final int MOST_LOG_BYTES = 33;
  private static final int PROBES = 8;

  private final int seed;

  private KuduTable(int seed, long[] words) {
    super(words, PROBES);
    this.seed = seed;
  }

  static KuduTable read(ForeignInput in) throws IOException {
    long logBytes = -1;
    long[] words = {};
    long isEmpty = -1;
    long algorithm = FAST_HASH;
    long seed = 0;
    for (int tag = in.next(); tag >= 0; tag = in.next()) {
      long at = in.offset();
      switch (tag) {
        case 0x08 -> logBytes = in.varint();
        case 0x12 -> {
          long length = in.varint();
          in.require(
              length >= 64 && Long.bitCount(length) == 1,
              at,
              "bytes of the table must be a power of two, at least 64",
              length);
          in.require(words.length == 0, at, "there must be one table, words before", words.length);
          words = in.words(length / 8, LITTLE_ENDIAN, at);
        }
        case 0x18 -> isEmpty = in.varint();
        case 0x20 -> {
          algorithm = in.varint();
          in.require(algorithm == FAST_HASH, at, "hash algorithm must be 3 (FAST_HASH)", algorithm);
        }
        case 0x28 -> {
          seed = in.varint();
          in.require(seed >>> 32 == 0, at, "seed must have 32 bits", seed);
        }
        default -> throw in.refusal(at - 1, "has an unknown field, of tag " + tag);
      }
    }
    in.require(words.length > 0, in.offset(), "words must be at least 1", 0);
    long least = Math.max(FEWEST_LOG_BYTES, logBytes);
    in.require(
        logBytes >= 0 && logBytes <= MOST_LOG_BYTES && 8L * words.length == 1L << least,
        in.offset(),
        "bytes of the table must be 2 to the power of field 1, which",
        logBytes);
    boolean isSet = count(words, 0, words.length) > 0;
    in.require(
        isEmpty == 0 || (isEmpty == 1 && !isSet),
        in.offset(),
        "field 3 must be 0, or 1 where no bit is set",
        isEmpty);
    return new KuduTable((int) seed, words);
  }

  static KuduTable create(ForeignParameters asked) {
    long seed = asked.seedOr(0);
    if (seed >>> 32 != 0 && seed >> 31 != -1) {
      throw new IllegalArgumentException("the seed must have 32 bits, but was " + seed);
    }
    int logBytes;
    if (asked.hasBits()) {
      asked.requireProbes(PROBES);
      if (Long.bitCount(asked.bits()) != 1 || asked.bits() < 512) {
        throw new IllegalArgumentException(
            "bits must be a power of two, at least 512, but were " + asked.bits());
      }
      logBytes = Long.numberOfTrailingZeros(asked.bits()) - 3;
    } else {
      double bits =
          -PROBES * (double) asked.keys() / Math.log1p(-Math.pow(asked.rate(), 1.0 / PROBES));
      logBytes = (int) Math.ceil(Math.log(bits / 8) / Math.log(2));
    }
    return new KuduTable(
        (int) seed, table(8.0 * Math.pow(2, Math.max(FEWEST_LOG_BYTES, logBytes))));
  }

  @Override
  boolean visit(Item item, boolean put) {
    int hash = Hashes.fast32(item, seed);
    long rehashed =
        ((hash & 0xffffffffL) * 0x7850f11ec6d14889L + 0x6773610597ca4c63L) >>> Integer.SIZE;
    int at =
        (int) (rehashed & (words.length / ParquetTable.WORDS_OF_BLOCK - 1))
            * ParquetTable.WORDS_OF_BLOCK;
    boolean all = ParquetTable.blockContains(words, at, hash);
    if (put && !all) {
      ParquetTable.putIntoBlock(words, at, hash);
    }
    return all;
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    out.u8(0x08);
    out.varint(Long.numberOfTrailingZeros(8L * words.length));
    out.u8(0x12);
    out.varint(8L * words.length);
    out.words(words, LITTLE_ENDIAN);
    out.u8(0x18);
    out.u8(setBits() == 0 ? 1 : 0);
    out.u8(0x20);
    out.u8(FAST_HASH);
    out.u8(0x28);
    out.varint(seed & 0xffffffffL);
  }

  @Override
  double rate() {
    return ParquetTable.rateOfLanes(words);
  }

  @Override
  double excess(double keys, double fill) {
    return 0;
  }

  @Override
  String words() {
    return say("seed %d, %d blocks of 256 bits", seed & 0xffffffffL, words.length / 4);
  }

  @Override
  ForeignTable copy() {
    return new KuduTable(seed, words.clone());
  }
}
