package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;

/**
 * The filter of a Cassandra SSTable, whose version is only in the name of the file: up to 2.2 the
 * halves of the hash are swapped, and from 4.0 the table is stored as bytes.
 */
final class CassandraTable extends ForeignTable {

  /** With more, Cassandra throws at the first query. */
  private static final int MAX_HASHES = 21;

  private static final int MAX_BUCKETS = 20;

  private final boolean oldOrder;

  private CassandraTable(boolean oldOrder, int probes, long[] words) {
    super(words, probes);
    this.oldOrder = oldOrder;
  }

  static ForeignTable read(boolean oldOrder, boolean bytes, ForeignInput in) throws IOException {
    if (bytes && in.isAtEnd()) {
      return new AlwaysPresentTable();
    }
    int probes = in.i32(BIG_ENDIAN);
    in.require(probes >= 1 && probes <= MAX_HASHES, 0, "hash functions must be 1 to 21", probes);
    int count = in.i32(BIG_ENDIAN);
    return new CassandraTable(
        oldOrder, probes, in.words(count, bytes ? LITTLE_ENDIAN : BIG_ENDIAN, 4));
  }

  // The rates of Cassandra's table, by bits per key and number of hash functions.
  private static double rate(int buckets, int hashes) {
    return Math.pow(-Math.expm1(-(double) hashes / buckets), hashes);
  }

  static CassandraTable create(boolean oldOrder, ForeignParameters asked) {
    int buckets = 2;
    while (rate(buckets, best(buckets)) > asked.rate()) {
      if (++buckets > MAX_BUCKETS) {
        throw new IllegalArgumentException(
            "Cassandra's filters have a rate of at least "
                + rate(MAX_BUCKETS, best(MAX_BUCKETS))
                + ", but "
                + asked.rate()
                + " is asked for; ask for a higher one");
      }
    }
    int hashes = best(buckets);
    while (hashes > 1 && rate(buckets, hashes - 1) <= asked.rate()) {
      hashes--;
    }
    long[] words = asked.table((double) asked.keys() * buckets + 20);
    return new CassandraTable(oldOrder, asked.probes(hashes, MAX_HASHES), words);
  }

  private static int best(int buckets) {
    int hashes = 1;
    while (rate(buckets, hashes + 1) < rate(buckets, hashes)) {
      hashes++;
    }
    return hashes;
  }

  @Override
  boolean visit(Item item, boolean put) {
    Hashes.cassandra128(item);
    long c = oldOrder ? item.h1 : item.h2;
    long step = oldOrder ? item.h2 : item.h1;
    long bits = bits();
    boolean all = true;
    for (int i = 0; i < probes; i++) {
      all &= bit(words, Math.abs(c % bits), put);
      if (!all && !put) {
        return false;
      }
      c += step;
    }
    return all;
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    out.i32(probes, BIG_ENDIAN);
    out.i32(words.length, BIG_ENDIAN);
    out.words(words, format == ForeignFormat.CASSANDRA_4 ? LITTLE_ENDIAN : BIG_ENDIAN);
  }

  @Override
  String words() {
    return say("%d hash functions, %d bits", probes, bits());
  }

  @Override
  ForeignTable copy() {
    return new CassandraTable(oldOrder, probes, words.clone());
  }
}
