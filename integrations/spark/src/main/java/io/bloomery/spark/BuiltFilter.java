package io.bloomery.spark;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterStats;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * A filter built by Spark, and statistics of its source: its bytes equal those of a filter built in
 * one place, whatever the partitions, retries and speculative copies of tasks.
 */
public final class BuiltFilter {

  private final Filter filter;
  private final long rows;
  private final long nulls;
  private final FilterStats stats;

  BuiltFilter(FilterBuffer built) {
    this.filter = built.filter();
    this.rows = built.rows();
    this.nulls = built.nulls();
    this.stats = filter.stats();
  }

  /**
   * Returns the filter, for one thread at a time; {@code BloomFilter.of} combines it with a hasher.
   */
  public Filter filter() {
    return filter;
  }

  /** Returns the number of rows read, each counted once. */
  public long rows() {
    return rows;
  }

  /** Returns the number of rows without a key, which are not in the filter. */
  public long nulls() {
    return nulls;
  }

  /** Returns the statistics of the filter, including the approximate number of distinct keys. */
  public FilterStats stats() {
    return stats;
  }

  /**
   * Returns a warning if there were more distinct keys than expected, with the resulting rate and
   * the number to expect instead.
   */
  public Optional<String> warning() {
    return Overfull.warning(stats, rows - nulls);
  }

  /**
   * Saves the filter to a path on any file system that Hadoop supports: the file is written beside
   * the path and then renamed, which is atomic where the file system supports it, as on HDFS and
   * local disks. Object stores copy instead; there, too, the file appears only when it is complete.
   *
   * @param path such as {@code hdfs://nodes/filters/seen.bloom}
   * @param configuration such as {@code spark.sparkContext().hadoopConfiguration()}
   * @throws IOException if it cannot be written; the previous file is then unchanged
   */
  public void save(String path, Configuration configuration) throws IOException {
    HadoopFiles.replace(path, configuration, out -> FilterFiles.write(filter, out));
  }

  @Override
  public String toString() {
    return rows + " rows, " + nulls + " of them without a key: " + filter + ": " + stats;
  }
}
