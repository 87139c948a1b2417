package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.internal.file.LiveControl;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LiveSlotTest {

  private static final int AT = 8_192;
  private static final LiveSlot SLOT =
      new LiveSlot(7, 1L << 60, 3, true, List.of(2, 0, LiveSlot.NONE), List.of(0L, 4L, 1L << 40));

  private static ByteBuffer block(LiveSlot slot) {
    return ByteBuffer.wrap(slot.encode()).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer damaged(LiveSlot slot) {
    return block(slot).put(0, (byte) 77);
  }

  @Test
  void theNewerOfTwoIsCurrentUnlessItIsTorn() throws FilterFormatException {
    LiveSlot next = new LiveSlot(8, 1, 0, false, List.of(1, 2, 0), List.of(0L, 4L, 5L));
    assertEquals(next, LiveSlot.decode(block(SLOT), block(next), AT));
    assertEquals(next, LiveSlot.decode(block(next), block(SLOT), AT));
    assertEquals(SLOT, LiveSlot.decode(block(SLOT), damaged(next), AT));
    assertEquals(SLOT, LiveSlot.decode(damaged(next), block(SLOT), AT));
    assertEquals(
        AT,
        assertThrows(
                FilterFormatException.class,
                () -> LiveSlot.decode(damaged(SLOT), damaged(next), AT))
            .offset());
  }

  /** With a checksum that matches, at either of its places. */
  @Test
  void aSlotThatNoWindowHasIsRefusedWhereItStands() throws FilterFormatException {
    for (Consumer<ByteBuffer> change :
        List.<Consumer<ByteBuffer>>of(
            slot -> slot.putLong(0, 0),
            slot -> slot.putLong(0, -1),
            slot -> slot.putLong(16, -1),
            slot -> slot.put(24, (byte) 2),
            slot -> slot.put(24, (byte) 3),
            slot -> slot.put(24, (byte) -1),
            slot -> slot.put(25, (byte) 3),
            slot -> slot.put(26, (byte) 2), // the first has it
            slot -> slot.put(27, (byte) 254),
            slot -> slot.put(28, (byte) 1),
            slot -> slot.put(31, (byte) 1),
            slot -> slot.putLong(32, -1),
            slot -> slot.putLong(40, Long.MIN_VALUE),
            slot -> slot.putLong(48, -1),
            slot -> slot.put(56, (byte) 1),
            slot -> slot.put(LiveControl.BLOCK - 5, (byte) 1))) {
      ByteBuffer slot = block(SLOT);
      change.accept(slot);
      LiveSlot.seal(slot);
      assertRefusedAt(AT, slot, block(SLOT));
      assertRefusedAt(AT + LiveControl.BLOCK, block(SLOT), slot);
    }
    LiveSlot least =
        new LiveSlot(1, 0, 0, false, List.of(255, 255, 255), List.of(0L, Long.MAX_VALUE, 0L));
    assertEquals(least, LiveSlot.decode(block(least), damaged(SLOT), AT));
  }

  private static void assertRefusedAt(long at, ByteBuffer first, ByteBuffer second) {
    assertEquals(
        at,
        assertThrows(FilterFormatException.class, () -> LiveSlot.decode(first, second, AT))
            .offset());
  }
}
