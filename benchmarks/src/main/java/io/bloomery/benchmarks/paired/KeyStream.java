package io.bloomery.benchmarks.paired;

import io.bloomery.benchmarks.paired.Operation.Share;
import java.util.SplittableRandom;

/**
 * Keys for one contest, never the same absent key twice: a small pool of keys would stay in the
 * caches and be learnt by the branch predictor.
 */
public final class KeyStream {

  private final KeyKind kind;
  private final SplittableRandom random = new SplittableRandom(7);
  private long put;
  private long absent;

  /** Starts with no key put. */
  public KeyStream(KeyKind kind) {
    this.kind = kind;
  }

  /** Forgets which keys were put. */
  public void restart() {
    put = 0;
  }

  /** Returns how many new keys were given out. */
  public long put() {
    return put;
  }

  /** Returns an array of so many keys. */
  public Object next(Share share, int size) {
    Object keys = kind.array(size);
    for (int i = 0; i < size; i++) {
      kind.set(keys, i, number(share));
    }
    return keys;
  }

  private long number(Share share) {
    return switch (share) {
      case NEW -> put++;
      case PRESENT -> random.nextLong(put);
      case ABSENT -> --absent;
      case HALF -> random.nextBoolean() ? random.nextLong(put) : --absent;
    };
  }
}
