package io.bloomery.fuse;

import io.bloomery.internal.HeapLimit;
import java.util.Arrays;

/**
 * The distinct hashes of a stream, mixed by the first seed. It takes at most 10 bytes for each of
 * the expected hashes and 8 KiB, and half as much again while it grows, however often each comes.
 */
final class DistinctHashes {

  private static final int FEWEST = 1 << 10;

  private final long expected;
  private final int most;
  private long[] mixed = new long[FEWEST];
  private int size;

  DistinctHashes(long expected) {
    this.expected = expected;
    // The room beyond those expected is what duplicates fill before they are sorted out again.
    this.most = (int) Math.min(expected + expected / 4 + FEWEST, Integer.MAX_VALUE - 15);
  }

  void add(long hash) {
    addMixed(FuseHash.mix(hash, FuseHash.key(0)));
  }

  void addAll(DistinctHashes other) {
    for (int i = 0; i < other.size; i++) {
      addMixed(other.mixed[i]);
    }
  }

  private void addMixed(long hash) {
    if (size == mixed.length) {
      if (size < most) {
        grow();
      } else {
        sortOut();
      }
    }
    mixed[size++] = hash;
  }

  private void grow() {
    int length = (int) Math.min(2L * size, most);
    try {
      mixed = Arrays.copyOf(mixed, length);
    } catch (OutOfMemoryError e) {
      throw HeapLimit.tooLowFor("the hashes of a filter", (long) length * Long.BYTES);
    }
  }

  private void sortOut() {
    Arrays.sort(mixed, 0, size);
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || mixed[i] != mixed[i - 1]) {
        mixed[distinct++] = mixed[i];
      }
    }
    size = distinct;
    if (size > expected) {
      throw new IllegalArgumentException(
          "there must be at most the "
              + expected
              + " expected distinct hashes, but there are "
              + size
              + " or more; expect more keys");
    }
  }

  /** Returns the number of distinct hashes, which are then the first of {@link #mixed}, sorted. */
  int count() {
    sortOut();
    return size;
  }

  /** Returns the array itself, which the caller may change if nothing else is asked any more. */
  long[] mixed() {
    return mixed;
  }
}
