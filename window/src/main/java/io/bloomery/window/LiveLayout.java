package io.bloomery.window;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.LiveControl;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the file of a live window has besides its three filters. {@code docs/FORMAT.md} describes
 * every byte.
 *
 * @param control whether it is open for writing
 * @param keys the number of keys remembered, or expected for each time
 * @param rate the rate of the whole window
 * @param nanos the time, or {@link Extent#BY_KEYS}
 * @param length the length of each filter in bytes
 * @param slot which tables are remembered
 * @param put the counts of each table
 */
record LiveLayout(
    LiveControl control,
    long keys,
    double rate,
    long nanos,
    long length,
    LiveSlot slot,
    List<LiveTable.Counts> put) {

  private static final int HEAD_AT = LiveControl.SIZE;
  static final int SLOTS_AT = HEAD_AT + LiveControl.BLOCK;
  private static final int TABLES_AT = SLOTS_AT + 2 * LiveControl.BLOCK;

  private static final int KEYS_AT = 0;
  private static final int RATE_AT = 8;
  private static final int NANOS_AT = 16;
  private static final int LENGTH_AT = 24;
  private static final int HEAD_END = 32;

  private static final long LONGEST = Long.MAX_VALUE / 4;

  /** Writes all of a new window but what is in its filters. */
  static void writeNew(
      Extent extent,
      double rate,
      long began,
      long length,
      LiveTable.Content filter,
      OutputStream out)
      throws IOException {
    long size = TABLES_AT - LiveControl.SIZE + Extent.GENERATIONS * LiveTable.size(length);
    out.write(LiveControl.ofNew(LiveControl.WINDOW, size));
    byte[] headBytes = new byte[LiveControl.BLOCK];
    ByteBuffer head = block(headBytes);
    head.putLong(extent.keys()).putDouble(rate).putLong(extent.nanos()).putLong(length);
    LiveSlot.seal(head);
    out.write(headBytes);
    out.write(LiveSlot.ofNew(began).encode());
    out.write(new byte[LiveControl.BLOCK]);
    for (int i = 0; i < Extent.GENERATIONS; i++) {
      LiveTable.writeNew(length, filter, out);
    }
  }

  private static ByteBuffer block(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns whether a file is a regular one and begins as that of a live window does. */
  static boolean isOf(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      return false;
    }
    try (FileInput in = FileInput.of(path)) {
      return LiveControl.begins(in.readNBytes(LiveControl.SIZE), LiveControl.WINDOW);
    }
  }

  /**
   * Reads the file of a live window that is closed.
   *
   * @throws FilterFormatException as for {@link #read(Path, FileChannel)}, or if it is open
   */
  static LiveLayout sealed(Path path) throws IOException {
    LiveLayout layout = read(path);
    if (layout.isOpen()) {
      throw new FilterFormatException(
              Reason.OPEN_FOR_WRITING,
              0,
              "a live window must be closed to be read, but is "
                  + layout.control.state()
                  + "; if that process has ended, open it by openLive, or seal it by verify --seal")
          .in(path);
    }
    return layout;
  }

  static LiveLayout read(Path path) throws IOException {
    try (FileChannel channel = FileInput.channel(path)) {
      return read(path, channel);
    }
  }

  /** Checks that the window was not opened since this was read. */
  void checkSame(Path path) throws IOException {
    if (!sealed(path).control.equals(control)) {
      throw new FilterFormatException(
              Reason.OPEN_FOR_WRITING, 0, "was opened while it was read; read it again")
          .in(path);
    }
  }

  /**
   * Reads a file.
   *
   * @throws FilterFormatException if it is not that of a live window, or is corrupt
   */
  static LiveLayout read(Path path, FileChannel channel) throws IOException {
    try {
      return read(LiveControl.read(channel), channel);
    } catch (LiveControl.Malformed e) {
      throw malformed(e).in(path);
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  static FilterFormatException malformed(LiveControl.Malformed e) {
    Reason reason =
        switch (e.flaw()) {
          case NOT_LIVE -> Reason.NOT_A_FILTER;
          case VERSION -> Reason.UNSUPPORTED_VERSION;
          case TRUNCATED -> Reason.TRUNCATED;
          case DAMAGED -> Reason.DAMAGED;
          case INVALID -> Reason.INVALID;
        };
    return new FilterFormatException(reason, e.offset(), e.reason());
  }

  private static LiveLayout read(LiveControl control, FileChannel channel) throws IOException {
    if (control.kind() != LiveControl.WINDOW) {
      throw new FilterFormatException(
          Reason.OTHER_KIND, 0, "not a window, but a live filter; open it by openLive of Filters");
    }
    long size = LiveControl.SIZE + control.contentSize();
    if (channel.size() != size) {
      boolean isShort = channel.size() < size;
      throw new FilterFormatException(
          isShort ? Reason.TRUNCATED : Reason.TRAILING_BYTES,
          Math.min(channel.size(), size),
          "a live window must have " + size + " bytes, but has " + channel.size());
    }
    ByteBuffer head = block(channel, HEAD_AT);
    if (!LiveSlot.isSealed(head)) {
      throw new FilterFormatException(
          Reason.DAMAGED, HEAD_AT, "head of a live window damaged: its checksum does not match");
    }
    long length = head.getLong(LENGTH_AT);
    boolean isValid = length > 0 && length < LONGEST;
    for (int i = HEAD_END; i < LiveControl.BLOCK - Integer.BYTES; i++) {
      isValid &= head.get(i) == 0;
    }
    if (!isValid
        || TABLES_AT + Extent.GENERATIONS * (double) LiveTable.size(length) != (double) size) {
      throw new FilterFormatException(
          Reason.INVALID, HEAD_AT, "head that no live window of " + size + " bytes has");
    }
    LiveSlot slot =
        LiveSlot.decode(
            block(channel, SLOTS_AT), block(channel, SLOTS_AT + LiveControl.BLOCK), SLOTS_AT);
    List<LiveTable.Counts> counts = new ArrayList<>();
    for (int i = 0; i < Extent.GENERATIONS; i++) {
      counts.add(table(control, length, slot, i, channel));
    }
    LiveLayout read =
        new LiveLayout(
            control,
            head.getLong(KEYS_AT),
            head.getDouble(RATE_AT),
            head.getLong(NANOS_AT),
            length,
            slot,
            List.copyOf(counts));
    read.check();
    return read;
  }

  private static LiveTable.Counts table(
      LiveControl control, long length, LiveSlot slot, int table, FileChannel channel)
      throws IOException {
    long from = tableAt(table, length);
    ByteBuffer first = block(channel, from);
    ByteBuffer last = block(channel, from + LiveTable.size(length) - LiveControl.BLOCK);
    if (!control.state().isOpen() && !LiveSlot.isSealed(first)) {
      throw new FilterFormatException(
          Reason.DAMAGED, from, "counts of a live window damaged: their checksum does not match");
    }
    if (slot.youngestFirst().contains(table)) {
      long clears = LiveTable.clears(first, last);
      if (clears != slot.clears().get(table)) {
        throw new FilterFormatException(
            Reason.INVALID,
            from,
            "table must have been cleared "
                + slot.clears().get(table)
                + " times, but was "
                + (clears < 0 ? "cleared" : "cleared " + clears + " times")
                + ", as in a copy that was taken while the window was open; take one by save, or"
                + " when it is closed");
      }
    }
    LiveTable.Counts counts = LiveTable.put(first);
    if (counts.unknown() < 0 || counts.unknown() > counts.taken()) {
      throw new FilterFormatException(
          Reason.INVALID,
          from,
          "a generation must have from 0 to all its keys new, but has "
              + counts.unknown()
              + " of "
              + counts.taken());
    }
    return counts;
  }

  private static ByteBuffer block(FileChannel channel, long at) throws IOException {
    ByteBuffer in = block(new byte[LiveControl.BLOCK]);
    while (in.hasRemaining()) {
      if (channel.read(in, at + in.position()) < 0) {
        throw new FilterFormatException(
            Reason.TRUNCATED, at + in.position(), "ends here, in the middle of a live window");
      }
    }
    return in;
  }

  /** Checks what a window in memory must satisfy, too. */
  private void check() throws FilterFormatException {
    check(isOpen() ? headerWithoutCounts() : header());
    if (!isOpen() && slot.youngestFirst().contains(LiveSlot.NONE)) {
      throw new FilterFormatException(
          Reason.INVALID, SLOTS_AT, "a live window that is closed must have three generations");
    }
  }

  private static void check(SlidingHeader header) throws FilterFormatException {
    try {
      SlidingHeader.decode(header.encode());
    } catch (FilterFormatException e) {
      throw new FilterFormatException(e.reason(), HEAD_AT, e.detail());
    }
  }

  /**
   * Checks the counts that a window that was not closed is opened with, as of a closed one: it
   * would be sealed with them, and no more be read. Its youngest may have just been filled.
   */
  void checkOpened(List<LiveTable.Counts> youngestFirst) throws FilterFormatException {
    LiveTable.Counts youngest = youngestFirst.get(0);
    boolean isWithin =
        extent().isByTime()
            || (youngest.taken() <= keys && youngest.unknown() <= extent().newKeysOf(slot.isOdd()));
    if (!isWithin || youngest.unknown() < 0 || youngest.unknown() > youngest.taken()) {
      throw new FilterFormatException(
          Reason.INVALID,
          HEAD_AT,
          "the youngest generation of a window of "
              + keys
              + " keys must not have "
              + youngest.taken()
              + " of them, "
              + youngest.unknown()
              + " new; make it again");
    }
    List<LiveTable.Counts> closed = new ArrayList<>(youngestFirst);
    closed.set(0, LiveTable.Counts.NONE);
    check(header(closed));
  }

  boolean isOpen() {
    return control.state().isOpen();
  }

  Extent extent() {
    return new Extent(keys, nanos);
  }

  /** Returns the offset of the filter of a table. */
  long filterAt(int table) {
    return tableAt(table) + LiveControl.BLOCK;
  }

  long tableAt(int table) {
    return tableAt(table, length);
  }

  private static long tableAt(int table, long length) {
    return TABLES_AT + table * LiveTable.size(length);
  }

  /** Returns the counts of a table and the length of its filter. */
  SlidingHeader.Counts counts(int table) {
    return new SlidingHeader.Counts(put.get(table).taken(), put.get(table).unknown(), length);
  }

  /** Returns the header that the window has when it is saved just when its youngest began. */
  SlidingHeader header() {
    return header(
        slot.youngestFirst().stream()
            .map(table -> table == LiveSlot.NONE ? LiveTable.Counts.NONE : put.get(table))
            .toList());
  }

  private SlidingHeader headerWithoutCounts() {
    return header(List.of(LiveTable.Counts.NONE, LiveTable.Counts.NONE, LiveTable.Counts.NONE));
  }

  private SlidingHeader header(List<LiveTable.Counts> youngestFirst) {
    return new SlidingHeader(
        keys,
        rate,
        nanos,
        slot.isOdd(),
        slot.began(),
        0,
        youngestFirst.stream()
            .map(counts -> new SlidingHeader.Counts(counts.taken(), counts.unknown(), length))
            .toList());
  }
}
