package io.bloomery.benchmarks.contender;

/**
 * A limit of the memory: touches random places of a table as large as a filter, and does nothing
 * else. Keys are taken as hashes, so that not even hashing is paid for.
 */
abstract class TableLimit extends LongContender {

  private long[] words = new long[0];

  @Override
  public final void create(long keys, double rate) {
    words = new long[Math.toIntExact(Textbook.bits(keys, rate) / Long.SIZE)];
  }

  final long[] words() {
    return words;
  }

  /** Returns a random number below {@code size}. */
  static int place(long key, int size) {
    return (int) Math.multiplyHigh(key >>> 1, (long) size << 1);
  }

  @Override
  public final long sizeInBits() {
    return (long) words.length * Long.SIZE;
  }
}
