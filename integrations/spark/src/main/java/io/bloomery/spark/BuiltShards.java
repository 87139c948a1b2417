package io.bloomery.spark;

import io.bloomery.filter.FilterStats;
import java.util.Optional;

/** A filter in shards that Spark has built in a folder, and of what. */
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

  /** Returns the folder, as it was named. */
  public String folder() {
    return folder;
  }

  /** Returns how many rows were read, each once. */
  public long rows() {
    return rows;
  }

  /** Returns how many of the rows had no key, and are not in the filter. */
  public long nulls() {
    return nulls;
  }

  /** Returns the statistics of all shards together. */
  public FilterStats stats() {
    return stats;
  }

  /** Returns what is wrong with the result, if something is, as {@link BuiltFilter#warning}. */
  public Optional<String> warning() {
    return Overfull.warning(stats);
  }

  @Override
  public String toString() {
    return rows + " rows, " + nulls + " of them without a key, in " + folder + ": " + stats;
  }
}
