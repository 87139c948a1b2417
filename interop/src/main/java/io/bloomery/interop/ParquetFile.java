package io.bloomery.interop;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A whole Parquet file, of which only the footer and the Bloom filters are read, whichever system
 * wrote it.
 */
public final class ParquetFile {

  private static final String NAME = "parquet file";
  private static final int MAGIC = 0x31524150; // PAR1
  private static final int ENCRYPTED = 0x45524150; // PARE
  private static final int ENDS = 12; // PAR1 at the start, and a length and PAR1 at the end
  private static final long NONE = -1;
  private static final int FOOTER_BUFFER = 1 << 13;
  private static final int HEADER_BUFFER = 1 << 6; // tables go around it, and may have 32 bytes

  private final FileChannel file;
  private final long footer;
  private final String column;
  private final List<Long> offsets = new ArrayList<>();
  private final Set<String> columns = new TreeSet<>();

  private ParquetFile(FileChannel file, long footer, String column) {
    this.file = file;
    this.footer = footer;
    this.column = column;
  }

  /**
   * Reads the filters of a column, one for each row group in the order of the file, and empty where
   * a row group has none: it may then contain every key. Each is a copy: what is put into it does
   * not change the file.
   *
   * @param column the path of the column, with points between the names of its groups
   * @throws FilterFormatException if it is not a Parquet file, is encrypted, or a filter is invalid
   * @throws IllegalArgumentException if a row group has no such column; the message has those that
   *     it has, or the first 40
   * @throws IOException if it cannot be read
   */
  public static List<Optional<ForeignFilter>> filters(Path file, String column) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return read(channel, column);
    } catch (FilterFormatException e) {
      throw e.in(file);
    }
  }

  private static List<Optional<ForeignFilter>> read(FileChannel channel, String column)
      throws IOException {
    long size = channel.size();
    if (size < ENDS) {
      throw new FilterFormatException(
          Reason.TRUNCATED, size, NAME + ": must have at least 12 bytes, but has " + size);
    }
    ForeignInput end = input(channel, size - 8, size, HEADER_BUFFER);
    long length = end.i32(LITTLE_ENDIAN);
    int magic = end.i32(LITTLE_ENDIAN);
    if (magic == ENCRYPTED) {
      throw end.refusal(size - 4, "must not be encrypted, but is; decrypt it");
    }
    if (magic != MAGIC) {
      throw end.refusal(Reason.NOT_A_FILTER, size - 4, "must end with PAR1, but does not");
    }
    end.require(
        length >= 1 && length <= size - ENDS,
        size - 8,
        "bytes of the footer must be 1 to " + (size - ENDS),
        length);
    ParquetFile parquet = new ParquetFile(channel, size - 8 - length, column);
    parquet.readFooter(length);
    return parquet.filters();
  }

  private static ForeignInput input(FileChannel channel, long from, long to, int buffer) {
    InputStream part = new BufferedInputStream(new Part(channel, from, to), buffer);
    return new ForeignInput(part, NAME, to - from).from(from);
  }

  private void readFooter(long length) throws IOException {
    ForeignInput in = input(file, footer, footer + length, FOOTER_BUFFER);
    ThriftInput thrift = new ThriftInput(in, length);
    thrift.struct(
        (field, type) -> {
          boolean isRowGroups = field == 4 && type == ThriftInput.LIST;
          if (isRowGroups) {
            thrift.list(ThriftInput.STRUCT, () -> readRowGroup(thrift, in));
          }
          return isRowGroups;
        });
  }

  private void readRowGroup(ThriftInput thrift, ForeignInput in) throws IOException {
    int before = offsets.size();
    long at = in.offset();
    thrift.struct(
        (field, type) -> {
          boolean isColumns = field == 1 && type == ThriftInput.LIST;
          if (isColumns) {
            thrift.list(ThriftInput.STRUCT, () -> readChunk(thrift, in));
          }
          return isColumns;
        });
    if (offsets.size() == before) {
      throw new IllegalArgumentException(
          "column must be one of " + ShownNames.of(columns) + ", but was " + column);
    }
    in.require(
        offsets.size() == before + 1, at, "a row group must have a column once", offsets.size());
  }

  private void readChunk(ThriftInput thrift, ForeignInput in) throws IOException {
    long at = in.offset();
    List<String> path = new ArrayList<>();
    long[] offset = {NONE};
    boolean[] isElsewhere = new boolean[1];
    thrift.struct(
        (field, type) -> {
          if (field == 3 && type == ThriftInput.STRUCT) {
            readMetadata(thrift, path, offset);
            return true;
          }
          isElsewhere[0] |= field == 1 || field == 8; // in another file, or encrypted
          return false;
        });
    String name = String.join(".", path);
    columns.add(name);
    if (name.equals(column)) {
      in.require(
          !isElsewhere[0], at, "the column must be in this file, and not encrypted; from", at);
      in.require(
          offset[0] == NONE || (offset[0] >= 4 && offset[0] < footer),
          at,
          "a filter must begin from byte 4 to " + footer,
          offset[0]);
      offsets.add(offset[0]);
    }
  }

  private static void readMetadata(ThriftInput thrift, List<String> path, long[] offset)
      throws IOException {
    thrift.struct(
        (field, type) -> {
          if (field == 3 && type == ThriftInput.LIST) {
            thrift.list(
                ThriftInput.BINARY,
                () -> path.add(new String(thrift.text(), StandardCharsets.UTF_8)));
            return true;
          }
          if (field == 14 && type == ThriftInput.I64) {
            offset[0] = thrift.zigzag();
            return true;
          }
          return false;
        });
  }

  /** Reads the filters, which together have no more bytes than the file, as none shares any. */
  private List<Optional<ForeignFilter>> filters() throws IOException {
    List<Optional<ForeignFilter>> filters = new ArrayList<>();
    long left = footer;
    for (long offset : offsets) {
      if (offset == NONE) {
        filters.add(Optional.empty());
        continue;
      }
      ParquetTable table = ParquetTable.readFramed(input(file, offset, footer, HEADER_BUFFER));
      left -= table.words.length * 8L;
      if (left < 0) {
        throw new FilterFormatException(
            Reason.INVALID, offset, NAME + ": filters must not overlap, but do");
      }
      filters.add(Optional.of(new ForeignFilter(ForeignFormat.PARQUET, table)));
    }
    return filters;
  }

  /** The bytes of a part of a file. */
  private static final class Part extends InputStream {
    private final FileChannel file;
    private long at;
    private final long end;

    Part(FileChannel file, long from, long to) {
      this.file = file;
      this.at = from;
      this.end = to;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int most = (int) Math.min(length, end - at);
      int got = most <= 0 ? -1 : file.read(ByteBuffer.wrap(bytes, from, most), at);
      at += Math.max(0, got);
      return got;
    }
  }
}
