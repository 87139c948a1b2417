package io.bloomery.conformance.hostile;

/** The kind of source from which the reader gets bytes. */
enum SourceKind {
  /** An array, all at once. */
  ARRAY(true),
  /** A file that contains a filter and nothing else. */
  FILE(true),
  /** A stream. */
  STREAM(false),
  /** A stream that returns one byte or a few at a time, and sometimes none. */
  STUTTERING(false),
  /** A stream that fails in the middle. */
  FAILING(false);

  private static final long FREE = 64 << 10;

  private final boolean lengthKnown;

  SourceKind(boolean lengthKnown) {
    this.lengthKnown = lengthKnown;
  }

  /**
   * Returns the number of bytes that may be allocated to read this many bytes, whatever their
   * content.
   */
  long maxAllocated(long present) {
    return FREE + present + present / 4 + (lengthKnown ? 0 : present);
  }
}
