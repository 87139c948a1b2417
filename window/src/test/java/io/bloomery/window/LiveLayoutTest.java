package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.internal.file.LiveControl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveLayoutTest {

  private static final int HEAD_AT = LiveControl.SIZE;

  @TempDir Path folder;

  private Path file;
  private LiveLayout layout;
  private byte[] open;
  private byte[] closed;

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("a.live");
    LiveSlidingBloomFilter<Long> live =
        SlidingBloomFilter.builder(Bloomery.longs().expect(20).fpp(1e-6)).openOrCreate(file);
    for (long key = 0; key < 45; key++) {
      live.put(key);
    }
    open = Files.readAllBytes(file);
    live.close();
    closed = Files.readAllBytes(file);
    layout = LiveLayout.read(file);
  }

  private static ByteBuffer block(byte[] bytes, long at) {
    return ByteBuffer.wrap(bytes, (int) at, LiveControl.BLOCK)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the bytes with a block changed, and its checksum. */
  private static byte[] with(byte[] whole, long at, Consumer<ByteBuffer> change) {
    byte[] bytes = whole.clone();
    ByteBuffer block = block(bytes, at);
    change.accept(block);
    LiveSlot.seal(block);
    return bytes;
  }

  /** However it is opened, and without a change of its file. */
  private void assertRefusedAt(long offset, Reason reason, byte[] bytes) throws IOException {
    Files.write(file, bytes);
    FilterFormatException refused =
        assertThrows(FilterFormatException.class, () -> LiveLayout.read(file));
    assertEquals(offset, refused.offset(), refused.getMessage());
    assertEquals(reason, refused.reason(), refused.getMessage());
    assertThrows(
        FilterFormatException.class, () -> SlidingBloomFilter.open(Bloomery.longs(), file));
    assertThrows(
        FilterFormatException.class, () -> SlidingBloomFilter.openLive(Bloomery.longs(), file));
    assertArrayEquals(bytes, Files.readAllBytes(file));
  }

  @Test
  void aHeadThatNoWindowHasIsRefused() throws IOException {
    long length = layout.length();
    for (byte[] whole : List.of(open, closed)) {
      for (Consumer<ByteBuffer> change :
          List.<Consumer<ByteBuffer>>of(
              head -> head.putLong(0, 0),
              head -> head.putDouble(8, Double.NaN),
              head -> head.putDouble(8, 1),
              head -> head.putLong(16, 1),
              head -> head.putLong(16, -1),
              head -> head.putLong(24, 0),
              head -> head.putLong(24, -1),
              head -> head.putLong(24, length + LiveControl.BLOCK),
              head -> head.putLong(24, Long.MAX_VALUE / 4),
              head -> head.putLong(24, Long.MAX_VALUE),
              head -> head.put(32, (byte) 1),
              head -> head.put(LiveControl.BLOCK - 5, (byte) 1))) {
        assertRefusedAt(HEAD_AT, Reason.INVALID, with(whole, HEAD_AT, change));
      }
      byte[] damaged = whole.clone();
      damaged[HEAD_AT + 100] = 1;
      assertRefusedAt(HEAD_AT, Reason.DAMAGED, damaged);
    }
  }

  @Test
  void anotherLengthThanTheOneThatIsToldIsRefused() throws IOException {
    for (byte[] whole : List.of(open, closed)) {
      for (int length : new int[] {whole.length - 1, whole.length - LiveControl.BLOCK}) {
        assertRefusedAt(length, Reason.TRUNCATED, Arrays.copyOf(whole, length));
      }
      assertRefusedAt(whole.length, Reason.TRAILING_BYTES, Arrays.copyOf(whole, whole.length + 1));
    }
  }

  /** Of those that are remembered: as many clears as the slot says, at both ends of a table. */
  @Test
  void aTableThatTheSlotDoesNotDescribeIsRefused() throws IOException {
    for (byte[] whole : List.of(open, closed)) {
      for (int table = 0; table < Extent.GENERATIONS; table++) {
        long at = layout.tableAt(table);
        long end = at + LiveTable.size(layout.length()) - LiveControl.BLOCK;
        byte[] cleared = whole.clone();
        ByteBuffer last = block(cleared, end);
        last.putLong(LiveControl.BLOCK - Long.BYTES, last.getLong(LiveControl.BLOCK - 8) + 1);
        assertRefusedAt(at, Reason.INVALID, cleared);
        assertRefusedAt(
            at, Reason.INVALID, with(cleared, at, first -> first.putLong(0, first.getLong(0) + 1)));
        for (long unknown : new long[] {-1, block(whole, at).getLong(8) + 1}) {
          assertRefusedAt(at, Reason.INVALID, with(whole, at, first -> first.putLong(16, unknown)));
        }
      }
    }
    long at = layout.tableAt(1);
    byte[] damaged = closed.clone();
    damaged[(int) at + 100] = 1;
    assertRefusedAt(at, Reason.DAMAGED, damaged);
  }

  @Test
  void aClosedWindowHasThreeGenerations() throws IOException {
    byte[] bytes = closed.clone();
    for (int place = 0; place < 2; place++) {
      int at = LiveLayout.SLOTS_AT + place * LiveControl.BLOCK;
      if (LiveSlot.isSealed(block(bytes, at))) {
        bytes = with(bytes, at, slot -> slot.put(25, (byte) LiveSlot.NONE));
      }
    }
    assertRefusedAt(LiveLayout.SLOTS_AT, Reason.INVALID, bytes);
  }
}
