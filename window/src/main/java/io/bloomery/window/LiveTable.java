package io.bloomery.window;

import io.bloomery.file.LivePart;
import io.bloomery.internal.file.LiveControl;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * One of the three tables of a live window: a block with its counts, a filter, and a block whose
 * last word ends the table. The number of its clears stands before the filter and behind it, so
 * that a copy taken while it is cleared is told from a table.
 *
 * <p>There are two counts: those of what was put, and those of what was forced to the disk.
 */
final class LiveTable {

  /** Counts of keys: all that changed the filter, and those that no generation remembered. */
  record Counts(long taken, long unknown) {
    static final Counts NONE = new Counts(0, 0);
  }

  private static final int CLEARS_AT = 0;
  private static final int PUT_AT = 8;
  private static final int FORCED_AT = 24;
  private static final int COUNTS_END = 40;
  private static final int END_AT = LiveControl.BLOCK - Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final int index;
  private final LivePart part;
  private final MappedByteBuffer first;
  private final MappedByteBuffer last;

  /**
   * Maps a table.
   *
   * @param from its offset in the file
   * @param size its length
   */
  LiveTable(int index, LivePart part, FileChannel channel, long from, long size)
      throws IOException {
    this.index = index;
    this.part = part;
    this.first = map(channel, from);
    this.last = map(channel, from + size - LiveControl.BLOCK);
  }

  private static MappedByteBuffer map(FileChannel channel, long at) throws IOException {
    MappedByteBuffer mapped = channel.map(MapMode.READ_WRITE, at, LiveControl.BLOCK);
    mapped.order(ByteOrder.LITTLE_ENDIAN);
    return mapped;
  }

  /** Returns the length of a table whose filter has a length: whole blocks. */
  static long size(long length) {
    long rest = length % LiveControl.BLOCK;
    return LiveControl.BLOCK
        + length
        + (rest == 0 ? 0 : LiveControl.BLOCK - rest)
        + LiveControl.BLOCK;
  }

  /** The content of a filter. */
  interface Content {

    /** Writes the content completely. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Writes a table whose filter is empty. */
  static void writeNew(long length, Content filter, OutputStream out) throws IOException {
    ByteBuffer first = ByteBuffer.allocate(LiveControl.BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    LiveSlot.seal(first);
    out.write(first.array());
    filter.writeTo(out);
    out.write(new byte[(int) (size(length) - LiveControl.BLOCK - length)]);
  }

  /** Returns its number, from 0 to 2. */
  int index() {
    return index;
  }

  LivePart part() {
    return part;
  }

  /** Returns how often it was cleared, or began to be. */
  long clears() {
    return get(first, CLEARS_AT);
  }

  /** Returns how often the table of two blocks was cleared; negative if they do not agree. */
  static long clears(ByteBuffer first, ByteBuffer last) {
    long clears = first.getLong(CLEARS_AT);
    return clears == last.getLong(END_AT) ? clears : -1;
  }

  /** Returns the counts of what was put, from the first block of a table. */
  static Counts put(ByteBuffer first) {
    return new Counts(first.getLong(PUT_AT), first.getLong(PUT_AT + Long.BYTES));
  }

  /** Returns the counts of what was forced. */
  Counts forced() {
    return new Counts(get(first, FORCED_AT), get(first, FORCED_AT + Long.BYTES));
  }

  boolean hasForced() {
    return get(first, FORCED_AT) > 0;
  }

  /** Counts what was put, whose bits are set. */
  void count(long taken, long unknown) {
    set(first, PUT_AT, taken);
    set(first, PUT_AT + Long.BYTES, unknown);
  }

  /** Forces what was put to the disk, and then its counts: these are never ahead of it. */
  void force(Counts counts) throws IOException {
    part.force();
    count(counts.taken(), counts.unknown());
    set(first, FORCED_AT, counts.taken());
    set(first, FORCED_AT + Long.BYTES, counts.unknown());
    force(first);
  }

  /** Makes the checksum of the counts, which nothing changes any more. */
  void seal() throws IOException {
    LiveSlot.seal(first);
    force(first);
  }

  /** Clears the table, durably. */
  void clear() throws IOException {
    long clears = Math.max(get(first, CLEARS_AT), get(last, END_AT)) + 1;
    set(first, CLEARS_AT, clears);
    set(last, END_AT, clears);
    force(last);
    part.clear();
    for (int at = PUT_AT; at < COUNTS_END; at += Long.BYTES) {
      set(first, at, 0);
    }
    force(Counts.NONE);
  }

  private static void force(MappedByteBuffer block) throws IOException {
    try {
      block.force();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static long get(ByteBuffer block, int at) {
    return (long) LONGS.getAcquire(block, at);
  }

  private static void set(ByteBuffer block, int at, long value) {
    LONGS.setRelease(block, at, value);
  }
}
