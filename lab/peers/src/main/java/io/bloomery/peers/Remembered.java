package io.bloomery.peers;

import com.carrotsearch.hppc.LongIntHashMap;
import java.io.IOException;
import java.util.Arrays;

/**
 * A table of a peer without a serialised form: hashes that were put are recorded beside it, and
 * serialised with the number of puts of each. The record is thread-safe, so that a race does not
 * hang the adapter where the peer would only lose data.
 */
final class Remembered implements Table {

  /** The operations of a peer without a serialised form. */
  interface Bare {
    Shape shape();

    /** Puts a hash; returns true if the peer reports that it was new, or a preceding query did. */
    boolean put(long hash);

    boolean mightContain(long hash);

    default void remove(long hash) {
      throw new UnsupportedOperationException("has no remove");
    }
  }

  // More than any rule puts, and few enough to be replayed.
  private static final long MAX_TIMES = 1 << 20;

  private final Bare bare;
  private final LongIntHashMap counts = new LongIntHashMap();

  Remembered(Bare bare) {
    this.bare = bare;
  }

  /** Replays the puts in a serialised form. */
  static Remembered replay(Bare empty, byte[] bytes) throws IOException {
    Remembered table = new Remembered(empty);
    long[] words = FramedBytes.words(bytes);
    for (int i = 0; i < words.length; i += 2) {
      long times = words[i + 1];
      if (times < 1 || times > MAX_TIMES) {
        throw new IOException("no hash is put " + times + " times");
      }
      for (; times > 0; times--) {
        table.put(words[i]);
      }
    }
    return table;
  }

  @Override
  public Shape shape() {
    return bare.shape();
  }

  @Override
  public synchronized boolean put(long hash) {
    boolean absent = bare.put(hash);
    counts.addTo(hash, 1);
    return absent;
  }

  @Override
  public boolean mightContain(long hash) {
    return bare.mightContain(hash);
  }

  @Override
  public synchronized void remove(long hash) {
    bare.remove(hash);
    if (counts.addTo(hash, -1) <= 0) {
      counts.remove(hash);
    }
  }

  @Override
  public synchronized long count(long hash) {
    return Math.max(counts.getOrDefault(hash, 0), mightContain(hash) ? 1 : 0);
  }

  @Override
  public synchronized byte[] bytes() {
    long[] hashes = counts.keys().toArray();
    Arrays.sort(hashes);
    long[] words = new long[2 * hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      words[2 * i] = hashes[i];
      words[2 * i + 1] = counts.get(hashes[i]);
    }
    return FramedBytes.bytes(words);
  }

  /** Returns the expected number of bits set by a number of keys. */
  @Override
  public synchronized long setBits() {
    double probes = (double) shape().probes() * counts.size();
    return (long) Math.floor(-Math.expm1(-probes / shape().bits()) * shape().bits());
  }
}
