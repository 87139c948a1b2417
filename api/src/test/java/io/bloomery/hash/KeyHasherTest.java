package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class KeyHasherTest {

  private static final KeyHasher<CharSequence> UTF8 = KeyHasher.utf8();
  private static final KeyHasher<byte[]> BYTES = KeyHasher.bytes();

  /** From the reference implementation of XXH3, which has these for the same bytes. */
  @Test
  void hashesAreThoseOfTheSpecification() {
    assertEquals(0x78af5f94892f3950L, UTF8.hash("abc"));
    assertEquals(0x2d06800538d394c2L, UTF8.hash(""));
  }

  @Test
  void idsAreThoseOfTheFormat() {
    assertEquals("xxh3-64/utf8", UTF8.id());
    assertEquals("xxh3-64/utf8", KeyHasher.utf8Bytes().id());
    assertEquals("xxh3-64/bytes", BYTES.id());
    assertEquals("xxh3-64/bytes", KeyHasher.byteBuffers().id());
    assertEquals("splitmix64/i64", KeyHasher.longs().id());
    assertEquals("splitmix64/i64", KeyHasher.ints().id());
    assertEquals("xxh3-64/i64/seed=0", KeyHasher.longs(0).id());
    assertEquals("xxh3-64/uuid", KeyHasher.uuids().id());
    assertEquals("xxh3-64/utf8/seed=-7", KeyHasher.utf8(-7).id());
  }

  @Property
  void textHashesAsItsUtf8Bytes(@ForAll String text) {
    // Java's own encoder replaces what is not text; such strings have their own test below.
    String valid = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    byte[] bytes = valid.getBytes(StandardCharsets.UTF_8);
    assertEquals(BYTES.hash(bytes), UTF8.hash(valid));
    assertEquals(BYTES.hash(bytes), KeyHasher.utf8Bytes().hash(bytes));
  }

  @Property
  void anyCharSequenceOfTheSameCharsHashesAlike(@ForAll String text) {
    long hash = UTF8.hash(text);
    assertEquals(hash, UTF8.hash(CharBuffer.wrap(text.toCharArray())));
    assertEquals(hash, UTF8.hash(CharBuffer.wrap("<" + text + ">", 1, 1 + text.length())));
  }

  @Test
  void loneSurrogatesKeepStringsApart() {
    List<String> different =
        List.of("?", "\ud800", "\udc00", "\udbff", "a\ud800", "\ud800?", "\ud800\ud800", "é\udfff");
    for (String one : different) {
      for (String other : different) {
        assertEquals(one.equals(other), UTF8.hash(one) == UTF8.hash(other), one + " " + other);
      }
    }
    byte[] threeBytes = {(byte) 0xed, (byte) 0xa0, (byte) 0x80};
    assertEquals(BYTES.hash(threeBytes), UTF8.hash("\ud800"));
    byte[] among = "?\u00e9x\ud83d\ude00".getBytes(StandardCharsets.UTF_8);
    byte[] all = ByteBuffer.allocate(among.length + 3).put(among).put(threeBytes).array();
    assertEquals(BYTES.hash(all), UTF8.hash("?\u00e9x\ud83d\ude00\ud800"));
  }

  @Test
  void aLoneSurrogateIsFoundAnywhere() {
    for (int length = 1; length <= 40; length++) {
      for (int at = 0; at < length; at++) {
        String lost = "a".repeat(at) + "\udc00" + "a".repeat(length - at - 1);
        byte[] expected = new byte[length + 2];
        Arrays.fill(expected, (byte) 'a');
        expected[at] = (byte) 0xed;
        expected[at + 1] = (byte) 0xb0;
        expected[at + 2] = (byte) 0x80;
        assertEquals(BYTES.hash(expected), UTF8.hash(lost), length + " chars, lost at " + at);
      }
    }
  }

  @Property
  void buffersHashTheirRemainingBytesAndStayWhereTheyAre(
      @ForAll byte[] content, @ForAll boolean direct) {
    ByteBuffer buffer =
        direct
            ? ByteBuffer.allocateDirect(content.length + 5)
            : ByteBuffer.allocate(content.length + 5);
    buffer.put(new byte[3]).put(content).flip().position(3);
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      buffer.order(order);
      assertEquals(BYTES.hash(content), KeyHasher.byteBuffers().hash(buffer));
      assertEquals(BYTES.hash(content), KeyHasher.byteBuffers().hash(buffer.asReadOnlyBuffer()));
      assertEquals(3, buffer.position());
      assertEquals(order, buffer.order());
    }
  }

  @Property
  void longsHashAsJavasOwnSplitMix64(@ForAll long key) {
    assertEquals(new SplittableRandom(key).nextLong(), KeyHasher.longs().hash(key));
  }

  @Property
  void seededLongsHashAsEightBytesLittleEndian(@ForAll long key, @ForAll long seed) {
    byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
    assertEquals(KeyHasher.bytes(seed).hash(bytes), KeyHasher.longs(seed).hash(key));
  }

  @Property
  void intsHashAsTheLongOfTheSameValue(@ForAll int key) {
    assertEquals(KeyHasher.longs().hash((long) key), KeyHasher.ints().hash(key));
  }

  @Property
  void uuidsHashAsSixteenBytesBigEndian(@ForAll long high, @ForAll long low) {
    byte[] bytes = ByteBuffer.allocate(16).putLong(high).putLong(low).array();
    assertEquals(BYTES.hash(bytes), KeyHasher.uuids().hash(new UUID(high, low)));
  }

  private record User(String email) {}

  @Test
  void aHasherOfHoldersHashesWhatTheyHold() {
    KeyHasher<User> byEmail = UTF8.of(User::email);
    assertEquals(UTF8.id(), byEmail.id());
    assertEquals(UTF8.hash("a@b"), byEmail.hash(new User("a@b")));
  }

  @Test
  void seedsGiveOtherHashesAndOtherIds() {
    assertNotEquals(UTF8.hash("abc"), KeyHasher.utf8(1).hash("abc"));
    assertNotEquals(KeyHasher.utf8(2).hash("abc"), KeyHasher.utf8(1).hash("abc"));
    assertEquals(KeyHasher.utf8(1).hash("abc"), KeyHasher.utf8(1).hash("abc"));
    assertEquals(KeyHasher.bytes(9).hash(new byte[] {1}), seededBuffer(9));
    assertNotEquals(KeyHasher.longs(1).hash(5L), KeyHasher.longs().hash(5L));
    assertEquals(KeyHasher.longs(1).hash(5L), KeyHasher.ints(1).hash(5));
    assertNotEquals(
        KeyHasher.uuids(1).hash(new UUID(1, 2)), KeyHasher.uuids().hash(new UUID(1, 2)));
    assertEquals(KeyHasher.utf8(3).hash("a"), KeyHasher.utf8Bytes(3).hash(new byte[] {'a'}));
  }

  private static long seededBuffer(long seed) {
    return KeyHasher.byteBuffers(seed).hash(ByteBuffer.wrap(new byte[] {1}));
  }

  @Test
  void nullKeysAreRefused() {
    assertThrows(NullPointerException.class, () -> UTF8.hash(null));
    assertThrows(NullPointerException.class, () -> BYTES.hash(null));
    assertThrows(NullPointerException.class, () -> KeyHasher.byteBuffers().hash(null));
    assertThrows(NullPointerException.class, () -> KeyHasher.longs().hash(null));
    assertThrows(NullPointerException.class, () -> KeyHasher.ints().hash(null));
    assertThrows(NullPointerException.class, () -> KeyHasher.uuids().hash(null));
    assertThrows(NullPointerException.class, () -> UTF8.of(User::email).hash(null));
    assertThrows(NullPointerException.class, () -> UTF8.of(User::email).hash(new User(null)));
  }

  @Test
  void emptyKeysAreKeys() {
    assertEquals(UTF8.hash(""), BYTES.hash(new byte[0]));
    assertTrue(UTF8.hash("") != 0);
  }
}
