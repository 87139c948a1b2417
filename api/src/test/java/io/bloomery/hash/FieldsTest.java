package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.internal.SecretHash;
import io.bloomery.internal.Utf8;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** Keys of several fields. */
class FieldsTest {

  private static final byte[] SECRET = new byte[32];
  private static final KeyHasher<byte[]> BYTES = KeyHasher.byteArrays();

  private record User(String email, Long tenant, UUID id) {
    User(String email, long tenant) {
      this(email, tenant, new UUID(1, 2));
    }
  }

  private record Order(User user, int number, ByteBuffer note) {}

  private static KeyHasher<User> users() {
    return KeyHasher.fields(
        KeyHasher.strings().compose(User::email), KeyHasher.longs().compose(User::tenant));
  }

  private static KeyHasher<List<String>> strings(int count) {
    List<KeyHasher<List<String>>> hashers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int index = i;
      hashers.add(KeyHasher.strings().compose(list -> list.get(index)));
    }
    return fields(hashers);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type arguments
  private static <T> KeyHasher<T> fields(List<KeyHasher<T>> hashers) {
    return KeyHasher.fields(hashers.toArray(new KeyHasher[0]));
  }

  /** Writes bytes as the page on the format has them. */
  private static byte[] framed(byte[]... fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] field : fields) {
      out.writeBytes(littleEndian(4).putInt(field.length).array());
      out.writeBytes(field);
    }
    return out.toByteArray();
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Property
  void aKeyHashesAsItsFramedBytes(
      @ForAll String text, @ForAll long number, @ForAll int small, @ForAll byte[] bytes) {
    record Key(String text, long number) {
      UUID id() {
        return new UUID(number, ~number);
      }
    }
    Key key = new Key(text, number);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 3);
    direct.put(new byte[3]).put(bytes).flip().position(3);
    KeyHasher<Key> hasher =
        KeyHasher.fields(
            KeyHasher.strings().compose(Key::text),
            KeyHasher.longs().compose(Key::number),
            KeyHasher.byteArrays().compose(each -> bytes),
            KeyHasher.ints().compose(each -> small),
            KeyHasher.uuids().compose(Key::id),
            KeyHasher.utf8Bytes().compose(each -> bytes),
            KeyHasher.byteBuffers().compose(each -> direct));
    assertEquals("xxh3-64/(utf8,i64,bytes,i64,uuid,utf8,bytes)", hasher.id());
    byte[] framed =
        framed(
            Utf8.encode(text),
            littleEndian(8).putLong(number).array(),
            bytes,
            littleEndian(8).putLong(small).array(),
            ByteBuffer.allocate(16).putLong(number).putLong(~number).array(),
            bytes,
            bytes);
    assertEquals(BYTES.hash(framed), hasher.hash(key));
    assertEquals(3, direct.position());
    SecretHash secret = SecretHash.of(SECRET);
    assertEquals(secret.hash(framed, 0, framed.length), hasher.secret(SECRET).hash(key));
    assertEquals(
        KeyHasher.byteArrays().withSeed(number).hash(framed(Utf8.encode(text))),
        KeyHasher.fields(KeyHasher.strings()).withSeed(number).hash(text));
  }

  /** Of long texts and after short ones: the room for a key grows, and may have more than it. */
  @Test
  void keysOfAnyLengthHashAsTheirFramedBytes() {
    KeyHasher<CharSequence> hasher = KeyHasher.fields(KeyHasher.strings());
    for (int length : new int[] {0, 1, 100, 3, 120, 124, 125, 5_000, 7, 100_000, 9, 10}) {
      for (String letter : List.of("a", "\u20ac", "\ud83d\ude00")) {
        String text = letter.repeat(length);
        assertEquals(BYTES.hash(framed(Utf8.encode(text))), hasher.hash(text), "of " + length);
      }
    }
  }

  @Test
  void roomForAKeyEndsWithTheLongestArray() {
    assertEquals(256, KeyBytes.capacity(128, 120, 10));
    assertEquals(1_000_000, KeyBytes.capacity(128, 100, 999_900));
    assertEquals(Integer.MAX_VALUE - 8, KeyBytes.capacity(1 << 30, 1 << 30, 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> KeyBytes.capacity(Integer.MAX_VALUE - 8, Integer.MAX_VALUE - 10, 4));
  }

  @Property
  void differentFieldsAreDifferentKeys(
      @ForAll @Size(min = 1, max = 4) List<@StringLength(max = 3) String> one,
      @ForAll @Size(min = 1, max = 4) List<@StringLength(max = 3) String> other) {
    assertEquals(
        one.equals(other),
        strings(one.size()).hash(one) == strings(other.size()).hash(other),
        one + " and " + other);
  }

  @Property
  void whereOneFieldEndsAndTheNextBeginsCounts(
      @ForAll @StringLength(min = 1, max = 9) String text) {
    KeyHasher<List<String>> hasher = strings(2);
    long hash = hasher.hash(List.of("", text));
    for (int i = 1; i <= text.length(); i++) {
      assertNotEquals(hash, hasher.hash(List.of(text.substring(0, i), text.substring(i))));
    }
  }

  @Test
  void idsNameTheFields() {
    KeyHasher<User> seeded = users().withSeed(-7);
    String fingerprint = SecretHash.of(SECRET).fingerprint();
    assertEquals("xxh3-64/(utf8,i64)", users().id());
    assertEquals("xxh3-64/(utf8,i64)", users().toString());
    assertEquals("xxh3-64/(utf8,i64)/seed=-7", seeded.id());
    assertEquals("siphash-2-4/(utf8,i64)/secret=" + fingerprint, users().secret(SECRET).id());
    assertEquals("xxh3-64/(uuid)", KeyHasher.fields(KeyHasher.uuids()).id());
  }

  /** Also within objects that are fields themselves, and of ints. */
  @Property
  void aPlainLongHashesAsABoxedOne(@ForAll String text, @ForAll int number) {
    record Item(String name, int number) {}
    record Box(Item item) {}
    Box box = new Box(new Item(text, number));
    KeyHasher<CharSequence> names = KeyHasher.strings();
    KeyHasher<Item> boxed =
        KeyHasher.fields(names.compose(Item::name), KeyHasher.ints().compose(Item::number));
    KeyHasher<Item> plain =
        KeyHasher.fields(names.compose(Item::name), KeyHasher.longs().composeLong(Item::number));
    assertSame(boxed.compose(Box::item), plain.compose(Box::item), box);
    assertSame(
        KeyHasher.fields(boxed.compose(Box::item)),
        KeyHasher.fields(plain.compose(Box::item)),
        box);
    assertSame(
        KeyHasher.longs().compose((Item item) -> (long) item.number()),
        KeyHasher.longs().composeLong(Item::number),
        box.item());
  }

  private static <K> void assertSame(KeyHasher<K> one, KeyHasher<K> other, K key) {
    assertEquals(one.id(), other.id());
    assertEquals(one.toString(), other.toString());
    assertEquals(one.hash(key), other.hash(key));
    assertEquals(one.withSeed(7).hash(key), other.withSeed(7).hash(key));
    assertEquals(one.secret(SECRET).hash(key), other.secret(SECRET).hash(key));
  }

  @Test
  void fieldsOfFieldsAreFramedTwice() {
    KeyHasher<Order> orders =
        KeyHasher.fields(
            users().compose(Order::user),
            KeyHasher.ints().compose(Order::number),
            KeyHasher.fields(KeyHasher.byteBuffers().compose(Order::note)));
    assertEquals("xxh3-64/((utf8,i64),i64,(bytes))", orders.id());
    byte[] framed =
        framed(
            framed(new byte[] {'a'}, littleEndian(8).putLong(5).array()),
            littleEndian(8).putLong(6).array(),
            framed(new byte[] {9}));
    Order order = new Order(new User("a", 5), 6, ByteBuffer.wrap(new byte[] {9}));
    assertEquals(BYTES.hash(framed), orders.hash(order));
    assertEquals(
        SecretHash.of(SECRET).hash(framed, 0, framed.length), orders.secret(SECRET).hash(order));
  }

  @Test
  void aFilterOfSeveralFieldsIsWrittenWithoutTypesNamed() {
    Bloomery bloomery = Bloomery.with(new PlainProvider());
    BloomFilter<User> filter =
        bloomery
            .keys(
                KeyHasher.fields(
                    KeyHasher.strings().compose(User::email),
                    KeyHasher.longs().compose(User::tenant)))
            .expect(100)
            .variant("plain")
            .create();
    filter.put(new User("ada@example.org", 1));
    assertTrue(filter.mightContain(new User("ada@example.org", 1)));
    assertFalse(filter.mightContain(new User("ada@example.org", 2)));
  }

  private static String refused(KeyHasher<String> field) {
    return assertThrows(
            IllegalArgumentException.class, () -> KeyHasher.fields(KeyHasher.strings(), field))
        .getMessage();
  }

  @Test
  void fieldsWithoutBytesOrWithAKeyOfTheirOwnAreRefused() {
    KeyHasher<String> foreign =
        new KeyHasher<>() {
          @Override
          public String id() {
            return "acme";
          }

          @Override
          public long hash(String key) {
            return key.hashCode();
          }
        };
    for (KeyHasher<String> each : List.of(foreign, foreign.compose(Function.<String>identity()))) {
      assertTrue(
          refused(each)
              .matches(
                  "field 2 must have bytes, as keys of KeyHasher's own hashers have, but is acme of"
                      + " class .*FieldsTest\\$1, which gives hashes alone; take strings\\(\\),"
                      + " byteArrays\\(\\) or longs\\(\\), with compose\\(...\\) for what holds such a key"),
          refused(each));
    }
    String next = "; give it to the hasher of all fields, by its withSeed(...) or its secret(...)";
    assertEquals(
        "field 2 must have no seed or secret of its own, but is xxh3-64/i64/seed=7" + next,
        refused(KeyHasher.longs().withSeed(7).composeLong(String::length)));
    assertEquals(
        "field 2 must have no seed or secret of its own, but is xxh3-64/i64/seed=7" + next,
        refused(KeyHasher.longs().withSeed(7).compose(Long::valueOf)));
    KeyHasher<String> keyed =
        KeyHasher.strings().secret(SECRET).compose(Function.<String>identity());
    assertEquals(
        "field 2 must have no seed or secret of its own, but is " + keyed.id() + next,
        refused(keyed));
    String message =
        assertThrows(
                NullPointerException.class,
                () -> KeyHasher.fields(KeyHasher.strings(), (KeyHasher<String>) null))
            .getMessage();
    assertEquals("field 2 must be a hasher, but is null", message);
  }

  @Test
  void fieldsAreFromOneToSixteen() {
    List<String> texts = Collections.nCopies(16, "x");
    assertEquals(strings(16).hash(texts), strings(16).hash(texts));
    for (int count : new int[] {0, 17}) {
      assertEquals(
          "fields must be from 1 to 16, but are "
              + count
              + "; for more, let one of them be fields(...) itself",
          assertThrows(IllegalArgumentException.class, () -> strings(count)).getMessage());
    }
  }

  @Test
  void idsThatFilesCannotHoldAreRefused() {
    KeyHasher<CharSequence> hasher = KeyHasher.strings();
    String message = "";
    int depth = 0;
    while (message.isEmpty()) {
      KeyHasher<CharSequence> inner = hasher;
      try {
        hasher = KeyHasher.fields(inner);
        depth++;
      } catch (IllegalArgumentException e) {
        message = e.getMessage();
      }
    }
    assertEquals(121, depth); // 8 characters, 4 and two for each
    assertTrue(
        message.startsWith("hash id must have at most 255 characters, but xxh3-64/((("), message);
    assertTrue(message.endsWith(" has 256; take fewer fields, or nest them less"), message);
    KeyHasher<CharSequence> longest = hasher;
    assertThrows(IllegalArgumentException.class, () -> longest.secret(SECRET));
    assertEquals(longest.hash("abc"), longest.hash("abc"));
  }

  private static String missing(KeyHasher<? super Order> hasher, Order order) {
    String message =
        assertThrows(NullPointerException.class, () -> hasher.hash(order)).getMessage();
    assertFalse(message.contains("ada@example.org"), message);
    return message;
  }

  @Test
  void aMissingFieldIsNamed() {
    KeyHasher<Order> orders =
        KeyHasher.fields(
            KeyHasher.ints().compose(Order::number),
            users().compose(Order::user),
            KeyHasher.byteBuffers().compose(Order::note));
    String begin =
        "the function given to compose(...) must return a key, but returned null for a holder of class "
            + FieldsTest.class.getName();
    String end = "; leave such holders out, or return what stands for none, such as an empty key";
    User user = new User("ada@example.org", null, null);
    assertEquals(
        begin + "$Order, in field 3, bytes, of hasher xxh3-64/(i64,(utf8,i64),bytes)" + end,
        missing(orders, new Order(new User("ada@example.org", 1), 1, null)));
    assertEquals(
        begin
            + "$User, in field 2, i64, of field 2, (utf8,i64), of hasher"
            + " xxh3-64/(i64,(utf8,i64),bytes)"
            + end,
        missing(orders, new Order(user, 1, ByteBuffer.allocate(0))));
    assertEquals(
        begin + "$Order, in field 2, (utf8,i64), of hasher xxh3-64/(i64,(utf8,i64),bytes)" + end,
        missing(orders, new Order(null, 1, ByteBuffer.allocate(0))));
    assertEquals(
        begin + "$User, in hasher splitmix64/i64" + end,
        missing(
            KeyHasher.longs().compose(User::tenant).compose(Order::user),
            new Order(user, 1, null)));
    assertEquals(
        begin + "$Order, in hasher splitmix64/i64" + end,
        missing(
            KeyHasher.longs().compose(User::tenant).compose(Order::user),
            new Order(null, 1, null)));
    assertThrows(NullPointerException.class, () -> orders.hash(null));
  }

  /** What a function throws by itself, for whatever reason, is not ours to explain. */
  @Test
  void whatAFunctionThrowsComesOut() {
    KeyHasher<User> byEmail = KeyHasher.strings().compose(User::email);
    KeyHasher<User> hasher = KeyHasher.fields(KeyHasher.longs().compose(byEmail::hash));
    String message =
        assertThrows(NullPointerException.class, () -> hasher.hash(new User(null, 1))).getMessage();
    assertTrue(message.contains("$User, in hasher xxh3-64/utf8; "), message);
  }

  @Test
  void aHasherGoesOnAfterAFieldWasMissing() {
    KeyHasher<User> hasher = users();
    long hash = hasher.hash(new User("a", 1));
    assertThrows(NullPointerException.class, () -> hasher.hash(new User("b", null, null)));
    assertEquals(hash, hasher.hash(new User("a", 1)));
  }

  /** Its function may ask the hasher itself, on the same thread. */
  @Test
  void aFunctionMayUseItsOwnHasher() {
    User inner = new User("inner", null, null);
    AtomicReference<KeyHasher<User>> self = new AtomicReference<>();
    self.set(
        KeyHasher.fields(
            KeyHasher.strings().compose(User::email),
            KeyHasher.longs()
                .compose(user -> user.tenant() == null ? (Long) 3L : self.get().hash(inner))));
    assertEquals(
        users().hash(new User("outer", users().hash(new User("inner", 3)))),
        self.get().hash(new User("outer", 1)));
  }

  @Test
  void threadsDoNotMixTheirKeys() throws Exception {
    KeyHasher<User> shared = users().secret(SECRET);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        String name = "user " + thread + " ".repeat(thread * 30);
        tasks.add(
            () -> {
              KeyHasher<User> own = users().secret(SECRET);
              int different = 0;
              for (int i = 0; i < 100_000; i++) {
                User user = new User(name, i);
                different += own.hash(user) == shared.hash(user) ? 0 : 1;
              }
              return different;
            });
      }
      for (Future<Integer> each : threads.invokeAll(tasks)) {
        assertEquals(0, each.get());
      }
    } finally {
      threads.shutdown();
    }
  }
}
