package io.bloomery.benchmarks.contender;

import java.util.Arrays;

/** A filter that is built once from all its keys, which puts collect until it is asked. */
abstract class BuiltLongs extends LongContender {

  private long[] keys = {};
  private int size;
  private double rate;
  private boolean isBuilt;

  /** Builds the filter of distinct keys, and discards the previous one. */
  abstract void build(long[] keys, double rate);

  @Override
  public final void create(long keys, double rate) {
    this.keys = new long[0]; // two arrays of 10^8 keys need not fit
    this.keys = new long[Math.toIntExact(keys)];
    this.size = 0;
    this.rate = rate;
    this.isBuilt = false;
  }

  @Override
  final boolean put(long key) {
    keys[size++] = key;
    return true;
  }

  // Called before queries, so that no query needs to check.
  @Override
  final void settle() {
    if (!isBuilt) {
      long[] all = size == keys.length ? keys : Arrays.copyOf(keys, size);
      keys = new long[0];
      build(all, rate);
      isBuilt = true;
    }
  }
}
