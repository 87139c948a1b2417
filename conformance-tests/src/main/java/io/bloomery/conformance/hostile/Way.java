package io.bloomery.conformance.hostile;

/** How bytes reach the reader. */
enum Way {
  /** All at once, in an array. */
  ARRAY(true),
  /** In a file, which holds a filter and nothing else. */
  FILE(true),
  /** By a stream. */
  STREAM(false),
  /** By a stream that gives a byte or a few at a time, and now and then none. */
  STUTTERING(false),
  /** By a channel, some bytes at a time. */
  CHANNEL(false),
  /** By a stream that fails in the middle. */
  FAILING(false);

  private static final long FREE = 64 << 10;

  private final boolean lengthKnown;

  Way(boolean lengthKnown) {
    this.lengthKnown = lengthKnown;
  }

  /** Returns how many bytes may be allocated to read as many as are there, whatever they say. */
  long maxAllocated(long present) {
    return FREE + present + present / 4 + (lengthKnown ? 0 : present);
  }
}
