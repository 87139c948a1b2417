package io.bloomery.benchmarks.contender;

/** One word at a random position. */
final class RandomWord extends TableLimit {

  @Override
  boolean put(long key) {
    long[] words = words();
    words[place(key, words.length)] |= key;
    return false;
  }

  @Override
  boolean mightContain(long key) {
    long[] words = words();
    return ((int) words[place(key, words.length)] & 1) != 0;
  }
}
