package io.bloomery.benchmarks.contender;

/**
 * A lower bound set by the memory: accesses random positions of a table with the size of a filter,
 * and does nothing else. Keys are used as hashes, so that not even hashing is included.
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

  /** Returns a pseudo-random number below {@code size}. */
  static int place(long key, int size) {
    return (int) Math.multiplyHigh(key >>> 1, (long) size << 1);
  }

  @Override
  public final long sizeInBits() {
    return (long) words.length * Long.SIZE;
  }
}
