package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.internal.HashId;
import io.bloomery.internal.SecretHash;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SecretHasherTest {

  private static final byte[] SECRET = secret("sixteen is least");
  private static final byte[] OTHER = secret("and this another secret of 32 by");
  private static final SecretHash HASH = SecretHash.of(SECRET);
  private static final String NAME = "/secret=" + HASH.fingerprint();

  private record User(String email, long tenant) {}

  private static byte[] secret(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static String refused(KeyHasher<?> hasher) {
    return assertThrows(IllegalArgumentException.class, () -> hasher.secret(SECRET)).getMessage();
  }

  @Test
  void idsNameTheEncodingAndTheFingerprint() {
    assertEquals("siphash-2-4/utf8" + NAME, KeyHasher.strings().secret(SECRET).id());
    assertEquals("siphash-2-4/utf8" + NAME, KeyHasher.utf8Bytes().secret(SECRET).id());
    assertEquals("siphash-2-4/bytes" + NAME, KeyHasher.byteArrays().secret(SECRET).id());
    assertEquals("siphash-2-4/bytes" + NAME, KeyHasher.byteBuffers().secret(SECRET).id());
    assertEquals("siphash-2-4/i64" + NAME, KeyHasher.longs().secret(SECRET).id());
    assertEquals("siphash-2-4/i64" + NAME, KeyHasher.ints().secret(SECRET).id());
    assertEquals("siphash-2-4/uuid" + NAME, KeyHasher.uuids().secret(SECRET).id());
    assertEquals(
        "siphash-2-4/utf8" + NAME, KeyHasher.strings().compose(User::email).secret(SECRET).id());
    assertEquals(
        "siphash-2-4/(utf8,i64)" + NAME,
        KeyHasher.fields(
                KeyHasher.strings().compose(User::email), KeyHasher.longs().compose(User::tenant))
            .secret(SECRET)
            .id());
  }

  @Property
  void hashesAreSipHashOfTheBytesOfTheKey(
      @ForAll String text, @ForAll byte[] bytes, @ForAll long number, @ForAll long other) {
    byte[] utf8 = io.bloomery.internal.Utf8.encode(text);
    assertEquals(HASH.hash(utf8, 0, utf8.length), KeyHasher.strings().secret(SECRET).hash(text));
    assertEquals(HASH.hash(utf8, 0, utf8.length), KeyHasher.utf8Bytes().secret(SECRET).hash(utf8));
    assertEquals(
        HASH.hash(bytes, 0, bytes.length), KeyHasher.byteArrays().secret(SECRET).hash(bytes));
    assertEquals(
        HASH.hash(bytes, 0, bytes.length),
        KeyHasher.byteBuffers().secret(SECRET).hash(ByteBuffer.wrap(bytes)));
    LongKeyHasher longs = KeyHasher.longs().secret(SECRET);
    assertEquals(HASH.hash(number), longs.hash(number));
    assertEquals(HASH.hash(number), longs.hash((Long) number));
    assertEquals(
        HASH.hash((long) (int) number), KeyHasher.ints().secret(SECRET).hash((int) number));
    byte[] printed = ByteBuffer.allocate(16).putLong(number).putLong(other).array();
    assertEquals(
        HASH.hash(printed, 0, 16), KeyHasher.uuids().secret(SECRET).hash(new UUID(number, other)));
    assertEquals(
        HASH.hash(text),
        KeyHasher.strings().compose(User::email).secret(SECRET).hash(new User(text, number)));
  }

  @Property
  void partsOfArraysAndPiecesHashAsArraysOfTheirOwn(
      @ForAll byte[] bytes, @ForAll int one, @ForAll int other) {
    for (BytesKeyHasher hasher : List.of(KeyHasher.byteArrays(), KeyHasher.utf8Bytes())) {
      KeyHasherTest.assertSlicesAndPieces(hasher.secret(SECRET), bytes, one, other);
    }
  }

  @Test
  void anotherSecretGivesOtherHashesAndAnotherId() {
    KeyHasher<CharSequence> one = KeyHasher.strings().secret(SECRET);
    KeyHasher<CharSequence> other = KeyHasher.strings().secret(OTHER);
    assertNotEquals(one.hash("abc"), other.hash("abc"));
    assertNotEquals(one.hash("abc"), KeyHasher.strings().hash("abc"));
    assertNotEquals(one.id(), other.id());
  }

  @Test
  void aSeedOrASecondSecretIsRefused() {
    List<KeyHasher<?>> seeded =
        List.of(
            KeyHasher.strings().withSeed(7),
            KeyHasher.utf8Bytes().withSeed(7),
            KeyHasher.byteArrays().withSeed(7),
            KeyHasher.byteBuffers().withSeed(7),
            KeyHasher.longs().withSeed(7),
            KeyHasher.ints().withSeed(7),
            KeyHasher.uuids().withSeed(7),
            KeyHasher.fields(KeyHasher.strings()).withSeed(7),
            KeyHasher.strings().withSeed(7).compose(User::email));
    for (KeyHasher<?> hasher : seeded) {
      assertEquals(
          "a hasher with a secret must have no seed, but is "
              + hasher.id()
              + "; leave the seed out: secrets give different hashes as seeds do",
          refused(hasher));
    }
    assertEquals(
        "a hasher takes one secret, but siphash-2-4/i64"
            + NAME
            + " has one; give the other to a hasher that has none",
        refused(KeyHasher.longs().secret(SECRET)));
  }

  private static String refusedSeed(KeyHasher<?> hasher) {
    return assertThrows(IllegalArgumentException.class, () -> hasher.withSeed(7)).getMessage();
  }

  @Test
  void aHasherWithASecretOrASeedTakesNoSeed() {
    List<KeyHasher<?>> kinds =
        List.of(
            KeyHasher.strings(),
            KeyHasher.utf8Bytes(),
            KeyHasher.byteArrays(),
            KeyHasher.byteBuffers(),
            KeyHasher.longs(),
            KeyHasher.ints(),
            KeyHasher.uuids(),
            KeyHasher.fields(KeyHasher.strings()),
            KeyHasher.strings().compose(User::email));
    for (KeyHasher<?> hasher : kinds) {
      KeyHasher<?> secret = hasher.secret(SECRET);
      assertEquals(
          "a hasher with a seed must have no secret, but is "
              + secret.id()
              + "; leave the seed out: secrets give different hashes as seeds do",
          refusedSeed(secret));
      KeyHasher<?> seeded = hasher.withSeed(6);
      assertEquals(
          "a hasher takes one seed, but "
              + seeded.id()
              + " has one; give the other to a hasher that has none",
          refusedSeed(seeded));
    }
  }

  @Test
  void secretsOfTheWrongLengthAreRefused() {
    for (KeyHasher<?> hasher : List.of(KeyHasher.strings(), KeyHasher.longs(), KeyHasher.ints())) {
      assertTrue(
          assertThrows(IllegalArgumentException.class, () -> hasher.secret(new byte[15]))
              .getMessage()
              .startsWith("secret must have from 16 to 4096 bytes, but has 15; "));
      assertThrows(IllegalArgumentException.class, () -> hasher.secret(new byte[4_097]));
      assertThrows(NullPointerException.class, () -> hasher.secret(null));
    }
  }

  private record Foreign(String id) implements KeyHasher<String> {
    @Override
    public long hash(String key) {
      return key.hashCode();
    }
  }

  private record ForeignLongs(String id) implements LongKeyHasher {
    @Override
    public long hash(long key) {
      return key;
    }
  }

  @Test
  void hashersOfOthersSayWhichOnesTakeASecretOrASeed() {
    List<KeyHasher<?>> foreign =
        List.of(
            new Foreign("acme"),
            new ForeignLongs("acme"),
            new Foreign("acme").compose(User::email));
    for (KeyHasher<?> hasher : foreign) {
      assertTrue(
          refused(hasher)
              .matches(
                  "a hasher with a secret must be one of those that KeyHasher's own methods return,"
                      + " but is acme of class .*Foreign(Longs)?; take such as KeyHasher.byteArrays\\(\\),"
                      + " and compose\\(...\\) for what they do not take themselves"),
          refused(hasher));
      assertEquals(refused(hasher).replace("a secret", "a seed"), refusedSeed(hasher));
    }
  }

  private static byte[] file(KeyHasher<? super String> hasher) throws IOException {
    BloomFilter<String> filter =
        Bloomery.with(new PlainProvider())
            .<String>keys(hasher)
            .expect(100)
            .variant("plain")
            .create();
    filter.put("abc");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  /** Cut behind the header: whoever wants to read the content fails in another way. */
  private static String refusedToOpen(byte[] file, KeyHasher<? super String> hasher) {
    ByteArrayInputStream header = new ByteArrayInputStream(file, 0, 128);
    return assertThrows(
            UnexpectedFilterException.class,
            () -> Bloomery.with(new PlainProvider()).<String>keys(hasher).read(header))
        .getMessage();
  }

  @Test
  void aFilterOpensWithItsSecretAlone() throws IOException {
    byte[] file = file(KeyHasher.strings().secret(SECRET));
    BloomFilter<String> again =
        Bloomery.with(new PlainProvider())
            .<String>keys(KeyHasher.strings())
            .secret(SECRET)
            .read(new ByteArrayInputStream(file));
    assertTrue(again.mightContain("abc"));
    String ours = HASH.fingerprint();
    String other = SecretHash.of(OTHER).fingerprint();
    assertEquals(
        "secret must be the one the filter was built with, of fingerprint "
            + ours
            + ", but is one of fingerprint "
            + other
            + "; give the other one",
        refusedToOpen(file, KeyHasher.strings().secret(OTHER)));
    assertEquals(
        "the filter was built with a secret, of fingerprint "
            + ours
            + ", but is to be opened without one, by xxh3-64/utf8; give that secret, by"
            + " secret(...)",
        refusedToOpen(file, KeyHasher.strings()));
    assertEquals(
        "the filter was built without a secret, by xxh3-64/utf8, but is to be opened with one, of"
            + " fingerprint "
            + ours
            + "; leave the secret out",
        refusedToOpen(file(KeyHasher.strings()), KeyHasher.strings().secret(SECRET)));
    assertEquals(
        "keys must be those the filter was built for, strings() or utf8Bytes() with secret(...)"
            + " (siphash-2-4/utf8"
            + NAME
            + "), but are byteArrays() or byteBuffers() (xxh3-64/bytes); open it with strings() or"
            + " utf8Bytes() with secret(...)",
        refusedToOpen(file, KeyHasher.byteArrays().compose(SecretHasherTest::secret)));
  }

  @Test
  void longsSayTheSameThoughTheyAreNotHashedByXxh3() {
    assertEquals(
        "the filter was built without a secret, by splitmix64/i64, but is to be opened with one, of"
            + " fingerprint "
            + HASH.fingerprint()
            + "; leave the secret out",
        HashId.mismatch("splitmix64/i64", KeyHasher.longs().secret(SECRET).id()));
  }

  @Test
  void nothingThatIsPrintedHasTheSecret() throws IOException {
    KeyHasher<CharSequence> utf8 = KeyHasher.strings().secret(SECRET);
    KeyHasher<User> fields =
        KeyHasher.fields(
                KeyHasher.strings().compose(User::email), KeyHasher.longs().compose(User::tenant))
            .secret(SECRET);
    BloomFilter<String> filter =
        Bloomery.with(new PlainProvider()).<String>keys(utf8).expect(100).variant("plain").create();
    for (Object each :
        List.of(
            utf8,
            utf8.compose(User::email),
            KeyHasher.longs().secret(SECRET),
            KeyHasher.ints().secret(SECRET),
            fields,
            filter,
            filter.spec(),
            refused(utf8),
            refused(fields))) {
      String printed = each.toString();
      assertTrue(printed.contains("siphash-2-4") || printed.startsWith("plain"), printed);
      assertFalse(printed.contains(new String(SECRET, StandardCharsets.US_ASCII)), printed);
      assertFalse(printed.contains(HexFormat.of().formatHex(SECRET)), printed);
    }
  }
}
