package io.bloomery.benchmarks.paired;

/** An operation of a contender on a whole filter. */
public enum FilterOperation {
  /** Adds the content of another filter of the same layout. */
  MERGE("merge"),
  /** Writes the filter to a stream that discards its bytes. */
  SAVE("save"),
  /** Reads the filter from bytes in memory. */
  OPEN("open");

  private final String label;

  FilterOperation(String label) {
    this.label = label;
  }

  /** Returns the name used in tables. */
  public String label() {
    return label;
  }
}
