package io.bloomery.benchmarks.paired;

/** What a contender does with a whole filter. */
public enum Whole {
  /** Adds the content of another filter of the same layout. */
  MERGE("merge"),
  /** Writes the filter to a stream that takes bytes and drops them. */
  SAVE("save"),
  /** Reads the filter from bytes in memory. */
  OPEN("open");

  private final String label;

  Whole(String label) {
    this.label = label;
  }

  /** Returns what tables call it. */
  public String label() {
    return label;
  }
}
