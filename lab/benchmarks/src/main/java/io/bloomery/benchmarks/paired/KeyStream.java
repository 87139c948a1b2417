package io.bloomery.benchmarks.paired;

import io.bloomery.benchmarks.paired.Operation.Share;
import java.util.SplittableRandom;

/**
 * The keys of a contest, in which no absent key is repeated: a small pool of keys would stay in the
 * caches and be learnt by the branch predictor.
 */
public final class KeyStream {

  private final KeyKind kind;
  private final SplittableRandom random = new SplittableRandom(7);
  private long put;
  private long absent;

  /** Creates a stream of which no key was put. */
  public KeyStream(KeyKind kind) {
    this.kind = kind;
  }

  /** Resets the set of keys that were put. */
  public void restart() {
    put = 0;
  }

  /** Returns the number of new keys returned. */
  public long put() {
    return put;
  }

  /** Returns an array of {@code size} keys. */
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
