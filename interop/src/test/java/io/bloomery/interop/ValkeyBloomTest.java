package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** There are no files of valkey-bloom: what is expected is computed by hand from its sources. */
class ValkeyBloomTest {

  private static final int START = 1 + 4 + 8 + 8 + 1 + 8;

  /** Returns a filter of one table with keys 0 of its hash, so that both hashes are one. */
  private static byte[] filter(int hashes, byte... table) {
    return ByteBuffer.allocate(START + 8 + 45 + table.length + 16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 1)
        .putInt(2)
        .putDouble(0.01)
        .putDouble(0.5)
        .put((byte) 0)
        .putLong(1)
        .putLong(45 + table.length)
        .put((byte) 1)
        .putLong(table.length)
        .putInt(hashes)
        .put(new byte[32])
        .put(table)
        .putLong(0)
        .putLong(10)
        .array();
  }

  @Test
  void aKeySetsThePositionsOfItsTwoHashes() throws IOException {
    ForeignFilter filter = ForeignFormat.VALKEY_BLOOM.read(filter(4, new byte[3]));
    filter.put("abc", ItemEncoding.utf8());
    long hash = 0x4aa3e4b34416e6c9L; // of Rust
    byte[] table = new byte[3];
    for (int i = 0; i < 4; i++) {
      long at = i < 2 ? hash : Long.remainderUnsigned(hash + i * hash, -59L);
      int bit = (int) Long.remainderUnsigned(at, 24);
      table[bit / 8] |= (byte) (1 << bit % 8);
    }
    byte[] expected = filter(4, table);
    expected[expected.length - 16] = 1; // one item
    assertArrayEquals(expected, filter.toBytes());
    assertArrayEquals(expected, ForeignFormat.VALKEY_BLOOM.read(expected).toBytes());
  }

  @Test
  void itGrowsAndKeepsItsRateOrIsFull() {
    ForeignFilter growing = ForeignFormat.VALKEY_BLOOM.create(20, 0.01);
    List<Long> keys = new ArrayList<>();
    for (long key = 0; key < 130; key++) {
      keys.add(key);
    }
    growing.putAll(keys, ItemEncoding.longsLittleEndian());
    assertTrue(keys.stream().allMatch(growing.view(ItemEncoding.longsLittleEndian())));
    assertTrue(
        growing
            .layout()
            .startsWith(
                "valkey-bloom: growing by 2, at 0.01, tightened by 0.5; 20 of 20 items, 7 hash"
                    + " functions, 192 bits; 40 of 40 items, 8 hash functions,"),
        growing::layout);
    assertEquals(140, growing.stats().expectedKeys());
    ForeignFilter fixed =
        ForeignFormat.VALKEY_BLOOM.create(ForeignParameters.expect(20, 0.01).expansion(0));
    assertThrows(
        FilterFullException.class, () -> fixed.putAll(keys, ItemEncoding.longsLittleEndian()));
  }
}
