package io.bloomery.proof.fuzz;

import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ItemEncoding;
import io.bloomery.interop.PaimonIndexFile;
import io.bloomery.interop.ParquetFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the filters of the columns of a file: of Parquet's footer, and of Paimon's file index. */
public final class ReadColumns {

  private static final Path FOLDER = Trial.folder();
  private static final List<String> COLUMNS = List.of("s", "l", "n", "d"); // of the golden files
  private static final long MOST_BYTES = 1 << 20;
  private static final int LONGEST = 10_000;

  /** What is before a footer: PAR1, and the filter of a column. */
  private static final byte[] START = start();

  private ReadColumns() {}

  private static byte[] start() {
    byte[] filter = ForeignFormat.PARQUET.create(1, 0.1).toBytes();
    byte[] start = Arrays.copyOf(new byte[] {'P', 'A', 'R', '1'}, 4 + filter.length);
    System.arraycopy(filter, 0, start, 4, filter.length);
    return start;
  }

  /** Reads an input as a file of each kind, and as the footer of a Parquet file. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Path file = Files.write(FOLDER.resolve("file"), input);
    Optional<Map<String, ForeignFilter>> index =
        Trial.read(MOST_BYTES, () -> PaimonIndexFile.filters(file));
    index.ifPresent(columns -> columns.values().forEach(ReadColumns::works));
    parquet(file);
    ByteBuffer ended =
        ByteBuffer.allocate(START.length + input.length + 8).order(ByteOrder.LITTLE_ENDIAN);
    parquet(
        Files.write(
            file, ended.put(START).put(input).putInt(input.length).put(START, 0, 4).array()));
  }

  private static void parquet(Path file) throws IOException {
    for (String column : COLUMNS) {
      Trial.read(MOST_BYTES, () -> parquet(file, column))
          .ifPresent(groups -> groups.forEach(group -> group.ifPresent(ReadColumns::works)));
    }
  }

  private static List<Optional<ForeignFilter>> parquet(Path file, String column)
      throws IOException {
    try {
      return ParquetFile.filters(file, column);
    } catch (IllegalArgumentException e) { // there is no such column
      Trial.require(e.getMessage().length() <= LONGEST, "a message must have an end");
      return List.of();
    }
  }

  private static void works(ForeignFilter filter) {
    byte[] key = {1, 2, 3};
    filter.layout();
    filter.put(key, ItemEncoding.bytes());
    Trial.require(
        filter.view(ItemEncoding.bytes()).mightContain(key), "what was put must be found");
    byte[] written = filter.toBytes();
    try {
      ForeignFilter again = filter.format().read(written);
      Trial.requireEqual(written, again.toBytes(), "what is read again must be written as it was");
    } catch (IOException e) {
      throw new AssertionError("what was written must be read again", e);
    }
  }
}
