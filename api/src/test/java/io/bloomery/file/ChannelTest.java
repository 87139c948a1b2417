package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters in channels and buffers, and in streams that give little at a time. */
class ChannelTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());
  private static final FilterBuilder<String> SAVED = BLOOMERY.keys(KeyHasher.strings());
  private static final FilterBuilder<String> STRINGS =
      BLOOMERY.<String>keys(KeyHasher.strings()).variant("plain");

  private static BloomFilter<String> filled(int keys) {
    BloomFilter<String> filter = STRINGS.expect(keys).create();
    for (int i = 0; i < keys; i++) {
      filter.put("key " + i);
    }
    return filter;
  }

  private static byte[] bytes(BloomFilter<?> filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void filtersAndOtherBytesFollowEachOtherInOneChannel(@TempDir Path folder) throws IOException {
    List<BloomFilter<String>> filters = List.of(filled(1), filled(5_000), filled(200_000));
    Path path = folder.resolve("several");
    long expected = 0;
    try (FileChannel out =
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (BloomFilter<String> filter : filters) {
        filter.writeTo(out);
        expected += filter.serializedSize();
        assertEquals(expected, out.position());
        expected += out.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      }
    }
    try (FileChannel in = FileChannel.open(path)) {
      for (BloomFilter<String> filter : filters) {
        assertArrayEquals(bytes(filter), bytes(SAVED.read(in)));
        ByteBuffer foreign = ByteBuffer.allocate(3);
        in.read(foreign);
        assertArrayEquals(new byte[] {1, 2, 3}, foreign.array());
      }
      assertEquals(in.size(), in.position());
    }
  }

  @Test
  void aChannelMayTakeAndGiveFewBytesAndNowAndThenNone() throws IOException {
    BloomFilter<String> filter = filled(20_000);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    WritableByteChannel sink =
        new OpenChannel() {
          private int calls;

          @Override
          public int write(ByteBuffer from) {
            calls++;
            if (calls % 100 == 0) {
              return 0;
            }
            byte[] some = new byte[Math.min(from.remaining(), 1 + calls % 300)];
            from.get(some);
            written.writeBytes(some);
            return some.length;
          }
        };
    filter.writeTo(sink);
    assertArrayEquals(bytes(filter), written.toByteArray());

    ByteBuffer left = ByteBuffer.wrap(Arrays.copyOf(bytes(filter), bytes(filter).length + 7));
    ReadableByteChannel source =
        new OpenChannel() {
          private int calls;

          @Override
          public int read(ByteBuffer to) {
            calls++;
            if (calls % 100 == 0) {
              return 0;
            }
            int step = Math.min(Math.min(to.remaining(), left.remaining()), 1 + calls % 300);
            to.put(left.slice().limit(step));
            left.position(left.position() + step);
            return step;
          }
        };
    assertArrayEquals(bytes(filter), bytes(SAVED.read(source)));
    assertEquals(7, left.remaining());
  }

  @Test
  void aChannelThatDoesNothingForEverIsGivenUp() {
    OpenChannel idle = new OpenChannel() {};
    BloomFilter<String> filter = filled(10);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          IOException e = assertThrows(IOException.class, () -> SAVED.read(idle));
          assertTrue(e.getMessage().endsWith("configure it as blocking"), e.getMessage());
          assertThrows(IOException.class, () -> filter.writeTo(idle));
        });
  }

  @Test
  void aChannelInNonBlockingModeIsRefused() throws IOException {
    BloomFilter<String> filter = filled(10);
    Pipe pipe = Pipe.open();
    try (Pipe.SourceChannel in = pipe.source();
        Pipe.SinkChannel out = pipe.sink()) {
      in.configureBlocking(false);
      out.configureBlocking(false);
      assertThrows(IllegalBlockingModeException.class, () -> SAVED.read(in));
      assertThrows(IllegalBlockingModeException.class, () -> filter.writeTo(out));
      in.configureBlocking(true);
      out.configureBlocking(true);
      filter.writeTo(out);
      assertArrayEquals(bytes(filter), bytes(SAVED.read(in)));
    }
  }

  @Test
  void aChannelThatEndsEarlyHoldsNoFilter() throws IOException {
    byte[] bytes = bytes(filled(100));
    for (int length = 0; length < bytes.length; length++) {
      InputStream start = new ByteArrayInputStream(bytes, 0, length);
      ReadableByteChannel in = Channels.newChannel(start);
      assertThrows(FilterFormatException.class, () -> SAVED.read(in));
    }
  }

  @Test
  void aBufferIsReadToTheEndOfTheFilterAndNoFurther() throws IOException {
    BloomFilter<String> one = filled(100);
    BloomFilter<String> other = filled(3_000);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(42);
    one.writeTo(out);
    other.writeTo(out);
    out.write(43);
    byte[] array = out.toByteArray();
    ByteBuffer direct = ByteBuffer.allocateDirect(array.length).put(array).flip();
    for (ByteBuffer in : List.of(ByteBuffer.wrap(array), direct, direct.asReadOnlyBuffer())) {
      in.position(0);
      assertEquals(42, in.get());
      assertArrayEquals(bytes(one), bytes(SAVED.read(in)));
      assertEquals(1 + one.serializedSize(), in.position());
      assertArrayEquals(bytes(other), bytes(SAVED.read(in.slice())));
      assertEquals("plain", BLOOMERY.files().read(in, OpenOptions.confined()).variant());
      assertEquals(1, in.remaining());
    }
  }

  @Test
  void aBufferStaysWhereItWasIfItHoldsNothingFit() throws IOException {
    byte[] bytes = bytes(filled(100));
    ByteBuffer cut = ByteBuffer.wrap(bytes, 0, bytes.length - 1);
    assertThrows(FilterFormatException.class, () -> SAVED.read(cut));
    assertEquals(0, cut.position());
    ByteBuffer whole = ByteBuffer.wrap(bytes);
    FilterBuilder<Long> longs = BLOOMERY.keys(KeyHasher.longs());
    assertThrows(UnexpectedFilterException.class, () -> longs.read(whole));
    assertEquals(0, whole.position());
  }

  /** A stream must not return without a byte, but some do. */
  @Test
  void aStreamMayGiveNothingNowAndThen() throws IOException {
    byte[] bytes = bytes(filled(5_000));
    for (int end : new int[] {bytes.length, bytes.length - 1, 1_000}) {
      IOException broken = new IOException("broken");
      InputStream in =
          new InputStream() {
            private int at;

            @Override
            public int read() throws IOException {
              if (at == end) {
                throw broken;
              }
              return Byte.toUnsignedInt(bytes[at++]);
            }

            @Override
            public int read(byte[] to, int from, int length) {
              return 0;
            }
          };
      if (end == bytes.length) {
        assertArrayEquals(bytes, bytes(SAVED.read(in)));
      } else {
        assertSame(broken, assertThrows(IOException.class, () -> SAVED.read(in)));
      }
    }
  }

  /** A channel that is open and does nothing. */
  private abstract static class OpenChannel implements ReadableByteChannel, WritableByteChannel {

    @Override
    public int read(ByteBuffer to) {
      return 0;
    }

    @Override
    public int write(ByteBuffer from) {
      return 0;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      // Nobody has to.
    }
  }
}
