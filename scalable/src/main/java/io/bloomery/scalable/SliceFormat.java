package io.bloomery.scalable;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterProvider;
import io.bloomery.FilterView;
import io.bloomery.MappedPayload;
import io.bloomery.PayloadInput;
import io.bloomery.PayloadOutput;
import io.bloomery.ThreadMode;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The payload of a scalable filter: the number of slices; four words for each slice, its provider's
 * position in {@link Series#PROVIDERS}, its bits, its probes and the keys that changed it; then the
 * table of each slice. The oldest slice comes first.
 */
final class SliceFormat {

  private static final int HEADER_WORDS = 4;

  private SliceFormat() {}

  /** Returns the size of the payload in bytes. */
  static long size(Slices slices) {
    return Long.BYTES * headWords(slices.oldestFirst().size()) + slices.bytes();
  }

  private static long headWords(int slices) {
    return 1 + (long) HEADER_WORDS * slices;
  }

  static void write(Slices slices, PayloadOutput out) throws IOException {
    out.begin(size(slices));
    out.writeLong(slices.oldestFirst().size());
    for (Slice slice : slices.oldestFirst()) {
      Header.of(slice).write(out);
    }
    TableOutput table = new TableOutput(out);
    for (Slice slice : slices.oldestFirst()) {
      slice.filter().writePayload(table);
    }
  }

  /**
   * Reads slices that {@link #write} wrote. They are taken as they are if such slices could have
   * been written, and never planned again.
   *
   * @throws FilterFormatException if they could not
   */
  static Slices read(Series series, PayloadInput in, ThreadMode mode) throws IOException {
    List<Header> headers = readHeaders(series, in);
    List<Slice> slices = new ArrayList<>();
    for (int i = 0; i < headers.size(); i++) {
      slices.add(readSlice(series, i, headers.get(i), in, mode));
    }
    return new Slices(slices, mode);
  }

  /**
   * Maps slices that {@link #write} wrote, each of them apart. Whether their bits are as many as
   * their keys can have set is not looked at, since that would read all of them.
   *
   * @throws FilterFormatException if no such slices could have been written
   */
  static FilterView map(Series series, MappedPayload in) throws IOException {
    List<Header> headers = readHeaders(series, in);
    List<FilterView> slices = new ArrayList<>();
    Set<FilterView> splitBlock = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < headers.size(); i++) {
      Header header = headers.get(i);
      MappedSlice payload = new MappedSlice(in, header.bytes());
      FilterProvider provider = Series.PROVIDERS.get(header.provider());
      FilterView slice = provider.map(series.spec(i), header.layout().toMap(), payload);
      slices.add(slice);
      if (Series.isSplitBlock(provider)) {
        splitBlock.add(slice);
      }
    }
    return new MappedScalable(slices, splitBlock);
  }

  private static List<Header> readHeaders(Series series, PayloadInput in) throws IOException {
    long count = in.readLongs(1)[0];
    long mostSlices = series.layout().mostSlices();
    if (count < 1 || count > mostSlices) {
      throw in.malformed("slices must be from 1 to " + mostSlices + ", but are " + count);
    }
    long[] words = in.readLongs(HEADER_WORDS * count);
    List<Header> headers = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < count; i++) {
      Header header;
      try {
        header = Header.of(words, i * HEADER_WORDS);
        header.check(series, i, i + 1 == count);
      } catch (IllegalArgumentException e) {
        throw in.malformed("slice " + i + ": " + e.getMessage());
      }
      headers.add(header);
      bytes += header.bytes();
    }
    if (bytes > series.layout().mostBytes()) {
      throw in.malformed(
          "slices may take " + series.layout().mostBytes() + " bytes, but take " + bytes);
    }
    long size = Long.BYTES * headWords(headers.size()) + bytes;
    if (in.size() != size) {
      throw in.malformed(
          "payload must have " + size + " bytes for these slices, but has " + in.size());
    }
    return headers;
  }

  private static Slice readSlice(
      Series series, int number, Header header, PayloadInput in, ThreadMode mode)
      throws IOException {
    TableInput table = new TableInput(in, header.bytes());
    Filter filter =
        Series.PROVIDERS
            .get(header.provider())
            .read(series.spec(number), header.layout().toMap(), table, mode);
    try {
      header.check(table.setBits);
    } catch (IllegalArgumentException e) {
      throw in.malformed("slice " + number + ": " + e.getMessage());
    }
    return new Slice(filter, series.keys(number), header.keys());
  }

  /** What stands in a file about one slice. */
  private record Header(int provider, TableLayout layout, long keys) {

    static Header of(Slice slice) {
      String variant = slice.filter().variant();
      int provider = 0;
      while (!Series.PROVIDERS.get(provider).variant().equals(variant)) {
        provider++;
      }
      return new Header(provider, TableLayout.of(slice.filter().layout()), slice.keys());
    }

    static Header of(long[] words, int at) {
      long provider = words[at];
      if (provider < 0 || provider >= Series.PROVIDERS.size()) {
        throw new IllegalArgumentException(
            "kind must be from 0 to " + (Series.PROVIDERS.size() - 1) + ", but is " + provider);
      }
      long probes = words[at + 2];
      if (probes != (int) probes) {
        throw new IllegalArgumentException("probes out of range: " + probes);
      }
      return new Header(
          (int) provider, new TableLayout(words[at + 1], (int) probes), words[at + 3]);
    }

    void write(PayloadOutput out) throws IOException {
      out.writeLong(provider);
      out.writeLong(layout.bits());
      out.writeLong(layout.probes());
      out.writeLong(keys);
    }

    long bytes() {
      return layout.bits() / Byte.SIZE;
    }

    /** Checks what follows from the knobs: all slices but the newest are full. */
    void check(Series series, int number, boolean newest) {
      series.spec(number);
      long most = series.keys(number);
      long fewest = newest ? Math.min(number, 1) : most;
      if (keys < fewest || keys > most) {
        throw new IllegalArgumentException(
            "keys must be from " + fewest + " to " + most + ", but are " + keys);
      }
    }

    /** Checks that so many keys can have set so many bits, each at least one. */
    void check(long setBits) {
      long fewestKeys = (setBits + layout.probes() - 1) / layout.probes();
      if (keys < fewestKeys || keys > setBits) {
        throw new IllegalArgumentException(
            keys
                + " keys cannot have set "
                + setBits
                + " bits with "
                + layout.probes()
                + " probes");
      }
    }
  }

  /** The part of a payload that one table takes. */
  private static final class TableInput implements PayloadInput {

    private final PayloadInput in;
    private final long size;
    private long setBits;

    TableInput(PayloadInput in, long size) {
      this.in = in;
      this.size = size;
    }

    @Override
    public long size() {
      return size;
    }

    @Override
    public long[] readLongs(long count) throws IOException {
      long[] words = in.readLongs(count);
      for (long word : words) {
        setBits += Long.bitCount(word);
      }
      return words;
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return in.malformed(reason);
    }
  }

  /** The same where it is mapped. */
  private record MappedSlice(MappedPayload in, long size) implements MappedPayload {

    @Override
    public long[] readLongs(long count) throws IOException {
      return in.readLongs(count);
    }

    @Override
    public LongBuffer[] mapLongs(long count) throws IOException {
      return in.mapLongs(count);
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return in.malformed(reason);
    }
  }

  /** The same for writing. */
  private record TableOutput(PayloadOutput out) implements PayloadOutput {

    @Override
    public void begin(long size) {
      // Announced with all others.
    }

    @Override
    public void writeLong(long word) throws IOException {
      out.writeLong(word);
    }

    @Override
    public void writeLongs(long[] words, int from, int to) throws IOException {
      out.writeLongs(words, from, to);
    }
  }
}
