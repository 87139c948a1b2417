package io.bloomery;

import java.util.Arrays;

/** A set of hashes, in the order in which they came first; each takes 16 to 32 bytes. */
final class DifferentHashes {

  private static final int FEW = 512;
  private static final int MOST = 1 << 29;

  private long[] hashes = new long[FEW];
  private int size;

  // By linear probing: one more than the index of a hash, or 0.
  private int[] places = new int[2 * FEW];

  void addAll(long[] batch) {
    for (long hash : batch) {
      if (size == hashes.length) {
        grow();
      }
      int place = place(hash);
      if (places[place] == 0) {
        hashes[size++] = hash;
        places[place] = size;
      }
    }
  }

  /** Returns the place of a hash, or the free one where it belongs. */
  private int place(long hash) {
    int place = (int) hash & (places.length - 1);
    while (places[place] != 0 && hashes[places[place] - 1] != hash) {
      place = (place + 1) & (places.length - 1);
    }
    return place;
  }

  private void grow() {
    if (size == MOST) {
      throw new IllegalStateException(
          "a part of a stream must have at most "
              + MOST
              + " different hashes for a filter that does not merge, but has more; collect the"
              + " stream sequentially, or into a variant that merges");
    }
    hashes = Arrays.copyOf(hashes, 2 * size);
    places = new int[4 * size];
    for (int i = 0; i < size; i++) {
      places[place(hashes[i])] = i + 1;
    }
  }

  long[] toArray() {
    return Arrays.copyOf(hashes, size);
  }
}
