package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Kudu's message, of which there is no golden file: its bits by hand from the rules that its
 * sources state, its hash by the vectors of its tests, its lanes by those of Parquet.
 */
class KuduTest {

  private static byte[] message(String head, byte[] table, String tail) {
    byte[] start = HexFormat.of().parseHex(head);
    byte[] end = HexFormat.of().parseHex(tail);
    byte[] all = Arrays.copyOf(start, start.length + table.length + end.length);
    System.arraycopy(table, 0, all, start.length, table.length);
    System.arraycopy(end, 0, all, start.length + table.length, end.length);
    return all;
  }

  @Test
  void aKeyHasTheBitsThatTheRulesSay() throws IOException {
    long fast = 2564147595L; // of "ab", seed 0
    int hash = (int) fast;
    int[] salt = {
      0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
    };
    byte[] table = new byte[256];
    long rehashed = (fast * 0x7850f11ec6d14889L + 0x6773610597ca4c63L) >>> 32;
    int block = (int) (rehashed & 7);
    for (int lane = 0; lane < 8; lane++) {
      int bit = (hash * salt[lane]) >>> 27;
      table[32 * block + 4 * lane + bit / 8] |= (byte) (1 << bit % 8);
    }
    byte[] expected = message("0808128002", table, "180020032800");
    ForeignFilter filter = ForeignFormat.KUDU.create(ForeignParameters.table(2048, 8));
    assertArrayEquals(message("0808128002", new byte[256], "180120032800"), filter.toBytes());
    assertTrue(filter.put("ab", ItemEncoding.utf8()));
    assertArrayEquals(expected, filter.toBytes());
    ForeignFilter read = ForeignFormat.KUDU.read(expected);
    assertTrue(read.view(ItemEncoding.utf8()).mightContain("ab"));
    assertFalse(read.view(ItemEncoding.utf8()).mightContain("cd"));
    assertEquals(8, read.stats().setBits());
    assertEquals("kudu: seed 0, 8 blocks of 256 bits", read.layout());
  }

  @Test
  void theSizeIsThatOfItsPlanner() {
    // The smallest power of two whose rate is at most that asked for.
    for (int keys : new int[] {1, 10, 1_000, 54_321}) {
      for (double rate : new double[] {0.5, 0.01, 0.0001}) {
        long bits = ForeignFormat.KUDU.create(keys, rate).stats().sizeInBits();
        assertEquals(1, Long.bitCount(bits));
        assertTrue(rate(keys, (double) bits) <= rate * 1.0000001, keys + " at " + rate);
        assertTrue(bits == 512 || rate(keys, bits * 0.5) > rate, keys + " at " + rate);
      }
    }
  }

  private static double rate(double keys, double bits) {
    return Math.pow(-Math.expm1(-8 * keys / bits), 8);
  }

  @Test
  void seedsAreKeptAndMatter() throws IOException {
    ForeignFilter filter =
        ForeignFormat.KUDU.create(ForeignParameters.expect(100, 0.01).seed(0xfedcba98L));
    filter.put("ab", ItemEncoding.utf8());
    ForeignFilter read = ForeignFormat.KUDU.read(filter.toBytes());
    assertArrayEquals(filter.toBytes(), read.toBytes());
    assertTrue(read.view(ItemEncoding.utf8()).mightContain("ab"));
    assertEquals("kudu: seed 4275878552, 4 blocks of 256 bits", read.layout());
    assertThrows(
        IllegalArgumentException.class,
        () -> ForeignFormat.KUDU.create(ForeignParameters.expect(10, 0.01).seed(1L << 32)));
  }

  @Test
  void whatCannotBeIsRefused() {
    byte[] table = new byte[64];
    byte[] full = new byte[64];
    full[3] = 1;
    for (byte[] bytes :
        new byte[][] {
          {},
          message("08071240", table, "180120032800"), // 128 bytes announced
          message("08061220", new byte[32], "180120032800"), // one block
          message("08061240", full, "180120032800"), // bits, but said to be none
          message("08061240", table, "20032800"), // does not say
          message("08061240", table, "180120022800"), // CityHash
          message("08061240", table, "18012003280030"), // a field unknown
          message("1240", table, "180120032800"), // no size
          message("08061240", Arrays.copyOf(table, 60), ""), // cut off
          message("08061240", table, "18012003288080808010"), // a seed of 33 bits
        }) {
      FilterFormatException refusal =
          assertThrows(
              FilterFormatException.class,
              () -> ForeignFormat.KUDU.read(bytes),
              () -> HexFormat.of().formatHex(bytes));
      assertTrue(refusal.getMessage().contains("kudu"), refusal::getMessage);
    }
  }
}
