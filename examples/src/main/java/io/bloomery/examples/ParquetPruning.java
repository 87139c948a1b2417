package io.bloomery.examples;

import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ItemEncoding;
import io.bloomery.interop.ParquetRowGroups;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which row groups of a Parquet file must be read for a key: those whose Bloom filter of the column
 * does not rule it out. The filters stand in the file, each with its header, at the offsets that
 * the footer names ({@code bloom_filter_offset} of each column chunk).
 */
public final class ParquetPruning {

  private final ParquetRowGroups<CharSequence> groups;

  private ParquetPruning(ParquetRowGroups<CharSequence> groups) {
    this.groups = groups;
  }

  /**
   * Reads the filters of a column of strings.
   *
   * @param offsets where they stand, one for each row group
   */
  public static ParquetPruning of(Path file, List<Long> offsets) throws IOException {
    List<ForeignFilter> filters = new ArrayList<>();
    try (FileChannel channel = FileChannel.open(file)) {
      for (long offset : offsets) {
        InputStream in = new BufferedInputStream(Channels.newInputStream(channel.position(offset)));
        filters.add(ForeignFormat.PARQUET.read(in));
      }
    }
    return new ParquetPruning(new ParquetRowGroups<>(filters, ItemEncoding.utf8()));
  }

  /** Returns the row groups that may have a row with the key; no other has one. */
  public BitSet toRead(CharSequence key) {
    return groups.mightContain(key); // hashes the key once, however many groups there are
  }

  /** Writes the filters of row groups of a thousand users each, as Parquet's writer does. */
  static List<Long> write(Path file, int rowGroups) throws IOException {
    List<Long> offsets = new ArrayList<>();
    try (OutputStream out = Files.newOutputStream(file)) {
      long offset = 4;
      out.write(new byte[] {'P', 'A', 'R', '1'});
      for (int group = 0; group < rowGroups; group++) {
        ForeignFilter filter = ForeignFormat.PARQUET.create(1_000, 0.01);
        int first = 1_000 * group;
        IntStream.range(first, first + 1_000)
            .forEach(user -> filter.put("user-" + user, ItemEncoding.utf8()));
        offsets.add(offset);
        byte[] bytes = filter.toBytes();
        out.write(bytes);
        offset += bytes.length;
      }
    }
    return offsets;
  }

  /** Asks a hundred row groups for a user that one of them has, and for one that none has. */
  public static void main(String... args) throws IOException {
    Path file = Files.createTempFile("users", ".parquet");
    try {
      ParquetPruning pruning = of(file, write(file, 100));
      System.out.println("user-77007 is in row groups " + pruning.toRead("user-77007"));
      System.out.println("nobody is in row groups " + pruning.toRead("nobody"));
    } finally {
      Files.delete(file);
    }
  }
}
