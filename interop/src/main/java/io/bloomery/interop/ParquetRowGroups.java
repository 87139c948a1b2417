package io.bloomery.interop;

import java.util.BitSet;
import java.util.List;

/**
 * The filters of one column of a Parquet file, one for each row group, queried together: a key is
 * hashed once for all of them.
 *
 * @param <K> the type of keys
 */
public final class ParquetRowGroups<K> {

  private final long[][] tables;
  private final ItemEncoding<K> encoding;

  /**
   * Creates a group of filters, in the order of their row groups.
   *
   * @throws IllegalArgumentException if a filter is not of Parquet
   */
  public ParquetRowGroups(List<ForeignFilter> filters, ItemEncoding<K> encoding) {
    for (ForeignFilter filter : filters) {
      if (!(filter.table() instanceof ParquetTable)) {
        throw new IllegalArgumentException(
            "filters of row groups must be of parquet, but one is of "
                + filter.format()
                + "; leave it out, or read it as parquet");
      }
      filter.view(encoding); // rejects encodings that Parquet does not have
    }
    this.tables = filters.stream().map(filter -> filter.table().words).toArray(long[][]::new);
    this.encoding = encoding;
  }

  /** Returns the row groups that may contain the key; the others certainly do not. */
  public BitSet mightContain(K key) {
    BitSet groups = new BitSet(tables.length);
    mightContain(key, groups);
    return groups;
  }

  /** Sets the bits of the row groups that may contain the key, and leaves all others unchanged. */
  public void mightContain(K key, BitSet groups) {
    ParquetTable.select(tables, ParquetTable.hash(encoding.item(key)), groups);
  }
}
