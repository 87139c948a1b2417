package io.bloomery.spark;

import io.bloomery.filter.FilterStats;
import java.util.Optional;

/** A sharded filter that Spark has built in a folder, and statistics of its source. */
public final class BuiltShards {

  private final String folder;
  private final long rows;
  private final long nulls;
  private final FilterStats stats;

  BuiltShards(String folder, long rows, long nulls, FilterStats stats) {
    this.folder = folder;
    this.rows = rows;
    this.nulls = nulls;
    this.stats = stats;
  }

  /** Returns the folder, as specified. */
  public String folder() {
    return folder;
  }

  /** Returns the number of rows read, each counted once. */
  public long rows() {
    return rows;
  }

  /** Returns the number of rows without a key, which are not in the filter. */
  public long nulls() {
    return nulls;
  }

  /** Returns the statistics of all shards together. */
  public FilterStats stats() {
    return stats;
  }

  /** Returns a warning as {@link BuiltFilter#warning} does. */
  public Optional<String> warning() {
    return Overfull.warning(stats, rows - nulls);
  }

  @Override
  public String toString() {
    return rows + " rows, " + nulls + " of them without a key, in " + folder + ": " + stats;
  }
}
