package io.bloomery.spark;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterStats;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/**
 * A filter that Spark has built, and of what: the same bytes as those of one that was built in one
 * place, whatever the partitions, retries and speculative copies of tasks.
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

  /** Returns the filter, for one thread at a time; {@code BloomFilter.of} joins it to a hasher. */
  public Filter filter() {
    return filter;
  }

  /** Returns how many rows were read, each once. */
  public long rows() {
    return rows;
  }

  /** Returns how many of the rows had no key, and are not in the filter. */
  public long nulls() {
    return nulls;
  }

  /** Returns the statistics of the filter, among them how many different keys there were, about. */
  public FilterStats stats() {
    return stats;
  }

  /**
   * Returns what is wrong with the result, if something is: that more different keys came than the
   * filter was made for, and which rate it has now.
   */
  public Optional<String> warning() {
    return Overfull.warning(stats);
  }

  /**
   * Saves the filter under a name of any file system that Hadoop knows: written beside it and then
   * renamed, which is atomic where renaming is, as in HDFS and on disks. Object stores copy
   * instead; there the file appears as a whole, too.
   *
   * @param path such as {@code hdfs://nodes/filters/seen.bloom}
   * @param configuration as {@code spark.sparkContext().hadoopConfiguration()}
   * @throws IOException if it cannot be written; what was there before is then as it was
   */
  public void save(String path, Configuration configuration) throws IOException {
    HadoopFiles.replace(path, configuration, out -> FilterFiles.write(filter, out));
  }

  @Override
  public String toString() {
    return rows + " rows, " + nulls + " of them without a key: " + filter + ": " + stats;
  }
}
