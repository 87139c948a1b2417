package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Gzip;
import io.bloomery.cli.InChunks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipInputTest {

  private static final byte[] TEXT = text();

  private static byte[] text() {
    byte[] bytes = new byte[200_000];
    Random random = new Random(1);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(4));
    }
    return bytes;
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] read(byte[] bytes, int chunk) throws IOException {
    try (GzipInput in = new GzipInput(new InChunks(bytes, chunk))) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000, 1 << 20})
  void allMembersAreReadWhereverTheReadsEnd(int chunk) throws IOException {
    assertArrayEquals(TEXT, read(Gzip.of(TEXT), chunk));
    byte[] members =
        join(Gzip.of(TEXT), Gzip.of(new byte[0]), Gzip.of(new byte[] {1}), Gzip.of(TEXT));
    assertArrayEquals(join(TEXT, new byte[] {1}, TEXT), read(members, chunk));
    assertArrayEquals(TEXT, read(join(Gzip.of(TEXT), new byte[1000]), chunk), "zeros may follow");
  }

  @Test
  void headersWithEveryFieldAreUnderstood() throws IOException {
    byte[] plain = Gzip.of(TEXT);
    byte[] header = {0x1f, (byte) 0x8b, 8, 2 | 4 | 8 | 16, 1, 2, 3, 4, 0, 3};
    byte[] fields = join(new byte[] {3, 0, 7, 7, 7}, text("name\0"), text("comment\0"));
    byte[] crc = {1, 2};
    byte[] rest = Arrays.copyOfRange(plain, 10, plain.length);
    assertArrayEquals(TEXT, read(join(header, fields, crc, rest), 5));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void whateverIsMissingAtTheEndIsMissed() throws IOException {
    byte[] small = Gzip.of(text("iron"));
    byte[] two = join(small, small);
    for (int length = 3; length < two.length; length++) {
      if (length != small.length) {
        byte[] cut = Arrays.copyOf(two, length);
        ZipException e = assertThrows(ZipException.class, () -> read(cut, 4), "cut at " + length);
        assertEquals("is gzip that ends too early, after " + length + " bytes", e.getMessage());
      }
    }
  }

  @Test
  void damageAndWhatDoesNotBelongAreFound() throws IOException {
    byte[] good = Gzip.of(TEXT);
    for (int i : new int[] {100, good.length / 2, good.length - 8, good.length - 1}) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      ZipException e = assertThrows(ZipException.class, () -> read(bad, 1000), "damage at " + i);
      assertTrue(e.getMessage().startsWith("is gzip that is damaged before byte "), e.getMessage());
    }
    byte[] more = join(good, text("\0x"));
    ZipException e = assertThrows(ZipException.class, () -> read(more, 1000));
    assertEquals(
        "byte " + (good.length + 1) + ": is not gzip, though what is before it is", e.getMessage());
  }
}
