package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SecretHashTest {

  private static final long KEY_0 = 0x0706050403020100L;
  private static final long KEY_1 = 0x0f0e0d0c0b0a0908L;
  private static final SecretHash HASH = new SecretHash(KEY_0, KEY_1, "of the vectors");

  /** vectors_sip64 of the reference implementation: of the bytes 0 to n - 1, for n from 0 to 63. */
  private static final long[] PUBLISHED = {
    0x726fdb47dd0e0e31L, 0x74f839c593dc67fdL, 0x0d6c8009d9a94f5aL, 0x85676696d7fb7e2dL,
    0xcf2794e0277187b7L, 0x18765564cd99a68dL, 0xcbc9466e58fee3ceL, 0xab0200f58b01d137L,
    0x93f5f5799a932462L, 0x9e0082df0ba9e4b0L, 0x7a5dbbc594ddb9f3L, 0xf4b32f46226bada7L,
    0x751e8fbc860ee5fbL, 0x14ea5627c0843d90L, 0xf723ca908e7af2eeL, 0xa129ca6149be45e5L,
    0x3f2acc7f57c29bdbL, 0x699ae9f52cbe4794L, 0x4bc1b3f0968dd39cL, 0xbb6dc91da77961bdL,
    0xbed65cf21aa2ee98L, 0xd0f2cbb02e3b67c7L, 0x93536795e3a33e88L, 0xa80c038ccd5ccec8L,
    0xb8ad50c6f649af94L, 0xbce192de8a85b8eaL, 0x17d835b85bbb15f3L, 0x2f2e6163076bcfadL,
    0xde4daaaca71dc9a5L, 0xa6a2506687956571L, 0xad87a3535c49ef28L, 0x32d892fad841c342L,
    0x7127512f72f27cceL, 0xa7f32346f95978e3L, 0x12e0b01abb051238L, 0x15e034d40fa197aeL,
    0x314dffbe0815a3b4L, 0x027990f029623981L, 0xcadcd4e59ef40c4dL, 0x9abfd8766a33735cL,
    0x0e3ea96b5304a7d0L, 0xad0c42d6fc585992L, 0x187306c89bc215a9L, 0xd4a60abcf3792b95L,
    0xf935451de4f21df2L, 0xa9538f0419755787L, 0xdb9acddff56ca510L, 0xd06c98cd5c0975ebL,
    0xe612a3cb9ecba951L, 0xc766e62cfcadaf96L, 0xee64435a9752fe72L, 0xa192d576b245165aL,
    0x0a8787bf8ecb74b2L, 0x81b3e73d20b49b6fL, 0x7fa8220ba3b2eceaL, 0x245731c13ca42499L,
    0xb78dbfaf3a8d83bdL, 0xea1ad565322a1a0bL, 0x60e61c23a3795013L, 0x6606d7e446282b93L,
    0x6ca4ecb15c5f91e1L, 0x9f626da15c9625f3L, 0xe51b38608ef25f57L, 0x958a324ceb064572L
  };

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void hashesAreThePublishedOnes() {
    HashFunction guava = Hashing.sipHash24(KEY_0, KEY_1);
    byte[] bytes = new byte[64];
    for (int length = 0; length < 64; length++) {
      bytes[length] = (byte) length;
      assertEquals(PUBLISHED[length], HASH.hash(bytes, 0, length), "of " + length + " bytes");
      assertEquals(PUBLISHED[length], guava.hashBytes(bytes, 0, length).asLong());
    }
  }

  @Test
  void aMillionHashesAreThoseOfAnotherImplementation() {
    SplittableRandom random = new SplittableRandom(24);
    for (int i = 0; i < 1_000; i++) {
      long key0 = random.nextLong();
      long key1 = random.nextLong();
      SecretHash ours = new SecretHash(key0, key1, "drawn");
      HashFunction guava = Hashing.sipHash24(key0, key1);
      for (int j = 0; j < 1_000; j++) {
        byte[] bytes =
            bytes(random, random.nextInt(random.nextInt(j % 100 == 0 ? 2_000 : 100) + 1));
        int from = random.nextInt(bytes.length + 1);
        int length = random.nextInt(bytes.length - from + 1);
        long hash = ours.hash(bytes, from, length);
        assertEquals(guava.hashBytes(bytes, from, length).asLong(), hash, "of " + length);
      }
    }
  }

  @Property
  void aStreamHasTheHashOfAllItsBytes(
      @ForAll @Size(max = 100) byte[] bytes,
      @ForAll @Size(max = 8) List<@IntRange(max = 100) Integer> cuts) {
    SecretHash.Stream stream = HASH.stream();
    int done = 0;
    for (int cut : cuts.stream().sorted().toList()) {
      int to = Math.min(cut, bytes.length);
      stream.put(bytes, done, to - done);
      assertEquals(HASH.hash(bytes, 0, to), stream.get(), "of the first " + to);
      done = to;
    }
    assertEquals(
        HASH.hash(bytes, 0, bytes.length), stream.put(bytes, done, bytes.length - done).get());
  }

  @Property
  void textHasTheHashOfItsUtf8Bytes(@ForAll String text) {
    assertText(text);
  }

  /** Of the borders of one, two, three and four bytes, and surrogates with and without partner. */
  @Property
  void textOfUnusualCharsHasTheHashOfItsUtf8Bytes(
      @ForAll @Size(max = 40) List<@IntRange(max = 11) Integer> choices) {
    String chars = "a?\u0000\u007f\u0080\u07ff\u0800\uffff\ud800\udbff\udc00\udfff";
    StringBuilder text = new StringBuilder();
    choices.forEach(choice -> text.append(chars.charAt(choice)));
    assertText(text.toString());
  }

  @Test
  void textHasTheHashOfItsUtf8BytesWhereverItHasACharOfSeveral() {
    for (String wide : List.of("\u00e9", "\u20ac", "\ud83d\ude00", "\ud83d", "\ude00")) {
      for (int length = 0; length < 40; length++) {
        for (int at = 0; at <= length; at++) {
          assertText("a".repeat(at) + wide + "b".repeat(length - at));
        }
      }
    }
  }

  private static void assertText(String text) {
    byte[] bytes = Utf8.encode(text);
    long hash = HASH.hash(bytes, 0, bytes.length);
    assertEquals(hash, HASH.hash(text));
    assertEquals(hash, HASH.hash(CharBuffer.wrap(text.toCharArray())));
    assertEquals(hash, HASH.hash(CharBuffer.wrap("<" + text + ">", 1, 1 + text.length())));
  }

  @Property
  void numbersHaveTheHashOfTheirBytes(@ForAll long first, @ForAll long second) {
    byte[] bytes =
        ByteBuffer.allocate(16)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(first)
            .putLong(second)
            .array();
    assertEquals(HASH.hash(bytes, 0, 8), HASH.hash(first));
    assertEquals(HASH.hash(bytes, 0, 16), HASH.hash(first, second));
  }

  @Property
  void buffersHaveTheHashOfTheirRemainingBytesAndStayWhereTheyAre(
      @ForAll @Size(max = 50) byte[] content, @ForAll boolean direct) {
    int size = content.length + 5;
    ByteBuffer whole = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    whole.put(new byte[3]).put(content).position(1);
    ByteBuffer buffer = whole.slice().position(2).limit(2 + content.length);
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      for (ByteBuffer each : List.of(buffer, buffer.asReadOnlyBuffer())) {
        each.order(order);
        assertEquals(HASH.hash(content, 0, content.length), HASH.hash(each));
        assertEquals(2, each.position());
        assertEquals(2 + content.length, each.limit());
        assertEquals(order, each.order());
      }
    }
  }

  @Test
  void bytesOutsideTheArrayAreRefused() {
    byte[] bytes = new byte[10];
    assertThrows(IndexOutOfBoundsException.class, () -> HASH.hash(bytes, -1, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> HASH.hash(bytes, 3, 8));
    assertThrows(IndexOutOfBoundsException.class, () -> HASH.stream().put(bytes, 11, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> HASH.stream().put(bytes, 0, -1));
  }

  private static byte[] hmac(String label, byte[] secret) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(label.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
    return mac.doFinal(secret);
  }

  /** Of all lengths below and above a block of SHA-256, by the HMAC of the JDK. */
  @Test
  void keyAndFingerprintAreHmacsOfTheSecret() throws Exception {
    SplittableRandom random = new SplittableRandom(25);
    for (int length = 16; length < 140; length++) {
      byte[] secret = bytes(random, length);
      ByteBuffer key =
          ByteBuffer.wrap(hmac("bloomery/siphash-2-4/key/v1", secret))
              .order(ByteOrder.LITTLE_ENDIAN);
      byte[] name = hmac("bloomery/siphash-2-4/fingerprint/v1", secret);
      SecretHash expected = new SecretHash(key.getLong(0), key.getLong(8), "");
      SecretHash hash = SecretHash.of(secret);
      assertEquals(HexFormat.of().formatHex(name, 0, 8), hash.fingerprint());
      assertEquals(expected.hash(4711), hash.hash(4711), "of " + length + " bytes");
      assertEquals(expected.hash("abc"), hash.hash("abc"));
    }
  }

  /** HMAC fills up its key with zeros, so that the secret must not be that. */
  @Test
  void zerosAtTheEndOfASecretMakeAnotherSecret() {
    for (int length = 16; length < 100; length++) {
      byte[] secret = bytes(new SplittableRandom(length), length);
      SecretHash hash = SecretHash.of(secret);
      for (int zeros = 1; zeros <= 64; zeros++) {
        SecretHash longer = SecretHash.of(Arrays.copyOf(secret, length + zeros));
        String which = length + " bytes and " + zeros + " zeros";
        assertNotEquals(hash.fingerprint(), longer.fingerprint(), which);
        assertNotEquals(hash.hash(4711), longer.hash(4711), which);
      }
    }
  }

  @Test
  void theSecretMayBeWipedAndIsNotChanged() {
    byte[] secret = bytes(new SplittableRandom(26), 32);
    byte[] before = secret.clone();
    SecretHash hash = SecretHash.of(secret);
    assertTrue(Arrays.equals(before, secret));
    long expected = hash.hash("abc");
    Arrays.fill(secret, (byte) 0);
    assertEquals(expected, hash.hash("abc"));
    assertEquals(expected, SecretHash.of(before).hash("abc"));
    assertNotEquals(expected, SecretHash.of(secret).hash("abc"));
    assertNotEquals(hash.fingerprint(), SecretHash.of(secret).fingerprint());
  }

  @Test
  void secretsThatAreTooShortOrTooLongAreRefusedByTheirLengthAlone() {
    for (int length : new int[] {0, 1, 15, 4_097, 1_000_000}) {
      byte[] secret =
          "hunter2".repeat(length).substring(0, length).getBytes(StandardCharsets.US_ASCII);
      String message =
          assertThrows(IllegalArgumentException.class, () -> SecretHash.of(secret)).getMessage();
      assertEquals(
          "secret must have from 16 to 4096 bytes, but has "
              + length
              + "; draw 32 with java.security.SecureRandom and keep them",
          message);
    }
    assertNotEquals(
        SecretHash.of(new byte[16]).fingerprint(), SecretHash.of(new byte[4_096]).fingerprint());
    assertThrows(NullPointerException.class, () -> SecretHash.of(null));
  }

  @Test
  void whatIsPrintedHasTheFingerprintAndNoKey() {
    SecretHash hash = SecretHash.of(new byte[16]);
    assertEquals("siphash-2-4/secret=" + hash.fingerprint(), hash.toString());
    assertTrue(hash.fingerprint().matches("[0-9a-f]{16}"));
  }
}
