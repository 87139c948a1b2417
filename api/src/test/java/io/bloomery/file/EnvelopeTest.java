package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MiscountingFilter;
import io.bloomery.fixture.PlainProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeTest {

  private static final FilterProviders PROVIDERS = FilterProviders.of(new PlainProvider());

  private static Filter filled(long keys) {
    Filter filter = new PlainProvider().create(FilterSpec.of(keys, 0.01), ThreadMode.SHARED);
    SplittableRandom random = new SplittableRandom(1);
    for (long i = 0; i < keys; i++) {
      filter.put(random.nextLong());
    }
    return filter;
  }

  private static byte[] bytes(Filter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    return out.toByteArray();
  }

  private static Filter read(byte[] bytes) throws IOException {
    return (Filter)
        EnvelopeReader.read(
            new ByteArrayInputStream(bytes),
            bytes.length,
            new Opening(PROVIDERS, OpenOptions.shared()));
  }

  private static Filter readStream(InputStream in) throws IOException {
    return (Filter)
        EnvelopeReader.read(
            in, EnvelopeReader.UNKNOWN, new Opening(PROVIDERS, OpenOptions.shared()));
  }

  /** The sizes lie around the limits of buffers, chunks and parts. */
  @ParameterizedTest
  @ValueSource(longs = {1, 40, 64, 3_400, 3_420, 6_800, 874_000, 880_000, 2_000_000})
  void aFilterComesBackAsItWas(long keys) throws IOException {
    Filter filter = filled(keys);
    byte[] bytes = bytes(filter);
    assertEquals(FilterFiles.serializedSize(filter), bytes.length);
    assertEquals(0, bytes.length % HeaderFormat.ALIGNMENT);
    for (Filter again : List.of(read(bytes), readStream(new ByteArrayInputStream(bytes)))) {
      assertEquals(filter.spec(), again.spec());
      assertEquals(filter.layout(), again.layout());
      assertEquals("plain", again.variant());
      assertArrayEquals(bytes, bytes(again));
    }
  }

  /** The sizes lie around those of the buffer, 8,192 words, and of what one checksum covers. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8_191, 8_192, 8_193, 16_384, 16_385, 131_071, 131_072, 131_073})
  void manyWordsAtOnceAreTheSameBytesAsOneByOne(int size) throws IOException {
    long[] words = new SplittableRandom(size).longs(size + 10L).toArray();
    Filter filter = filled(1);
    long announced = (long) size * Long.BYTES;
    int end = size + 5;
    MiscountingFilter.Content oneByOne =
        out -> {
          for (int i = 5; i < end; i++) {
            out.writeLong(words[i]);
          }
        };
    byte[] expected = bytes(new MiscountingFilter(filter, announced, oneByOne));
    for (int step : new int[] {2, 1_000, 8_191, 8_192, 8_193, size + 1}) {
      MiscountingFilter.Content many =
          out -> {
            for (int i = 5; i < end; i += step) {
              out.writeLongs(words, i, Math.min(end, i + step));
            }
          };
      byte[] actual = bytes(new MiscountingFilter(filter, announced, many));
      assertArrayEquals(expected, actual, step + " at once");
    }
  }

  @Test
  void moreWordsAtOnceThanAnnouncedAreRefused() {
    long[] words = new long[3];
    assertThrows(
        IllegalStateException.class, () -> bytes(writing(out -> out.writeLongs(words, 0, 3))));
    assertThrows(
        IndexOutOfBoundsException.class, () -> bytes(writing(out -> out.writeLongs(words, 2, 4))));
  }

  private static Filter writing(MiscountingFilter.Content content) {
    return new MiscountingFilter(filled(1), 2 * Long.BYTES, content);
  }

  @Test
  void thePayloadStartsAtAMultipleOf64AndIsTheTable() throws IOException {
    Filter filter = filled(10);
    byte[] bytes = bytes(filter);
    int header = headerLength(bytes);
    assertEquals(0, header % 64);
    long setBits = 0;
    for (int i = 0; i < filter.payloadSize(); i++) {
      setBits += Integer.bitCount(bytes[header + i] & 0xff);
    }
    assertEquals(filter.stats().setBits(), setBits);
  }

  @Test
  void everySingleBitFlipIsRefused() throws IOException {
    for (long keys : new long[] {1, 40, 64}) {
      byte[] bytes = bytes(filled(keys));
      for (int bit = 0; bit < bytes.length * 8; bit++) {
        byte[] damaged = bytes.clone();
        damaged[bit / 8] ^= (byte) (1 << (bit % 8));
        int at = bit;
        assertThrows(FilterFormatException.class, () -> read(damaged), () -> "bit " + at);
        assertThrows(
            FilterFormatException.class,
            () -> readStream(new ByteArrayInputStream(damaged)),
            () -> "bit " + at);
      }
    }
  }

  @Test
  void everyTruncationIsRefusedAndEveryExtensionOfAFile() throws IOException {
    byte[] bytes = bytes(filled(64));
    for (int length = 0; length < bytes.length; length++) {
      byte[] start = Arrays.copyOf(bytes, length);
      assertThrows(FilterFormatException.class, () -> read(start));
      assertThrows(FilterFormatException.class, () -> readStream(new ByteArrayInputStream(start)));
    }
    for (int more = 1; more <= 65; more++) {
      byte[] longer = Arrays.copyOf(bytes, bytes.length + more);
      FilterFormatException e = assertThrows(FilterFormatException.class, () -> read(longer));
      assertEquals(bytes.length, e.offset());
      assertTrue(e.getMessage().contains(more + " more bytes follow"), e.getMessage());
    }
  }

  @Test
  void filtersAndOtherBytesFollowEachOtherInOneStream() throws IOException {
    Filter one = filled(10);
    Filter other = filled(5_000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(one, out);
    out.write(42);
    FilterFiles.write(other, out);
    out.write(43);
    InputStream in = new ByteArrayInputStream(out.toByteArray());
    assertArrayEquals(bytes(one), bytes(readStream(in)));
    assertEquals(42, in.read());
    assertArrayEquals(bytes(other), bytes(readStream(in)));
    assertEquals(43, in.read());
    assertEquals(-1, in.read());
  }

  @Test
  void aStreamMayGiveOneByteAtATime() throws IOException {
    byte[] bytes = bytes(filled(5_000));
    InputStream slow =
        new FilterInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          public int read(byte[] to, int from, int length) throws IOException {
            return super.read(to, from, Math.min(1, length));
          }
        };
    assertArrayEquals(bytes, bytes(readStream(slow)));
  }

  @Test
  void errorsOfTheStreamPassThrough() throws IOException {
    byte[] bytes = bytes(filled(100));
    for (int length = 0; length < bytes.length; length++) {
      IOException broken = new IOException("broken");
      InputStream start = new ByteArrayInputStream(bytes, 0, length);
      InputStream failing =
          new FilterInputStream(InputStream.nullInputStream()) {
            @Override
            public int read() throws IOException {
              throw broken;
            }

            @Override
            public int read(byte[] to, int from, int count) throws IOException {
              throw broken;
            }
          };
      InputStream in = new SequenceInputStream(start, failing);
      assertSame(broken, assertThrows(IOException.class, () -> readStream(in)));
    }
  }

  @Test
  void errorsOfTheOutputPassThroughAtEveryByte() throws IOException {
    Filter filter = filled(100);
    int size = bytes(filter).length;
    for (int length = 0; length < size; length++) {
      int until = length;
      OutputStream full =
          new OutputStream() {
            private int at;

            @Override
            public void write(int b) throws IOException {
              if (at++ == until) {
                throw new IOException("full");
              }
            }
          };
      assertThrows(IOException.class, () -> FilterFiles.write(filter, full));
    }
  }

  private static int headerLength(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort(10);
  }

  private static byte[] withLongAt(byte[] bytes, int offset, long value) {
    byte[] forged = bytes.clone();
    ByteBuffer buffer = ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putLong(offset, value);
    return withChecksum(forged, headerLength(bytes));
  }

  private static byte[] withChecksum(byte[] forged) {
    return withChecksum(forged, headerLength(forged));
  }

  private static byte[] withChecksum(byte[] forged, int header) {
    ByteBuffer buffer = ByteBuffer.wrap(forged).order(ByteOrder.LITTLE_ENDIAN);
    CRC32C crc = new CRC32C();
    crc.update(forged, 0, header - 4);
    buffer.putInt(header - 4, (int) crc.getValue());
    return forged;
  }

  private static final long[] EVIL = {
    0,
    1,
    -1,
    7,
    8,
    63,
    64,
    255,
    65_535,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    1L << 33,
    1L << 37,
    1L << 40,
    (1L << 62),
    (1L << 62) + 8,
    Long.MAX_VALUE - 7,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  /** With a checksum that fits, any eight bytes of the header, against any value. */
  @Test
  void forgedHeadersAreRefusedOrMeanWhatTheySay() throws IOException {
    byte[] bytes = bytes(filled(64));
    int header = headerLength(bytes);
    int accepted = 0;
    for (int offset = 0; offset <= header - 12; offset++) {
      for (long value : EVIL) {
        byte[] forged = withLongAt(bytes, offset, value);
        for (boolean stream : new boolean[] {false, true}) {
          try {
            Filter filter = stream ? readStream(new ByteArrayInputStream(forged)) : read(forged);
            assertArrayEquals(forged, bytes(filter));
            accepted++;
          } catch (FilterFormatException e) {
            assertTrue(e.offset() >= 0 && e.offset() <= forged.length, e.getMessage());
          }
        }
      }
    }
    // Expected keys from 1 on, and rates that are some, are free to choose.
    assertTrue(accepted > 0);
  }

  /**
   * One content has one form: the same numbers in another order are refused, and so are two of one.
   */
  @Test
  void numbersOfALayoutOutOfOrderAreRefused() throws IOException {
    byte[] bytes = bytes(filled(64));
    int bits = HeaderFormat.PREFIX + 3 * Long.BYTES + 1 + "plain".length() + 1 + "raw".length() + 1;
    int bitsEnd = bits + 1 + "bits".length() + Long.BYTES;
    int probesEnd = bitsEnd + 1 + "probes".length() + Long.BYTES;
    assertEquals("bits", new String(bytes, bits + 1, 4, StandardCharsets.US_ASCII));
    byte[] swapped = bytes.clone();
    System.arraycopy(bytes, bitsEnd, swapped, bits, probesEnd - bitsEnd);
    System.arraycopy(bytes, bits, swapped, bits + probesEnd - bitsEnd, bitsEnd - bits);
    assertMessage("layout must be in the order of its names", withChecksum(swapped));
  }

  @Test
  void theMessageSaysWhatIsWrongAndWhere() throws IOException {
    byte[] bytes = bytes(filled(1_000_000));
    assertMessage("byte 0: not a Bloomery filter: it is empty", new byte[0]);
    assertMessage("byte 0: not a Bloomery filter: it must start with 'BLOOMERY'", new byte[1_000]);
    assertMessage("byte 7: ends here, in the middle of a filter", Arrays.copyOf(bytes, 7));
    byte[] newer = bytes.clone();
    newer[8] = 9;
    assertMessage("byte 8: format version must be 1, but is 9", newer);
    byte[] header = bytes.clone();
    header[20] ^= 1;
    assertMessage("header damaged", header);
    byte[] payload = bytes.clone();
    payload[1_100_000] ^= 1;
    assertMessage("byte 1048704: content damaged, here or in the 150543 bytes behind", payload);
    byte[] trailer = bytes.clone();
    trailer[bytes.length - 1] ^= 1;
    assertMessage("trailer damaged", trailer);
    assertMessage("ends here, but must have", Arrays.copyOf(bytes, bytes.length - 1));
  }

  private static void assertMessage(String part, byte[] bytes) {
    String message = assertThrows(FilterFormatException.class, () -> read(bytes)).getMessage();
    assertTrue(message.contains(part), message);
  }

  @Test
  void aVariantThatIsNotInstalledIsNamed() throws IOException {
    Filter filter = new PlainProvider("counting").create(FilterSpec.of(10, 0.1), ThreadMode.SHARED);
    byte[] bytes = bytes(filter);
    String message = assertThrows(UnexpectedFilterException.class, () -> read(bytes)).getMessage();
    assertTrue(
        message.endsWith(
            "no provider for variant 'counting'; installed: plain;"
                + " add io.bloomery:bloomery-counting to the class path"),
        message);
  }

  /** What a provider announces and what it writes must agree, or nobody could read it. */
  @Test
  void aFilterThatWritesAnotherLengthThanItAnnouncedFails() {
    Filter filter = filled(10);
    OutputStream nowhere = OutputStream.nullOutputStream();
    for (int words : new int[] {0, 1, 3}) {
      assertThrows(
          IllegalStateException.class,
          () -> EnvelopeWriter.write(new MiscountingFilter(filter, 16, words), nowhere));
    }
    for (long size : new long[] {-8, 7}) {
      assertThrows(
          IllegalStateException.class,
          () -> EnvelopeWriter.write(new MiscountingFilter(filter, size, 0), nowhere));
    }
  }
}
