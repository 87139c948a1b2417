package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.internal.file.FileInput;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UTFDataFormatException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A file index of Paimon, version 1: a file beside a data file, with indexes of several kinds for
 * several columns. {@link ForeignFormat#PAIMON} reads one that has one Bloom filter, and changes it
 * there.
 */
public final class PaimonIndexFile {

  static final long MAGIC = 0x54e4ed01a35aeL;

  private static final String BLOOM_FILTER = "bloom-filter";
  private static final int MOST_BYTES = 1 << 24; // of the head
  private static final int MOST_REST = 1 << 30;
  private static final int EMPTY = -1; // where the index of a column without values starts

  /** Where the Bloom filter of a column is; of a column without values it has no bytes. */
  private record Entry(String column, int start, int length) {

    boolean isEmpty() {
      return length == 0;
    }
  }

  /** What comes before the only filter, the size of its table, and the end of the last index. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares two
  record Only(byte[] before, int bytes, long end) {}

  /** Where the Bloom filters are, and the end of the last index. */
  private record Head(List<Entry> entries, long end) {}

  private PaimonIndexFile() {}

  /**
   * Reads the Bloom filters of a file, by column and in their order there. A column whose values
   * are all null has an empty filter, in which every key is absent. Each is a copy: what is put
   * into it does not change the file.
   *
   * @throws FilterFormatException if it is not such a file, or one of its filters is invalid
   * @throws IOException if it cannot be read
   */
  public static Map<String, ForeignFilter> filters(Path file) throws IOException {
    try (InputStream in = new BufferedInputStream(FileInput.of(file))) {
      byte[] all = in.readAllBytes();
      ForeignInput head = new ForeignInput(new ByteArrayInputStream(all), "paimon", all.length);
      int start = head.i32(BIG_ENDIAN);
      head.require(start == MAGIC >>> Integer.SIZE, 0, "must begin with 347726", start);
      Map<String, ForeignFilter> filters = new LinkedHashMap<>();
      long left = all.length;
      for (Entry entry : head(head, new ByteArrayOutputStream()).entries) {
        long end = (long) entry.start + entry.length;
        head.require(end <= all.length, head.offset(), "an index must end in the file", end);
        left -= entry.length;
        head.require(left >= 0, entry.start, "filters must not overlap; the bytes left", left);
        ForeignTable table = table(all, entry);
        if (filters.put(entry.column, new ForeignFilter(ForeignFormat.PAIMON, table)) != null) {
          throw head.refusal(
              16,
              "a column must have one Bloom filter, but has two: " + ShownNames.of(entry.column));
        }
      }
      return Collections.unmodifiableMap(filters);
    } catch (FilterFormatException e) {
      throw e.in(file);
    }
  }

  private static ForeignTable table(byte[] all, Entry entry) throws IOException {
    if (entry.isEmpty()) {
      return PaimonTable.empty();
    }
    InputStream bytes = new ByteArrayInputStream(all, entry.start, entry.length);
    return PaimonTable.readAlone(new ForeignInput(bytes, "paimon", entry.length).from(entry.start));
  }

  /**
   * Reads what comes before the table of the only filter, after the first four bytes.
   *
   * @throws FilterFormatException if there are none or several, which the message lists
   */
  static Only only(ForeignInput in) throws IOException {
    ByteArrayOutputStream before = new ByteArrayOutputStream();
    Head head = head(in, before);
    List<Entry> entries = head.entries.stream().filter(entry -> !entry.isEmpty()).toList();
    if (entries.isEmpty()) {
      throw in.refusal(16, "an index file must have a Bloom filter with bytes, but has none");
    }
    if (entries.size() > 1) {
      throw in.refusal(
          16,
          "an index file must have the Bloom filter of one column, but has those of "
              + ShownNames.of(entries.stream().map(Entry::column).toList())
              + "; ask for one by PaimonIndexFile.filters, or 'bloomery check --column'");
    }
    Entry entry = entries.get(0);
    while (in.offset() < entry.start) {
      in.checkSize(before.size(), 16);
      before.write(in.u8());
    }
    return new Only(before.toByteArray(), entry.length - 4, head.end);
  }

  /** Reads the other indexes after the filter. */
  static byte[] rest(Only only, ForeignInput in) throws IOException {
    byte[] rest = in.rest(MOST_REST);
    if (in.offset() < only.end) {
      throw in.refusal(
          Reason.TRUNCATED,
          in.offset(),
          "the file must have " + only.end + " bytes, but is cut off");
    }
    return rest;
  }

  /** Reads the head after its first four bytes, which are added to what it is recorded in. */
  private static Head head(ForeignInput in, ByteArrayOutputStream seen) throws IOException {
    for (int shift = 56; shift >= 32; shift -= 8) {
      seen.write((int) (MAGIC >>> shift));
    }
    int low = number(4, in, seen);
    in.require(low == (int) MAGIC, 4, "the magic number must go on with -803588690", low);
    int version = number(4, in, seen);
    in.require(version == 1, 8, "version of the index file must be 1", version);
    int size = number(4, in, seen);
    List<Entry> entries = new ArrayList<>();
    long end = size;
    for (int columns = number(4, in, seen); columns > 0; columns--) {
      String column = text(in, seen);
      for (int indexes = number(4, in, seen); indexes > 0; indexes--) {
        String type = text(in, seen);
        long at = in.offset();
        int start = number(4, in, seen);
        int length = number(4, in, seen);
        if (start == EMPTY) {
          in.require(length == 0, at + 4, "an index of no values must have 0 bytes", length);
        } else {
          in.require(start >= size, at, "an index must begin after the head", start);
          in.require(length >= 0, at + 4, "an index must have at least 0 bytes", length);
          end = Math.max(end, (long) start + length);
        }
        if (type.equals(BLOOM_FILTER)) {
          in.require(
              start == EMPTY || length > 4, at + 4, "a filter must have at least 5 bytes", length);
          entries.add(new Entry(column, Math.max(0, start), length));
        }
      }
    }
    for (int more = number(4, in, seen); more > 0; more--) {
      number(1, in, seen);
    }
    in.require(in.offset() == size, 12, "the head must have " + in.offset() + " bytes", size);
    return new Head(entries, end);
  }

  private static int number(int bytes, ForeignInput in, ByteArrayOutputStream seen)
      throws IOException {
    in.require(seen.size() < MOST_BYTES, 12, "the head must be at most 16 MiB", seen.size());
    int number = 0;
    for (int i = 0; i < bytes; i++) {
      int b = in.u8();
      seen.write(b);
      number = number << 8 | b;
    }
    return number;
  }

  /** Reads a text as a {@code DataOutput} writes it, whose UTF-8 is a modified one. */
  private static String text(ForeignInput in, ByteArrayOutputStream seen) throws IOException {
    long at = in.offset();
    byte[] bytes = new byte[2 + number(2, in, seen)];
    bytes[0] = (byte) ((bytes.length - 2) >> 8);
    bytes[1] = (byte) (bytes.length - 2);
    for (int i = 2; i < bytes.length; i++) {
      bytes[i] = (byte) number(1, in, seen);
    }
    try {
      return new DataInputStream(new ByteArrayInputStream(bytes)).readUTF();
    } catch (UTFDataFormatException e) {
      throw in.refusal(at, "a name must be UTF-8 as Java's DataOutput writes it, but is not");
    }
  }
}
