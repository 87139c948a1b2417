package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFormTest {

  private static final KeyForm BOTH = KeyForm.IGNORE_CASE.trimmed();

  static Stream<KeyForm> forms() {
    return Stream.of(
            "plain",
            "trim",
            "ignore-case",
            "trim,ignore-case",
            "upper-case",
            "trim,upper-case",
            "hex",
            "trim,hex",
            "base64",
            "trim,base64")
        .map(KeyForm::parse);
  }

  private static byte[] key(KeyForm form, byte[] bytes) {
    // Neither what is before a key in its array nor what is around the bytes may matter.
    byte[] around = new byte[bytes.length + 2];
    Arrays.fill(around, (byte) ' ');
    System.arraycopy(bytes, 0, around, 1, bytes.length);
    byte[] into = new byte[3 + form.maxLength(bytes.length)];
    into[2] = 1;
    int end = form.apply(around, 1, bytes.length + 1, into, 3);
    assertEquals(1, into[2]);
    byte[] key = Arrays.copyOfRange(into, 3, end);
    assertArrayEquals(key, form.apply(bytes));
    return key;
  }

  private static String key(KeyForm form, String text) {
    byte[] key = key(form, text.getBytes(StandardCharsets.UTF_8));
    assertArrayEquals(key, form.apply(text));
    return new String(key, StandardCharsets.UTF_8);
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withChars(
            "aZ \t\u00c4\u00df\u0130\u03a3\u03c3\u03c2\u3000\u00a0\u2003\n\r\u000b\u001f\u023a\u212a"
                + "\u1e9e\ud801\udc00\ud83d\ude00")
        .ofMaxLength(10);
  }

  @Property(tries = 10_000, seed = "1")
  void textIsTrimmedAndFoldedCharacterByCharacter(@ForAll("texts") String text) {
    String folded =
        new String(
            text.codePoints().map(CaseFolding::fold).toArray(),
            0,
            text.codePointCount(0, text.length()));
    String space =
        "[\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}"
            + "\\x{202f}\\x{205f}\\x{3000}]*";
    String trimmed = text.replaceAll("\\A" + space, "").replaceAll(space + "\\z", "");
    if (text.equals(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))) {
      assertEquals(text, key(KeyForm.PLAIN, text));
      assertEquals(folded, key(KeyForm.IGNORE_CASE, text));
      assertEquals(trimmed, key(KeyForm.TRIM, text));
      assertEquals(key(KeyForm.IGNORE_CASE, trimmed), key(BOTH, text));
    }
  }

  /** Which databases do that know no other letters. */
  @Test
  void upperCaseChangesTheLettersFromAToZAndNoOtherByte() {
    for (int b = 0; b < 256; b++) {
      byte[] written = {'k', (byte) b, 'K'};
      byte expected = (byte) (b >= 'a' && b <= 'z' ? b - 32 : b);
      assertArrayEquals(new byte[] {'K', expected, 'K'}, key(KeyForm.UPPER_CASE, written));
    }
  }

  @Property(tries = 1_000, seed = "4")
  void bytesInTextAreTheSameBehindAnyWhiteSpace(
      @ForAll byte[] bytes, @ForAll @IntRange(max = 5) int spaces) {
    String hex = HexFormat.of().formatHex(bytes);
    assertArrayEquals(bytes, trimmed(KeyForm.HEX, spaces, hex));
    assertArrayEquals(bytes, trimmed(KeyForm.HEX, spaces, hex.toUpperCase(Locale.ROOT)));
    String base64 = Base64.getEncoder().encodeToString(bytes);
    assertArrayEquals(bytes, trimmed(KeyForm.BASE64, spaces, base64));
    assertArrayEquals(bytes, trimmed(KeyForm.BASE64, spaces, base64.replace("=", "")));
  }

  private static byte[] trimmed(KeyForm form, int spaces, String text) {
    return key(
        form.trimmed(), (" ".repeat(spaces) + text + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** Counted from the first that is no white space. */
  @Test
  void theByteThatIsNoneIsTold() {
    for (int spaces = 0; spaces < 3; spaces++) {
      for (int at = 0; at < 8; at++) {
        StringBuilder text = new StringBuilder("aaaaaaaa");
        text.setCharAt(at, '!');
        for (KeyForm form : List.of(KeyForm.HEX, KeyForm.BASE64)) {
          int before = spaces;
          String told =
              assertThrows(
                      IllegalArgumentException.class, () -> trimmed(form, before, text.toString()))
                  .getMessage();
          assertTrue(told.contains("but byte " + (at + 1) + " is none"), told);
        }
      }
    }
  }

  @Test
  void finalSigmaIsASigmaWhereverItStands() {
    assertEquals(
        "\u03bd\u03b9\u03ba\u03bf\u03c3_\u03c0\u03b1\u03c0\u03b1\u03c3",
        key(KeyForm.IGNORE_CASE, "\u039d\u0399\u039a\u039f\u03a3_\u03a0\u0391\u03a0\u0391\u03a3"));
    assertEquals("\u03c3\u03c3\u03c3", key(KeyForm.IGNORE_CASE, "\u03a3\u03c3\u03c2"));
  }

  @Test
  void exactlyTheWhiteSpaceOfUnicodeIsTrimmed() {
    int spaces = 0;
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
        String text = Character.toString(c);
        String trimmed = key(KeyForm.TRIM, text + "x" + text);
        assertTrue(trimmed.equals("x") || trimmed.equals(text + "x" + text), text);
        assertEquals(trimmed.equals("x") ? "" : text, key(KeyForm.TRIM, text));
        spaces += trimmed.equals("x") ? 1 : 0;
      }
    }
    assertEquals(25, spaces);
  }

  /** Of each entry the second is what the first is with white space left out and folded. */
  @ParameterizedTest
  @CsvSource({
    "20ff41c35a20, ff61c37a", // neither starts a character
    "c3, c3",
    "41c384c3, 61c3a4c3", // what is around bytes that are no text is text
    "c1814141, c1816161", // longer than it need be
    "e0808041, e0808061",
    "f0808080, f0808080",
    "eda08041, eda08061", // a surrogate
    "f490808041, f490808061", // beyond the last
    "f8888080, f8888080",
    "a0c2a0, a0", // a byte that could end white space
    "c2a0c2, c2",
    "80e3808020, 80",
    "e38080e380, e380",
    "80808020, 808080",
    "e1e19a80, e1",
  })
  void whatIsNotWellFormedStaysAndTheRestIsText(String written, String expected) {
    byte[] key = key(BOTH, HexFormat.of().parseHex(written));
    assertEquals(expected, HexFormat.of().formatHex(key));
  }

  /** Whatever the bytes are, there is room for it, and once is enough. */
  @Property(tries = 20_000, seed = "3")
  void anyBytesHaveAKey(@ForAll byte[] bytes) {
    for (KeyForm form : List.of(KeyForm.TRIM, KeyForm.IGNORE_CASE, BOTH)) {
      byte[] key = key(form, bytes);
      assertArrayEquals(key, key(form, key), form::toString);
    }
  }

  @Property(tries = 2_000, seed = "2")
  void bytesComeBackFromHexAndBase64(@ForAll byte[] bytes) {
    for (HexFormat hex : List.of(HexFormat.of(), HexFormat.of().withUpperCase())) {
      byte[] text = hex.formatHex(bytes).getBytes(StandardCharsets.US_ASCII);
      assertArrayEquals(bytes, key(KeyForm.HEX, text));
    }
    for (Base64.Encoder encoder :
        List.of(
            Base64.getEncoder(),
            Base64.getUrlEncoder(),
            Base64.getEncoder().withoutPadding(),
            Base64.getUrlEncoder().withoutPadding())) {
      assertArrayEquals(bytes, key(KeyForm.BASE64, encoder.encode(bytes)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "0g", "0x12", "1 ", "\u0661\u0661", " 00", "00 ", "0@", "0`", "0/", "0:"})
  void whatIsNotHexIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> key(KeyForm.HEX, text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A",
        "AAAAA",
        "AA=",
        "AAA==",
        "=",
        "==",
        "====",
        "AAAA=",
        "AAAA==",
        "AA===",
        "AA=A",
        "A A=",
        "AA==AA==",
        "\u00e4\u00e4",
        " AAA",
        "AAA\n",
        "AB==",
        "AB",
        "AAB=",
        "AAB",
        "A.AA",
        "AA,A"
      })
  void whatIsNotBase64IsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> key(KeyForm.BASE64, text));
  }

  /** Java's decoder, with what it lets pass: bits that are left over. */
  @Property(tries = 20_000, seed = "4")
  void base64IsWhatItsOwnEncodersWrite(@ForAll("almostBase64") String text) {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      assertThrows(IllegalArgumentException.class, () -> key(KeyForm.BASE64, text));
      return;
    }
    String again = Base64.getEncoder().withoutPadding().encodeToString(bytes);
    if (again.equals(text.replace("=", "").replace('-', '+').replace('_', '/'))) {
      assertArrayEquals(bytes, key(KeyForm.BASE64, text.getBytes(StandardCharsets.UTF_8)));
    } else {
      assertThrows(IllegalArgumentException.class, () -> key(KeyForm.BASE64, text));
    }
  }

  @Provide
  Arbitrary<String> almostBase64() {
    return Arbitraries.strings().withChars("AQgwBz09+/-_==").ofMaxLength(9);
  }

  @Test
  void anErrorSaysWhereAndDoesNotShowTheKey() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> key(KeyForm.HEX, "00fz"));
    assertEquals(
        "a key in hex must have digits from 0 to 9 and a to f, but byte 4 is none", e.getMessage());
  }

  @Test
  void whiteSpaceAroundHexIsLeftOutOnRequest() {
    assertEquals("0f", HexFormat.of().formatHex(KeyForm.HEX.trimmed().apply("\u3000 0f\t\u00a0")));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aFormIsReadFromItsOwnText(KeyForm form) {
    assertSame(form, KeyForm.parse(form.toString()));
    assertSame(form.trimmed(), form.trimmed().trimmed());
    assertTrue(KeyForm.isKnown(form.toString()));
    assertTrue(form.includes(form) && form.includes(KeyForm.PLAIN));
    assertTrue(form.trimmed().includes(form) && form.trimmed().includes(KeyForm.TRIM));
    assertEquals(form == form.trimmed(), form.includes(form.trimmed()));
    assertEquals(form.toString().contains("hex"), form.includes(KeyForm.HEX));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "integer", "fold-case", "TRIM", "hex,trim", "trim,trim", "hex,", "nfc"})
  void anyOtherTextIsNoForm(String text) {
    assertFalse(KeyForm.isKnown(text));
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> KeyForm.parse(text));
    assertTrue(e.getMessage().contains("but was '" + text + "'"), e.getMessage());
  }

  @Test
  void aKeyThatFindsNoRoomChangesNothing() {
    byte[] into = new byte[4];
    byte[] written = "abcd".getBytes(StandardCharsets.US_ASCII);
    assertThrows(
        IndexOutOfBoundsException.class, () -> KeyForm.PLAIN.apply(written, 0, 4, into, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> KeyForm.TRIM.apply(written, 2, 5, into, 0));
    assertArrayEquals(new byte[4], into);
    assertThrows(
        IllegalArgumentException.class, () -> KeyForm.IGNORE_CASE.maxLength(Integer.MAX_VALUE));
    assertEquals(Integer.MAX_VALUE, KeyForm.HEX.maxLength(Integer.MAX_VALUE));
  }

  /** 1 KB would do for none of the 100,000 keys of each form. */
  @Test
  void applyingAFormTakesNoMemory() {
    byte[] key = "DEADbeef0123456789abcdefDEADBEEF".getBytes(StandardCharsets.US_ASCII);
    byte[] into = new byte[2 * key.length];
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    forms()
        .forEach(
            form -> {
              long fewest = Long.MAX_VALUE;
              for (int round = 0; round < 5; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 100_000; i++) {
                  form.apply(key, 0, key.length, into, 0);
                }
                fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
              }
              assertTrue(fewest < 1 << 10, form + " took bytes: " + fewest);
            });
  }
}
