package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Filters in buffers, and in streams that give little at a time. */
class BufferTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());
  private static final Filters<String> SAVED = BLOOMERY.keys(KeyHasher.strings());

  private static BloomFilter<String> filled(int keys) {
    BloomFilter<String> filter = SAVED.expect(keys).variant("plain").create();
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
    Filters<Long> longs = BLOOMERY.keys(KeyHasher.longs());
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
}
