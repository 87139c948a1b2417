package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Base64TextTest {

  @Test
  void whiteSpaceAtTheEndIsNotOfTheFilter() throws IOException {
    for (int bits = 8; bits <= 24; bits += 8) { // one, two and no characters of padding
      byte[] bytes = ForeignFormat.HUDI.create(ForeignParameters.table(bits, 3)).toBytes();
      for (String end : new String[] {"", "\n", "\r\n", " \t\n\n"}) {
        byte[] read = (text(bytes) + end).getBytes(StandardCharsets.US_ASCII);
        assertArrayEquals(bytes, ForeignFormat.HUDI.read(read).toBytes());
      }
    }
  }

  @Test
  void whatIsNoBase64IsRefused() {
    byte[] bytes = ForeignFormat.HUDI.create(ForeignParameters.table(8, 3)).toBytes();
    String text = text(bytes);
    assertTrue(text.endsWith("A=") || text.endsWith("A=="), text);
    String start = text.substring(0, text.indexOf('='));
    for (String wrong :
        new String[] {
          start,
          start + "A",
          text + "=",
          text + "A",
          text + " A",
          "-" + text.substring(1),
          "\n" + text,
          start.substring(0, start.length() - 1) + "B" + text.substring(start.length()),
          text.substring(0, 8) + "\u00e4" + text.substring(9),
          "",
          " "
        }) {
      FilterFormatException refusal =
          assertThrows(
              FilterFormatException.class,
              () -> ForeignFormat.HUDI.read(wrong.getBytes(StandardCharsets.ISO_8859_1)),
              wrong);
      assertTrue(refusal.getMessage().contains("hudi: "), refusal::getMessage);
    }
    byte[] bad = bytes.clone();
    bad[10] = '!';
    FilterFormatException refusal =
        assertThrows(FilterFormatException.class, () -> ForeignFormat.HUDI.read(bad));
    assertTrue(
        refusal.getMessage().contains("must be Base64, but has byte 33"), refusal::getMessage);
    assertEquals(10, refusal.offset());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
