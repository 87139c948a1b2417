package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a hash costs in memory: nothing, with a secret. */
class HashAllocationTest {

  private static final byte[] SECRET = new byte[32];
  private static final int KEYS = 2_000;
  private static final int ATTEMPTS = 20;

  // Every OpenJDK has this extension of the standard bean.
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private record User(String email, UUID id, Long tenant) {
    long number() {
      return tenant;
    }
  }

  private interface Hashing {
    long hashAll();
  }

  /** What links and compiles the code allocates, now and then; a hash that does, does each time. */
  private static long allocatedBy(Hashing hashing) {
    long thread = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    long sum = 0;
    for (int i = 0; i < ATTEMPTS && least > 0; i++) {
      long before = THREADS.getThreadAllocatedBytes(thread);
      sum += hashing.hashAll();
      least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
    }
    assertTrue(sum != 0);
    return least;
  }

  private static <K> long allocatedBy(KeyHasher<? super K> hasher, IntFunction<K> key) {
    List<K> keys = IntStream.range(0, KEYS).mapToObj(key).toList();
    return allocatedBy(
        () -> {
          long sum = 0;
          for (int i = 0; i < KEYS; i++) {
            sum += hasher.hash(keys.get(i));
          }
          return sum;
        });
  }

  private static <K> void assertNothing(KeyHasher<? super K> hasher, IntFunction<K> key) {
    assertEquals(0, allocatedBy(hasher.secret(SECRET), key), hasher.id());
  }

  private static List<String> texts(int i) {
    return List.of(
        "",
        "user-" + i,
        "gr\u00f6\u00dfe \u20ac " + i,
        "\ud83d\ude00" + i,
        "\ud83d ?\ude00" + i,
        "https://example.org/a/long/enough/path/".repeat(5) + i);
  }

  private static User user(int i) {
    return new User("user-" + i + "@example.org", new UUID(i, ~i), (long) i << 40);
  }

  @Test
  void whatIsAllocatedIsSeen() {
    assertTrue(allocatedBy(KeyHasher.strings(), i -> "text") >= 16 * KEYS);
  }

  @Test
  void aSecretCostsNoMemoryForTexts() {
    for (int kind = 0; kind < texts(0).size(); kind++) {
      int each = kind;
      assertNothing(KeyHasher.strings(), i -> texts(i).get(each));
      assertNothing(KeyHasher.strings(), i -> CharBuffer.wrap(texts(i).get(each).toCharArray()));
      assertNothing(KeyHasher.strings().compose(User::email), HashAllocationTest::user);
    }
  }

  @Test
  void aSecretCostsNoMemoryForBytes() {
    IntFunction<byte[]> bytes = i -> ("user-" + i).getBytes(StandardCharsets.US_ASCII);
    assertNothing(KeyHasher.byteArrays(), bytes);
    assertNothing(KeyHasher.utf8Bytes(), bytes);
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      assertNothing(KeyHasher.byteBuffers(), i -> ByteBuffer.wrap(bytes.apply(i)).order(order));
      assertNothing(
          KeyHasher.byteBuffers(),
          i -> ByteBuffer.wrap(bytes.apply(i)).asReadOnlyBuffer().order(order));
      assertNothing(
          KeyHasher.byteBuffers(),
          i -> ByteBuffer.allocateDirect(30).put(bytes.apply(i)).flip().order(order));
    }
  }

  @Test
  void bytesCostNoMemoryWhereverTheyLie() {
    byte[] buffer = new byte[KEYS];
    for (BytesKeyHasher hasher :
        List.of(
            KeyHasher.byteArrays(),
            KeyHasher.byteArrays().withSeed(7),
            KeyHasher.byteArrays().secret(SECRET))) {
      assertEquals(
          0,
          allocatedBy(
              () -> {
                long sum = 0;
                for (int from = 0; from < KEYS; from++) {
                  sum += hasher.hash(buffer, from, Math.min(KEYS, from + from % 300));
                }
                return sum;
              }),
          hasher.id());
    }
  }

  @Test
  void aSecretCostsNoMemoryForNumbers() {
    LongKeyHasher longs = KeyHasher.longs().secret(SECRET);
    assertEquals(
        0,
        allocatedBy(
            () -> {
              long sum = 0;
              for (long key = 0; key < KEYS; key++) {
                sum += longs.hash(key << 40);
              }
              return sum;
            }));
    assertNothing(KeyHasher.longs(), i -> (long) i << 40);
    assertNothing(KeyHasher.ints(), i -> i << 16);
    assertNothing(KeyHasher.uuids(), i -> new UUID(i, ~i));
  }

  @Test
  void severalFieldsCostNoMemory() {
    KeyHasher<User> users =
        KeyHasher.fields(
            KeyHasher.strings().compose(User::email),
            KeyHasher.uuids().compose(User::id),
            KeyHasher.longs().compose(User::tenant));
    KeyHasher<User> nested = KeyHasher.fields(users, KeyHasher.strings().compose(User::email));
    KeyHasher<User> plain =
        KeyHasher.fields(
            KeyHasher.strings().compose(User::email), KeyHasher.longs().composeLong(User::number));
    for (KeyHasher<User> hasher : List.of(users, nested, plain)) {
      assertNothing(hasher, HashAllocationTest::user);
      assertEquals(0, allocatedBy(hasher, HashAllocationTest::user), "without a secret");
    }
  }

  @Test
  void aPlainLongThatAKeyHoldsIsNotBoxed() {
    KeyHasher<User> plain = KeyHasher.longs().composeLong(User::number);
    assertNothing(plain, HashAllocationTest::user);
    assertEquals(0, allocatedBy(plain, HashAllocationTest::user), "without a secret");
    assertEquals(0, allocatedBy(plain.withSeed(7), HashAllocationTest::user), "with a seed");
  }
}
