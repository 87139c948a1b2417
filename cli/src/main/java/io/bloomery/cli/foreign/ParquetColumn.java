package io.bloomery.cli.foreign;

import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ParquetFile;
import io.bloomery.interop.ParquetRowGroups;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** The Bloom filters of a column of a whole Parquet file, one for each row group. */
public final class ParquetColumn implements LineSelector {

  private final ParquetRowGroups<byte[]> groups;
  private final BitSet found = new BitSet();

  private ParquetColumn(ParquetRowGroups<byte[]> groups) {
    this.groups = groups;
  }

  /**
   * Reads the filters.
   *
   * @throws Failure if the file cannot be read or is damaged, has no such column, or if a row group
   *     has no filter, so that any key may be in it
   */
  public static ParquetColumn read(Path file, String column, LineEncoding encoding) throws Failure {
    List<ForeignFilter> filters = new ArrayList<>();
    try {
      for (Optional<ForeignFilter> filter : ParquetFile.filters(file, column)) {
        if (filter.isEmpty()) {
          throw Failure.file(
              file.toString(),
              "must have a filter of "
                  + column
                  + " in each row group, but has none in row group "
                  + filters.size()
                  + ", which any key may be in");
        }
        filters.add(filter.get());
      }
    } catch (IllegalArgumentException e) {
      throw Failure.usage(file + ": " + e.getMessage());
    } catch (IOException e) {
      throw ForeignFile.failure(file, ForeignFormat.PARQUET, e);
    }
    return new ParquetColumn(new ParquetRowGroups<>(filters, encoding.items()));
  }

  /** Finds the lines that might be in a row group. */
  @Override
  public int select(LineBatch batch, int[] hits) throws Failure {
    int count = 0;
    for (int i = 0; i < batch.size(); i++) {
      found.clear();
      try {
        groups.mightContain(batch.key(i), found);
      } catch (IllegalArgumentException e) {
        throw Failure.line(batch.name(), batch.number(i), e.getMessage());
      }
      if (!found.isEmpty()) {
        hits[count++] = i;
      }
    }
    return count;
  }
}
