package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.fixture.MappingProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that are no filter are refused with one reason, whoever reads them. */
class FormatReasonTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new MappingProvider());
  private static final Filters<Long> LONGS = BLOOMERY.keys(KeyHasher.longs());

  @TempDir private Path folder;
  private final long seed = new SplittableRandom().nextLong();
  private final SplittableRandom random = new SplittableRandom(seed);
  private byte[] bytes;

  @BeforeEach
  void writeFilter() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LONGS.expect(1 + random.nextInt(2_000)).variant("plain").create().writeTo(out);
    bytes = out.toByteArray();
  }

  private void check(Reason reason, byte[] given, boolean isContent, boolean isLength)
      throws IOException {
    Path path = Files.write(folder.resolve("some.bloom"), given);
    check(reason, path, given, () -> LONGS.open(path));
    if (!isContent) { // which is checked when it is read
      check(reason, path, given, () -> FilterFiles.inspect(path));
      check(reason, path, given, () -> LONGS.map(path));
    }
    if (!isLength) { // which streams and buffers may exceed
      check(reason, null, given, () -> LONGS.read(new ByteArrayInputStream(given)));
      check(reason, null, given, () -> LONGS.read(ByteBuffer.wrap(given)));
    }
  }

  private void check(Reason reason, Path path, byte[] given, Executable reading) {
    FilterFormatException e = assertThrows(FilterFormatException.class, reading);
    assertEquals(reason, e.reason(), () -> "seed " + seed + ": " + e.getMessage());
    assertTrue(e.offset() >= 0 && e.offset() <= given.length, e::getMessage);
    assertEquals(Optional.ofNullable(path).map(Path::toString), e.file());
    String place = path == null ? "" : path + ": ";
    assertEquals(place + "byte " + e.offset() + ": " + e.detail(), e.getMessage());
  }

  @RepeatedTest(20)
  void whatIsCutIsTruncated() throws IOException {
    check(Reason.TRUNCATED, Arrays.copyOf(bytes, random.nextInt(bytes.length)), false, false);
    check(Reason.TRUNCATED, new byte[0], false, false);
  }

  @RepeatedTest(20)
  void whatIsTooLongHasTrailingBytes() throws IOException {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(100));
    check(Reason.TRAILING_BYTES, longer, false, true);
  }

  @RepeatedTest(50)
  void whatDiffersFromAChecksumIsDamaged() throws IOException {
    int at = HeaderFormat.PREFIX + random.nextInt(bytes.length - HeaderFormat.PREFIX);
    bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    check(Reason.DAMAGED, bytes, at >= HeaderFormat.length(bytes), false);
  }

  @RepeatedTest(20)
  void whatBeginsOtherwiseIsNoFilter() throws IOException {
    bytes[random.nextInt(HeaderFormat.VERSION_AT)] ^= (byte) (1 + random.nextInt(255));
    check(Reason.NOT_A_FILTER, bytes, false, false);
  }

  @RepeatedTest(20)
  void anotherVersionIsNotSupported() throws IOException {
    bytes[HeaderFormat.VERSION_AT] ^= (byte) (1 + random.nextInt(255));
    check(Reason.UNSUPPORTED_VERSION, bytes, false, false);
  }

  @Test
  void otherFilesOfBloomeryAreNamed() throws IOException {
    for (String magic : List.of("BLOOMWIN", "BLOOMSHD")) {
      System.arraycopy(magic.getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, magic.length());
      check(Reason.OTHER_KIND, bytes, false, false);
    }
  }

  @RepeatedTest(20)
  void aValueOutOfItsRangeIsInvalid() throws IOException {
    bytes[HeaderFormat.VERSION_AT + 1] = (byte) (1 + random.nextInt(255));
    check(Reason.INVALID, bytes, false, false);
  }

  @Test
  void aRefusalOfAnotherFilterNamesItsFileOnce() throws IOException {
    Path path = Files.write(folder.resolve("longs.bloom"), bytes);
    Filters<String> strings = BLOOMERY.keys(KeyHasher.strings());
    UnexpectedFilterException opened =
        assertThrows(UnexpectedFilterException.class, () -> strings.open(path));
    UnexpectedFilterException read =
        assertThrows(
            UnexpectedFilterException.class, () -> strings.read(new ByteArrayInputStream(bytes)));
    assertEquals(read.getMessage(), opened.detail());
    assertEquals(path + ": " + opened.detail(), opened.getMessage());
    assertEquals(Optional.of(path.toString()), opened.file());
    assertEquals(Optional.empty(), read.file());
  }
}
