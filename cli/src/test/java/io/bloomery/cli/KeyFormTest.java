package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.KeyForm.Encoding;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class KeyFormTest {

  private static final KeyForm TRIM = new KeyForm(Encoding.PLAIN, true, false);
  private static final KeyForm LOWER = new KeyForm(Encoding.PLAIN, false, true);
  private static final KeyForm BOTH = new KeyForm(Encoding.PLAIN, true, true);
  private static final KeyForm HEX = new KeyForm(Encoding.HEX, false, false);
  private static final KeyForm BASE64 = new KeyForm(Encoding.BASE64, false, false);

  private static byte[] key(KeyForm form, byte[] bytes) throws BadKeyException {
    // Neither what is before a key in its buffer nor what is around the bytes may matter.
    KeyBuffer buffer = new KeyBuffer();
    buffer.append(new byte[] {1, 2, 3});
    byte[] around = new byte[bytes.length + 2];
    Arrays.fill(around, (byte) ' ');
    System.arraycopy(bytes, 0, around, 1, bytes.length);
    form.append(around, 1, bytes.length + 1, buffer);
    return Arrays.copyOfRange(buffer.bytes(), 3, buffer.size());
  }

  private static String key(KeyForm form, String text) throws BadKeyException {
    return new String(key(form, text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withChars("aZ \t\u00c4\u00df\u0130\u03a3\u03c3\u3000\u00a0\u2003\n\r\u000b\u001f")
        .ofMaxLength(10);
  }

  @Property(tries = 10_000, seed = "1")
  void textIsStrippedAndPutIntoLowerCaseAsJavaDoes(@ForAll("texts") String text)
      throws BadKeyException {
    assertEquals(text.strip(), key(TRIM, text));
    assertEquals(text.toLowerCase(Locale.ROOT), key(LOWER, text));
    assertEquals(text.strip().toLowerCase(Locale.ROOT), key(BOTH, text));
    assertEquals(text, key(KeyForm.PLAIN, text));
  }

  @Test
  void ofBytesThatAreNotUtf8OnlyWhatIsAsciiChanges() throws BadKeyException {
    byte[] bytes = {' ', (byte) 0xff, 'A', (byte) 0xc3, 'Z', ' '};
    assertArrayEquals(new byte[] {(byte) 0xff, 'a', (byte) 0xc3, 'z'}, key(BOTH, bytes));
    assertArrayEquals(bytes, key(KeyForm.PLAIN, bytes));
  }

  @Property(tries = 2_000, seed = "2")
  void bytesComeBackFromHexAndBase64(@ForAll byte[] bytes) throws BadKeyException {
    assertArrayEquals(
        bytes, key(HEX, HexFormat.of().formatHex(bytes).getBytes(StandardCharsets.US_ASCII)));
    assertArrayEquals(
        bytes,
        key(
            HEX,
            HexFormat.of().withUpperCase().formatHex(bytes).getBytes(StandardCharsets.US_ASCII)));
    assertArrayEquals(bytes, key(BASE64, Base64.getEncoder().encode(bytes)));
    assertArrayEquals(bytes, key(BASE64, Base64.getUrlEncoder().withoutPadding().encode(bytes)));
  }

  @Test
  void whatIsNotOfTheEncodingIsRefused() {
    for (String bad : new String[] {"1", "0g", "0x12", "1 ", "\u0661\u0661"}) {
      assertThrows(BadKeyException.class, () -> key(HEX, bad), bad);
    }
    for (String bad : new String[] {"A", "AA=A", "A A=", "\u00e4\u00e4", "AAAA====="}) {
      assertThrows(BadKeyException.class, () -> key(BASE64, bad), bad);
    }
    BadKeyException e = assertThrows(BadKeyException.class, () -> key(HEX, "00fz"));
    assertTrue(e.getMessage().contains("character 4 is none"), e.getMessage());
  }

  @Test
  void whiteSpaceAroundHexIsLeftOutOnRequest() throws BadKeyException {
    assertArrayEquals(
        new byte[] {0x0f},
        key(
            new KeyForm(Encoding.HEX, true, false),
            "\u3000 0f\t".getBytes(StandardCharsets.UTF_8)));
  }
}
