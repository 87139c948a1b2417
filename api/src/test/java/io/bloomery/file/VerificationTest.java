package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerificationTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());
  private static final int MIB = 1 << 20;
  private static final int HEADER = 128;
  private static final String CONTENT = "content damaged: its checksum does not match";
  private static final String TRAILER = "trailer damaged: its checksum does not match";

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void name() {
    path = folder.resolve("seen.bloom");
  }

  private static byte[] image(long keys) throws IOException {
    Filter filter = new PlainProvider().create(FilterSpec.of(keys, 0.01), ThreadMode.CONFINED);
    new SplittableRandom(keys).longs(1_000).forEach(filter::put);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    return out.toByteArray();
  }

  private List<DamagedRegion> verify(byte[] bytes) throws IOException {
    Files.write(path, bytes);
    return damage(path);
  }

  /** Returns what is damaged, if all was checked. */
  private static List<DamagedRegion> damage(Path path) throws IOException {
    VerificationResult result = BLOOMERY.files().verify(path);
    assertEquals(result.damage().isEmpty(), result.isSound());
    return result.damage();
  }

  private static byte[] damaged(byte[] bytes, int... places) {
    byte[] damaged = bytes.clone();
    for (int place : places) {
      damaged[place] ^= 0x10;
    }
    return damaged;
  }

  @Test
  void aWholeFileHasNoDamagedRegion() throws IOException {
    for (long keys : new long[] {1, 100, 874_000, 880_000, 2_000_000}) {
      assertEquals(List.of(), verify(image(keys)));
    }
  }

  /** 2.3 MiB of content: the last part is shorter. */
  @Test
  void everyDamagedPartOfTheContentIsNamedAndNeighboursAreOneRegion() throws IOException {
    byte[] bytes = image(2_000_000);
    int end = HEADER + 2_398_240;
    assertEquals(
        List.of(new DamagedRegion(HEADER, HEADER + MIB, CONTENT)), verify(damaged(bytes, HEADER)));
    assertEquals(
        List.of(new DamagedRegion(HEADER + MIB, HEADER + 2 * MIB, CONTENT)),
        verify(damaged(bytes, HEADER + MIB, HEADER + 2 * MIB - 1)));
    assertEquals(
        List.of(
            new DamagedRegion(HEADER, HEADER + MIB, CONTENT),
            new DamagedRegion(HEADER + 2 * MIB, end, CONTENT)),
        verify(damaged(bytes, HEADER + 7, end - 1)));
    assertEquals(
        List.of(new DamagedRegion(HEADER + MIB, end, CONTENT)),
        verify(damaged(bytes, HEADER + MIB, HEADER + 2 * MIB)));
    assertEquals(
        List.of(
            new DamagedRegion(HEADER, HEADER + MIB, CONTENT),
            new DamagedRegion(bytes.length, bytes.length + 3, tooMuch(bytes.length, 3))),
        verify(damaged(Arrays.copyOf(bytes, bytes.length + 3), HEADER + 1)));
  }

  private static String tooMuch(int size, int more) {
    return "too much: the file must have " + size + " bytes, but has " + (size + more);
  }

  /** A MiB is not to be given up because of a bit in its checksum. */
  @Test
  void aDamagedTrailerIsToldFromDamagedContent() throws IOException {
    byte[] bytes = image(2_000_000);
    int trailer = HEADER + 2_398_240;
    DamagedRegion region = new DamagedRegion(trailer, bytes.length, TRAILER);
    for (int at = trailer; at < bytes.length; at++) {
      assertEquals(List.of(region), verify(damaged(bytes, at)), "byte " + at);
    }
    assertEquals(List.of(region), verify(damaged(bytes, trailer, trailer + 4)));
    assertEquals(
        List.of(
            new DamagedRegion(
                HEADER + MIB,
                HEADER + 2 * MIB,
                "content or trailer damaged: its checksum does not match"),
            region),
        verify(damaged(bytes, HEADER + MIB, bytes.length - 1)));
  }

  @Test
  void paddingThatIsNotZeroIsDamageThoughChecksumsMatch() throws IOException {
    byte[] bytes = image(2_000_000);
    bytes[bytes.length - 5] = 1;
    int trailer = HEADER + 2_398_240;
    CRC32C crc = new CRC32C();
    crc.update(bytes, trailer, bytes.length - 4 - trailer);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes.length - 4, (int) crc.getValue());
    assertEquals(
        List.of(new DamagedRegion(trailer, bytes.length, "a reserved byte must be zero")),
        verify(bytes));
  }

  /** The providers that it was made with are those that are asked, and no others. */
  @Test
  void contentOfAVariantThatIsNotThereIsSaidToBeUnchecked() throws IOException {
    Files.write(path, image(40));
    VerificationResult result = Bloomery.with().files().verify(path);
    assertFalse(result.isSound());
    assertEquals(List.of(), result.damage());
    assertEquals(
        Optional.of("no provider for variant 'plain'; installed: none"), result.unchecked());
    assertEquals(Bloomery.installed().files().verify(path), result);
    assertNotEquals(BLOOMERY.files().verify(path), result);
    assertEquals("sound", BLOOMERY.files().verify(path).toString());
    assertThrows(
        UnexpectedFilterException.class,
        () -> Bloomery.with().files().open(path, OpenOptions.confined()));
  }

  /** Whatever is refused on opening is found, and no other region is named than one that has it. */
  @Test
  void everyBitFlipIsInTheOnlyRegionNamedOrTheFileIsNoFilter() throws IOException {
    byte[] bytes = image(40);
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      int at = bit / 8;
      byte[] damaged = bytes.clone();
      damaged[at] ^= (byte) (1 << bit % 8);
      if (at <= HeaderFormat.VERSION_AT) {
        FilterFormatException e =
            assertThrows(FilterFormatException.class, () -> verify(damaged), "bit " + bit);
        assertEquals(at < HeaderFormat.VERSION_AT ? 0 : HeaderFormat.VERSION_AT, e.offset());
      } else {
        List<DamagedRegion> regions = verify(damaged);
        assertEquals(1, regions.size(), "bit " + bit);
        DamagedRegion region = regions.get(0);
        assertTrue(region.from() <= at && at < region.to(), "bit " + bit + " in " + region);
      }
    }
  }

  @Test
  void cutAndExtendedFilesAreToldApartWithTheirSizes() throws IOException {
    byte[] bytes = image(40);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      if (length < HeaderFormat.PREFIX) {
        assertThrows(FilterFormatException.class, () -> verify(cut));
      } else if (length < HEADER) {
        assertEquals(
            List.of(
                new DamagedRegion(
                    0,
                    HEADER,
                    "header damaged or cut: it must have 128 bytes, but the file has " + length)),
            verify(cut));
      } else {
        assertEquals(
            List.of(
                new DamagedRegion(
                    length,
                    bytes.length,
                    "missing: the file must have "
                        + bytes.length
                        + " bytes, but has "
                        + length
                        + "; without its end the content cannot be checked")),
            verify(cut));
      }
    }
    for (int more : new int[] {1, 64, 3 * MIB}) {
      assertEquals(
          List.of(
              new DamagedRegion(bytes.length, bytes.length + more, tooMuch(bytes.length, more))),
          verify(Arrays.copyOf(bytes, bytes.length + more)));
    }
  }

  @Test
  void whatIsNoFilterIsRefusedAsOnOpening() throws IOException {
    String message =
        assertThrows(FilterFormatException.class, () -> verify(new byte[100])).getMessage();
    assertEquals(path + ": byte 0: not a Bloomery filter: it must start with 'BLOOMERY'", message);
    message = assertThrows(FilterFormatException.class, () -> verify(new byte[0])).getMessage();
    assertEquals(path + ": byte 0: not a Bloomery filter: it is empty", message);
    assertThrows(
        NoSuchFileException.class, () -> BLOOMERY.files().verify(folder.resolve("missing")));
    assertThrows(FileSystemException.class, () -> BLOOMERY.files().verify(folder));
  }

  /** What it announces is never allocated; a pipe has no size to hold against it. */
  @Test
  void aPipeIsVerifiedToItsEnd() throws Exception {
    byte[] bytes = image(2_000_000);
    VerificationResult whole = verifyPipe(bytes);
    assertEquals(List.of(), whole.damage());
    assertFalse(whole.isSound());
    assertEquals(
        "undamaged, but content unchecked: what is not a regular file is read once, for its"
            + " checksums; save it as a file and verify that",
        whole.toString());
    assertEquals(
        List.of(new DamagedRegion(HEADER + MIB, HEADER + 2 * MIB, CONTENT)),
        verifyPipe(damaged(bytes, HEADER + MIB)).damage());
    assertEquals(
        List.of(new DamagedRegion(bytes.length, bytes.length + 9, tooMuch(bytes.length, 9))),
        verifyPipe(Arrays.copyOf(bytes, bytes.length + 9)).damage());
    for (int length : new int[] {HEADER, HEADER + MIB + 1, bytes.length - 1}) {
      List<DamagedRegion> regions = verifyPipe(Arrays.copyOf(bytes, length)).damage();
      assertEquals(1, regions.size());
      assertEquals(length, regions.get(0).from());
      assertEquals(bytes.length, regions.get(0).to());
    }
  }

  private VerificationResult verifyPipe(byte[] bytes) throws Exception {
    Files.write(path, bytes);
    Path pipe = folder.resolve("pipe");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    Process cat = new ProcessBuilder("sh", "-c", "cat '" + path + "' > '" + pipe + "'").start();
    try {
      return BLOOMERY.files().verify(pipe);
    } finally {
      assertTrue(cat.waitFor(1, TimeUnit.MINUTES));
      Files.delete(pipe);
    }
  }
}
