package io.bloomery.window;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.internal.file.LiveControl;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Which tables of a live window are remembered. It has two places in the file, and is written to
 * the one that does not tell the current one, so that a write that is torn leaves that.
 *
 * @param number of this slot: each is one more than the last
 * @param boot the number of the run of the system in which it was written
 * @param began when the youngest began, in nanoseconds since 1970; 0 in a window that counts keys
 * @param isOdd whether an odd number of generations was begun before the youngest
 * @param youngestFirst for each generation its table, or {@link #NONE} if that is to be cleared
 * @param clears for each table how often it was cleared
 */
record LiveSlot(
    long number,
    long boot,
    long began,
    boolean isOdd,
    List<Integer> youngestFirst,
    List<Long> clears) {

  /** No table: one of those that no generation has is to be cleared for it. */
  static final int NONE = 255;

  private static final int ODD_AT = 24;
  private static final int TABLES_AT = 25;
  private static final int RESERVED_AT = TABLES_AT + Extent.GENERATIONS;
  private static final int CLEARS_AT = 32;
  private static final int END = CLEARS_AT + Extent.GENERATIONS * Long.BYTES;
  private static final int CRC_AT = LiveControl.BLOCK - Integer.BYTES;

  /** Returns that of a new window. */
  static LiveSlot ofNew(long began) {
    return new LiveSlot(1, 0, began, false, List.of(0, 1, 2), List.of(0L, 0L, 0L));
  }

  /** Returns the offset from the first of the two places. */
  long at() {
    return (1 - number % 2) * LiveControl.BLOCK;
  }

  /** Returns the tables that no generation has. */
  List<Integer> unused() {
    List<Integer> all = new ArrayList<>(List.of(0, 1, 2));
    all.removeAll(youngestFirst);
    return all;
  }

  byte[] encode() {
    byte[] block = new byte[LiveControl.BLOCK];
    ByteBuffer out = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(number).putLong(boot).putLong(began).put((byte) (isOdd ? 1 : 0));
    youngestFirst.forEach(table -> out.put(table.byteValue()));
    out.position(CLEARS_AT);
    clears.forEach(out::putLong);
    seal(out);
    return block;
  }

  /** Writes the checksum of a block to its end. */
  static void seal(ByteBuffer block) {
    block.putInt(CRC_AT, crc(block));
  }

  /** Returns whether a block has its checksum. */
  static boolean isSealed(ByteBuffer block) {
    return block.getInt(CRC_AT) == crc(block);
  }

  private static int crc(ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(0, CRC_AT));
    return (int) crc.getValue();
  }

  /**
   * Reads the current one.
   *
   * @param at the offset of the first place, for messages
   */
  static LiveSlot decode(ByteBuffer first, ByteBuffer second, long at)
      throws FilterFormatException {
    LiveSlot one = decode(first, at);
    LiveSlot two = decode(second, at + LiveControl.BLOCK);
    if (one != null) {
      return two != null && two.number > one.number ? two : one;
    }
    if (two != null) {
      return two;
    }
    throw new FilterFormatException(
        Reason.DAMAGED,
        at,
        "both slots of a live window damaged: their checksums do not match, so that it is not"
            + " known which keys are the youngest; make it again");
  }

  /** Returns null if the block has another checksum. */
  private static @Nullable LiveSlot decode(ByteBuffer in, long at) throws FilterFormatException {
    if (!isSealed(in)) {
      return null;
    }
    List<Integer> tables = new ArrayList<>();
    List<Long> clears = new ArrayList<>();
    boolean isValid = in.getLong(0) > 0 && in.getLong(16) >= 0 && (in.get(ODD_AT) & ~1) == 0;
    for (int i = 0; i < Extent.GENERATIONS; i++) {
      int table = Byte.toUnsignedInt(in.get(TABLES_AT + i));
      isValid &= table == NONE || (table < Extent.GENERATIONS && !tables.contains(table));
      tables.add(table);
      clears.add(in.getLong(CLEARS_AT + i * Long.BYTES));
      isValid &= clears.get(i) >= 0;
    }
    for (int i = RESERVED_AT; i < CRC_AT; i++) {
      isValid &= (i >= CLEARS_AT && i < END) || in.get(i) == 0;
    }
    if (!isValid) {
      throw new FilterFormatException(
          Reason.INVALID, at, "slot that no live window has; make it again");
    }
    return new LiveSlot(
        in.getLong(0), in.getLong(8), in.getLong(16), in.get(ODD_AT) == 1, tables, clears);
  }
}
