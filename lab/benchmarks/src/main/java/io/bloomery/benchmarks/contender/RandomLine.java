package io.bloomery.benchmarks.contender;

/** The eight words of a random line of 64 bytes. */
final class RandomLine extends TableLimit {

  private static final int WORDS = 8;
  // The elements of a long[] begin 16 bytes into an object that is aligned to a cache line, or to a
  // quarter of one.
  private static final int FIRST = 6;

  private int first(long key) {
    return FIRST + place(key, words().length / WORDS - 1) * WORDS;
  }

  @Override
  boolean put(long key) {
    long[] words = words();
    int first = first(key);
    for (int i = 0; i < WORDS; i++) {
      words[first + i] |= key;
    }
    return false;
  }

  @Override
  boolean mightContain(long key) {
    long[] words = words();
    int first = first(key);
    long all = words[first] & words[first + 1] & words[first + 2] & words[first + 3];
    all &= words[first + 4] & words[first + 5] & words[first + 6] & words[first + 7];
    return ((int) all & 1) != 0;
  }
}
