package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class KeyHasherTest {

  private static final KeyHasher<CharSequence> UTF8 = KeyHasher.strings();
  private static final BytesKeyHasher BYTES = KeyHasher.byteArrays();

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
    assertEquals("xxh3-64/i64/seed=0", KeyHasher.longs().withSeed(0).id());
    assertEquals("xxh3-64/uuid", KeyHasher.uuids().id());
    assertEquals("xxh3-64/utf8/seed=-7", KeyHasher.strings().withSeed(-7).id());
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
  void partsOfArraysAndPiecesHashAsArraysOfTheirOwn(
      @ForAll byte[] bytes, @ForAll int one, @ForAll int other) {
    for (BytesKeyHasher hasher :
        List.of(BYTES, KeyHasher.utf8Bytes(), BYTES.withSeed(one), BYTES.withSeed(other))) {
      assertSlicesAndPieces(hasher, bytes, one, other);
    }
  }

  /** Cuts bytes into three pieces at two drawn places. */
  static void assertSlicesAndPieces(BytesKeyHasher hasher, byte[] bytes, int one, int other) {
    int a = Math.floorMod(one, bytes.length + 1);
    int b = Math.floorMod(other, bytes.length + 1);
    int from = Math.min(a, b);
    int to = Math.max(a, b);
    byte[] middle = Arrays.copyOfRange(bytes, from, to);
    assertEquals(hasher.hash(middle), hasher.hash(bytes, from, to));
    List<byte[]> pieces =
        List.of(Arrays.copyOf(bytes, from), middle, Arrays.copyOfRange(bytes, to, bytes.length));
    assertEquals(hasher.hash(bytes), hasher.hashPieces(pieces));
  }

  @Test
  void keysOfManyPiecesHashAsTheWhole() {
    byte[] whole = new byte[100_000];
    new SplittableRandom(5).nextBytes(whole);
    for (int size : new int[] {1, 63, 64, 255, 256, 257, 1_024, 99_999}) {
      List<byte[]> pieces = new ArrayList<>();
      for (int from = 0; from < whole.length; from += size) {
        pieces.add(Arrays.copyOfRange(whole, from, Math.min(whole.length, from + size)));
      }
      assertEquals(BYTES.hash(whole), BYTES.hashPieces(pieces), "of " + size);
    }
    assertEquals(BYTES.hash(new byte[0]), BYTES.hashPieces(List.of()));
  }

  @Test
  void partsThatAreNotOfTheArrayAreRefused() {
    byte[] bytes = new byte[300];
    for (BytesKeyHasher hasher : List.of(BYTES, BYTES.withSeed(7), BYTES.secret(new byte[16]))) {
      for (int[] range : new int[][] {{-1, 5}, {6, 5}, {0, 301}, {301, 301}, {5, -1}}) {
        assertThrows(IndexOutOfBoundsException.class, () -> hasher.hash(bytes, range[0], range[1]));
      }
      assertEquals(hasher.hash(new byte[0]), hasher.hash(bytes, 300, 300));
      assertThrows(NullPointerException.class, () -> hasher.hash(null, 0, 0));
      assertThrows(NullPointerException.class, () -> hasher.hashPieces(Arrays.asList(bytes, null)));
    }
  }

  @Property
  void longsHashAsJavasOwnSplitMix64(@ForAll long key) {
    assertEquals(new SplittableRandom(key).nextLong(), KeyHasher.longs().hash(key));
  }

  @Property
  void seededLongsHashAsEightBytesLittleEndian(@ForAll long key, @ForAll long seed) {
    byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(key).array();
    assertEquals(
        KeyHasher.byteArrays().withSeed(seed).hash(bytes),
        KeyHasher.longs().withSeed(seed).hash(key));
  }

  @Test
  void aSeedKeepsTheTypeOfLongs() {
    LongKeyHasher longs = KeyHasher.longs().withSeed(7);
    assertEquals("xxh3-64/i64/seed=7", longs.id());
    assertEquals(0xa6b5aa3eef10acc4L, longs.hash(1)); // as docs/FORMAT.md has it
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
    KeyHasher<User> byEmail = UTF8.compose(User::email);
    assertEquals(UTF8.id(), byEmail.id());
    assertEquals(UTF8.hash("a@b"), byEmail.hash(new User("a@b")));
  }

  @Test
  void seedsGiveOtherHashesAndOtherIds() {
    assertNotEquals(UTF8.hash("abc"), KeyHasher.strings().withSeed(1).hash("abc"));
    assertNotEquals(
        KeyHasher.strings().withSeed(2).hash("abc"), KeyHasher.strings().withSeed(1).hash("abc"));
    assertEquals(
        KeyHasher.strings().withSeed(1).hash("abc"), KeyHasher.strings().withSeed(1).hash("abc"));
    assertEquals(KeyHasher.byteArrays().withSeed(9).hash(new byte[] {1}), seededBuffer(9));
    assertNotEquals(KeyHasher.longs().withSeed(1).hash(5L), KeyHasher.longs().hash(5L));
    assertEquals(KeyHasher.longs().withSeed(1).hash(5L), KeyHasher.ints().withSeed(1).hash(5));
    assertNotEquals(
        KeyHasher.uuids().withSeed(1).hash(new UUID(1, 2)), KeyHasher.uuids().hash(new UUID(1, 2)));
    assertEquals(
        KeyHasher.strings().withSeed(3).hash("a"),
        KeyHasher.utf8Bytes().withSeed(3).hash(new byte[] {'a'}));
  }

  private static long seededBuffer(long seed) {
    return KeyHasher.byteBuffers().withSeed(seed).hash(ByteBuffer.wrap(new byte[] {1}));
  }

  @Test
  void nullKeysAreRefused() {
    List<KeyHasher<?>> hashers =
        List.of(
            UTF8,
            BYTES,
            KeyHasher.utf8Bytes(),
            KeyHasher.byteBuffers(),
            KeyHasher.longs(),
            KeyHasher.ints(),
            KeyHasher.uuids(),
            UTF8.compose(User::email),
            KeyHasher.longs().composeLong(Object::hashCode),
            KeyHasher.fields(UTF8));
    for (KeyHasher<?> each : hashers) {
      for (KeyHasher<?> hasher : List.of(each, each.withSeed(7), each.secret(new byte[16]))) {
        String message =
            assertThrows(NullPointerException.class, () -> hasher.hash(null)).getMessage();
        assertEquals("key must not be null", message, hasher.id());
      }
    }
    assertThrows(NullPointerException.class, () -> UTF8.compose(User::email).hash(new User(null)));
  }

  @Test
  void emptyKeysAreKeys() {
    assertEquals(UTF8.hash(""), BYTES.hash(new byte[0]));
    assertTrue(UTF8.hash("") != 0);
  }

  @Test
  void equalNumbersAreOneKeyAndEveryNaNIsOne() {
    KeyHasher<Double> doubles = KeyHasher.doubles();
    KeyHasher<Float> floats = KeyHasher.floats();
    assertEquals(doubles.hash(0.0), doubles.hash(-0.0));
    assertEquals(floats.hash(0f), floats.hash(-0f));
    assertEquals(doubles.hash(0.0), floats.hash(-0f));
    SplittableRandom random = new SplittableRandom(91);
    for (int i = 0; i < 10_000; i++) {
      double nan = Double.longBitsToDouble(0x7ff0_0000_0000_0001L | random.nextLong());
      float small = Float.intBitsToFloat(0x7f80_0001 | random.nextInt());
      assertEquals(doubles.hash(Double.NaN), doubles.hash(nan));
      assertEquals(doubles.hash(Double.NaN), floats.hash(small));
      double number = Double.longBitsToDouble(random.nextLong());
      if (!Double.isNaN(number) && number != 0) {
        assertEquals(KeyHasher.longs().hash(Double.doubleToLongBits(number)), doubles.hash(number));
        assertEquals(
            KeyHasher.longs().withSeed(7).hash(Double.doubleToLongBits(number)),
            doubles.withSeed(7).hash(number));
      }
      float real = Float.intBitsToFloat(random.nextInt());
      assertEquals(doubles.hash((double) real), floats.hash(real));
    }
  }
}
