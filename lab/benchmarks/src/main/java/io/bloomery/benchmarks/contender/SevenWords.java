package io.bloomery.benchmarks.contender;

/** Seven words at random positions, as many as a Bloom filter of 1 % has probes. */
final class SevenWords extends TableLimit {

  private static final int WORDS = 7;
  private static final long MULTIPLIER = 0xd1342543de82ef95L;

  @Override
  boolean put(long key) {
    long[] words = words();
    long probe = key;
    for (int i = 0; i < WORDS; i++) {
      words[place(probe, words.length)] |= key;
      probe = probe * MULTIPLIER + 1;
    }
    return false;
  }

  @Override
  boolean mightContain(long key) {
    long[] words = words();
    long probe = key;
    long all = -1;
    for (int i = 0; i < WORDS; i++) {
      all &= words[place(probe, words.length)];
      probe = probe * MULTIPLIER + 1;
    }
    return ((int) all & 1) != 0;
  }
}
