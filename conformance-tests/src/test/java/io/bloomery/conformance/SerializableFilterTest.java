package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.SerializableFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SerializableFilterTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();
  private static final byte[] MAGIC = "BLOOMERY".getBytes(StandardCharsets.US_ASCII);

  static List<String> variants() {
    return BLOOMERY.providers().all().stream().map(FilterProvider::variant).toList();
  }

  private static byte[] serialized(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes, String allowed)
      throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      in.setObjectInputFilter(ObjectInputFilter.Config.createFilter(allowed + ";!*"));
      return in.readObject();
    }
  }

  private static Filter read(byte[] bytes) throws IOException, ClassNotFoundException {
    return ((SerializableFilter) read(bytes, SerializableFilter.class.getName())).filter();
  }

  private static Filter filter(String variant, long keys) {
    Filter filter =
        BLOOMERY.providers().get(variant).create(FilterSpec.of(keys, 0.01), ThreadMode.CONFINED);

    new SplittableRandom(keys).longs(keys).forEach(filter::put);
    return filter;
  }

  /**
   * Where only this class is allowed, as a careful reader has it. What comes back is compared call
   * by call in {@link CarriedFilterTest}.
   */
  @ParameterizedTest
  @MethodSource("variants")
  void everyVariantComesBackAsItWas(String variant) throws Exception {
    for (long keys : new long[] {1, 100, 20_000}) {
      Filter filter = filter(variant, keys);
      byte[] bytes = serialized(SerializableFilter.of(filter));
      assertArrayEquals(bytes, serialized(SerializableFilter.of(read(bytes))));
      assertTrue(bytes.length < FilterFiles.serializedSize(filter) * 1.01 + 200);
    }
  }

  /** What is put later is only in the filter that stays here. */
  @Test
  void itCarriesTheFilterAsItStandsWhenItIsMade() throws Exception {
    Filter filter = filter("standard", 100);
    byte[] before = Subject.write(filter);
    SerializableFilter carried = SerializableFilter.of(filter);
    filter.put(42);
    assertSame(filter, carried.filter());
    assertArrayEquals(before, Subject.write(read(serialized(carried))));
    assertFalse(filter instanceof Serializable);
  }

  /** They stand before the filter, and no checksum covers them. */
  @Test
  void everyBitFlipOfTheLimitsSetsOthersOrIsAnInvalidObject() throws Exception {
    Filter filter = filter("standard", 1);
    byte[] bytes = serialized(SerializableFilter.of(filter));
    int start = envelopeAt(bytes) - Long.BYTES;
    int refused = 0;
    for (int bit = 0; bit < Long.SIZE; bit++) {
      byte[] damaged = bytes.clone();
      damaged[start + bit / 8] ^= (byte) (1 << bit % 8);
      long maxBytes = ByteBuffer.wrap(damaged, start, Long.BYTES).getLong();
      if (maxBytes < filter.payloadSize()) {
        assertThrows(InvalidObjectException.class, () -> read(damaged));
        refused++;
      } else {
        assertEquals(maxBytes, read(damaged).limits().maxBytes());
      }
    }
    assertEquals(1, refused); // the sign, of the largest long
  }

  /** Objects before, between and behind are none of its business. */
  @Test
  void itTakesNothingOfItsNeighbours() throws Exception {
    SerializableFilter one = SerializableFilter.of(filter("standard", 100));
    SerializableFilter other = SerializableFilter.of(filter("counting", 3_000));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeInt(1);
      out.writeObject(one);
      out.writeInt(2);
      out.writeObject(other);
      out.writeObject(one);
      out.writeObject("end");
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertEquals(1, in.readInt());
      SerializableFilter first = (SerializableFilter) in.readObject();
      assertArrayEquals(Subject.write(one.filter()), Subject.write(first.filter()));
      assertEquals(2, in.readInt());
      SerializableFilter second = (SerializableFilter) in.readObject();
      assertArrayEquals(Subject.write(other.filter()), Subject.write(second.filter()));
      assertTrue(first == in.readObject());
      assertEquals("end", in.readObject());
    }
  }

  private static int envelopeAt(byte[] bytes) {
    for (int at = 0; at < bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + MAGIC.length, MAGIC, 0, MAGIC.length)) {
        return at;
      }
    }
    throw new AssertionError("no filter in it");
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyBitFlipOfTheFilterIsAnInvalidObject(String variant) throws Exception {
    Filter filter = filter(variant, 1);
    byte[] bytes = serialized(SerializableFilter.of(filter));
    int start = envelopeAt(bytes);
    // Further on, lengths of Java's own blocks may stand in between.
    int end = start + Math.min(200, (int) FilterFiles.serializedSize(filter));
    for (int bit = start * 8; bit < end * 8; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      InvalidObjectException e =
          assertThrows(InvalidObjectException.class, () -> read(damaged), "bit " + bit);
      assertInstanceOf(FilterFormatException.class, e.getCause());
    }
  }

  @ParameterizedTest
  @MethodSource("variants")
  void everyTruncationIsRefused(String variant) throws Exception {
    byte[] bytes = serialized(SerializableFilter.of(filter(variant, 1)));
    for (int length = 0; length < bytes.length - 1; length++) {
      byte[] start = Arrays.copyOf(bytes, length);
      assertThrows(IOException.class, () -> read(start), "cut to " + length);
    }
  }

  @Test
  void bytesBehindTheFilterAreAnInvalidObject() throws Exception {
    byte[] bytes = serialized(SerializableFilter.of(filter("standard", 1)));
    int start = envelopeAt(bytes);
    // The limits come first, in the same block.
    int block = start - Long.BYTES;
    int size = Byte.toUnsignedInt(bytes[block - 1]);
    assertEquals(Long.BYTES + FilterFiles.serializedSize(filter("standard", 1)), size);
    ByteArrayOutputStream longer = new ByteArrayOutputStream();
    longer.write(bytes, 0, block - 1);
    longer.write(size + 1);
    longer.write(bytes, block, size);
    longer.write(0);
    longer.write(bytes, block + size, bytes.length - block - size);
    InvalidObjectException e =
        assertThrows(InvalidObjectException.class, () -> read(longer.toByteArray()));
    assertEquals("the filter ends before the object does", e.getMessage());
  }

  /** 256 MiB, of which nothing comes. */
  @Test
  void whatIsOnlyAnnouncedIsNotAllocated() throws Exception {
    byte[] bytes = serialized(SerializableFilter.of(filter("standard", 1)));
    int start = envelopeAt(bytes);
    ByteBuffer header = ByteBuffer.wrap(bytes, start, 128).slice().order(ByteOrder.LITTLE_ENDIAN);
    long payload = 256L << 20;
    header.putLong(16, payload);
    int bits = new String(header.array(), StandardCharsets.ISO_8859_1).indexOf("bits") - start;
    header.putLong(bits + 4, payload * 8);
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, 124));
    header.putInt(124, (int) crc.getValue());
    read(serialized(SerializableFilter.of(filter("standard", 1)))); // loads what is needed
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    InvalidObjectException e = assertThrows(InvalidObjectException.class, () -> read(bytes));
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(e.getMessage().endsWith("ends here, in the middle of a filter"), e.getMessage());
    assertTrue(allocated < 4 << 20, allocated + " bytes");
  }

  @Test
  void whoeverDoesNotAllowItGetsNothing() throws Exception {
    byte[] bytes = serialized(SerializableFilter.of(filter("standard", 1)));
    assertThrows(InvalidClassException.class, () -> read(bytes, "java.lang.String"));
    assertThrows(NullPointerException.class, () -> SerializableFilter.of(null));
  }

  /** An object that says when it is made from a stream. */
  private static final class Canary implements Serializable {
    private static final long serialVersionUID = 1;
    private static boolean woken;

    private void readObject(ObjectInputStream in) {
      woken = true;
    }
  }

  /** What a hostile stream may say that a filter is: it has a field more. */
  private static final class WithField implements Serializable {
    private static final long serialVersionUID = 1;
    private final Serializable more = new Canary();

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeLong(Long.MAX_VALUE);
      FilterFiles.write(filter("standard", 1), out);
    }

    @Override
    public String toString() {
      return "with " + more;
    }
  }

  @Test
  void fieldsThatAStreamAddsAreNotMade() throws Exception {
    byte[] bytes = serialized(new WithField());
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    String forged =
        text.replace(named(WithField.class.getName()), named(SerializableFilter.class.getName()));
    assertNotEquals(text, forged);
    byte[] hostile = forged.getBytes(StandardCharsets.ISO_8859_1);
    String allowed = SerializableFilter.class.getName() + ";" + Canary.class.getName();
    assertThrows(InvalidObjectException.class, () -> read(hostile, allowed));
    assertFalse(Canary.woken);
    read(bytes, WithField.class.getName() + ";" + Canary.class.getName());
    assertTrue(Canary.woken);
  }

  private static String named(String name) {
    return "\0" + (char) name.length() + name;
  }
}
