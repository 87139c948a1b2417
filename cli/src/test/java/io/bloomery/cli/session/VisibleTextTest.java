package io.bloomery.cli.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VisibleTextTest {

  /** C0, DEL and C1; the line and paragraph separators; Bidi_Control of Unicode's PropList. */
  private static boolean isObeyed(int c) {
    return c < 0x20
        || (c >= 0x7f && c <= 0x9f)
        || List.of(0x61c, 0x200e, 0x200f, 0x2028, 0x2029).contains(c)
        || (c >= 0x202a && c <= 0x202e)
        || (c >= 0x2066 && c <= 0x2069);
  }

  private static String around(int c) {
    return "a" + Character.toString(c) + "z";
  }

  @Test
  void everyCharacterThatIsObeyedIsWrittenInHexAndNoOtherIs() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      boolean isHalf = c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
      String hex = String.format(Locale.ROOT, c <= 0xff ? "a\\x%02xz" : "a\\u%04xz", c);
      String line = isObeyed(c) || isHalf ? hex : around(c);
      assertEquals(line, VisibleText.line(around(c)));
      assertEquals(c == '\n' || c == '\t' ? around(c) : line, VisibleText.lines(around(c)));
    }
  }

  @Test
  void allOfATextIsLookedAt() {
    assertEquals("", VisibleText.line(""));
    assertEquals("plain \\ text", VisibleText.line("plain \\ text"));
    assertEquals(
        "\\x1b[2Jgr\u00fcn \ud83d\ude00\\x0a",
        VisibleText.line("\u001b[2Jgr\u00fcn \ud83d\ude00\n"));
    assertEquals("\\x1b\n\\x1b", VisibleText.lines("\u001b\n\u001b"));
    assertEquals(
        "\\x00".repeat(1_000),
        VisibleText.line(IntStream.range(0, 1_000).mapToObj(i -> "\0").reduce("", String::concat)));
  }
}
