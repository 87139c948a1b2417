package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class JavaObjectStreamTest {

  /** An array of one element, which is what follows. */
  private static final String ARRAY =
      "7572"
          + "0013"
          + hex("[Ljava.lang.Object;")
          + "90ce589f1073296c"
          + "020000"
          + "7870"
          + "00000001";

  private static String hex(String ascii) {
    return HexFormat.of().formatHex(ascii.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns a filter with something in place of its funnel. */
  private static byte[] withFunnel(String funnel) {
    String filter =
        HexFormat.of()
            .formatHex(ForeignFormat.GUAVA_JAVA.create(ForeignParameters.table(64, 3)).toBytes());
    int start = filter.indexOf("7372" + "0041");
    int end = filter.indexOf("7e72");
    return HexFormat.of().parseHex(filter.substring(0, start) + funnel + filter.substring(end));
  }

  private static void assertRefused(String detail, byte[] bytes) {
    FilterFormatException refusal =
        assertThrows(FilterFormatException.class, () -> ForeignFormat.GUAVA_JAVA.read(bytes));
    assertTrue(refusal.getMessage().contains(detail), refusal::getMessage);
  }

  @Test
  void anyFunnelIsKept() throws IOException {
    for (String funnel :
        List.of("70", "740001" + hex("x"), ARRAY.repeat(90) + "70", "71007e0000")) {
      byte[] bytes = withFunnel(funnel);
      ForeignFilter filter = ForeignFormat.GUAVA_JAVA.read(bytes);
      assertArrayEquals(bytes, filter.toBytes());
      assertEquals(filter.layout(), ForeignFormat.GUAVA_JAVA.read(bytes).layout());
    }
    assertEquals(
        "guava-java: strategy 1 (MURMUR128_MITZ_64), 3 hash functions, 64 bits, funnel x",
        ForeignFormat.GUAVA_JAVA.read(withFunnel("740001" + hex("x"))).layout());
  }

  @Test
  void whatWouldNotEndIsRefused() {
    assertRefused("at most 100 deep", withFunnel(ARRAY.repeat(200) + "70"));
    String type = "72" + "0001" + hex("A") + "0000000000000000" + "020000" + "78";
    assertRefused("its own parent", withFunnel("73" + type + "71007e0007"));
    assertRefused("must refer to a class", withFunnel("73" + "71007e0001"));
    assertRefused("what came before", withFunnel("71007e0100"));
    assertRefused("1 MiB", withFunnel("7a40000000" + "00".repeat(20)));
  }

  @Test
  void aResetWithinAnObjectIsRefusedAsInJava() throws IOException {
    assertRefused("unknown tag, 121", withFunnel("79"));
    // In place of the name of the constant of an enum, whose handle it would take away.
    String filter =
        HexFormat.of()
            .formatHex(ForeignFormat.GUAVA_JAVA.create(ForeignParameters.table(64, 3)).toBytes());
    int name = filter.lastIndexOf("74");
    assertRefused("unknown tag, 121", HexFormat.of().parseHex(filter.substring(0, name) + "79"));
  }

  @Test
  void aNameInAMessageIsShortAndOfOneLine() {
    String name = "1b0a" + hex("n".repeat(0xfffc)) + "00".repeat(2);
    String type = "72" + "ffff" + name.substring(0, 2 * 0xffff) + "00".repeat(8) + "020000";
    byte[] bytes = HexFormat.of().parseHex("aced000573" + type + "7870");
    String message =
        assertThrows(FilterFormatException.class, () -> ForeignFormat.GUAVA_JAVA.read(bytes))
            .getMessage();
    assertTrue(message.length() < 400, message);
    assertTrue(message.codePoints().noneMatch(Character::isISOControl), message);
  }

  @Test
  void anotherObjectIsRefusedByItsName() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new ArrayList<>(List.of("x")));
    }
    assertRefused("must be a BloomFilter, but is a java.util.ArrayList", bytes.toByteArray());
    assertRefused("ac ed 00 05", new byte[100]);
  }
}
