package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Where keys of several fields are written. */
class KeyBytesTest {

  private static KeyBytes takeAndGiveBack() {
    KeyBytes bytes = KeyBytes.take();
    assertEquals(0, bytes.size());
    bytes.putLong(7);
    bytes.giveBack();
    return bytes;
  }

  /** Wherever the bytes that a thread keeps end. */
  @Test
  void partsOfEveryKindFindRoom() throws Exception {
    for (int length = 0; length < 300; length++) {
      int before = length;
      for (Consumer<KeyBytes> part :
          List.<Consumer<KeyBytes>>of(
              bytes -> bytes.putLong(-1),
              bytes -> bytes.put(new byte[] {-1, -1, -1}),
              bytes -> bytes.put(ByteBuffer.wrap(new byte[] {-1, -1})),
              bytes -> bytes.putUtf8("\u00ff\ud83d\ude00"),
              bytes -> bytes.end(bytes.begin()))) {
        // Of a new thread, whose bytes are few.
        CompletableFuture<Void> filled = new CompletableFuture<>();
        filled.completeAsync(
            () -> {
              KeyBytes bytes = KeyBytes.take();
              bytes.put(new byte[before]);
              part.accept(bytes);
              assertTrue(bytes.size() <= bytes.array().length && bytes.size() > before);
              bytes.giveBack();
              return null;
            },
            task -> new Thread(task).start());
        filled.get();
      }
    }
    assertEquals(Integer.MAX_VALUE - 8, KeyBytes.capacity(128, Integer.MAX_VALUE - 9, 1));
  }

  @Test
  void aThreadWritesItsKeysIntoTheSameBytes() {
    KeyBytes bytes = takeAndGiveBack();
    for (int i = 0; i < 3; i++) {
      assertSame(bytes, takeAndGiveBack());
    }
  }

  /** Or they would take turns, which with two threads takes longer than the hash. */
  @Test
  void threadsShareNone() {
    KeyBytes bytes = takeAndGiveBack();
    assertNotSame(bytes, CompletableFuture.supplyAsync(KeyBytesTest::takeAndGiveBack).join());
    assertSame(bytes, takeAndGiveBack());
  }

  @Test
  void aKeyWithinAKeyHasBytesOfItsOwn() {
    KeyBytes outer = KeyBytes.take();
    KeyBytes inner = KeyBytes.take();
    assertNotSame(outer, inner);
    inner.giveBack();
    assertNotSame(outer, KeyBytes.take());
    outer.giveBack();
    assertSame(outer, takeAndGiveBack());
  }

  @Test
  void bytesAreGivenBackWhenAFunctionFails() {
    KeyBytes bytes = takeAndGiveBack();
    KeyHasher<Object> failing =
        KeyHasher.fields(
            KeyHasher.strings()
                .compose(
                    key -> {
                      throw new IllegalStateException("no key");
                    }));
    assertThrows(IllegalStateException.class, () -> failing.hash(1));
    assertSame(bytes, takeAndGiveBack());
  }

  @Test
  void theRoomOfALongKeyIsNotKept() {
    KeyHasher<CharSequence> hasher = KeyHasher.fields(KeyHasher.strings());
    KeyBytes bytes = takeAndGiveBack();
    hasher.hash("x".repeat(5_000));
    assertTrue(bytes.array().length >= 5_000);
    hasher.hash("x".repeat(100_000));
    assertEquals(128, bytes.array().length);
  }

  @Test
  void aCollectionTakesWhatIsNotInUse() throws InterruptedException {
    WeakReference<KeyBytes> bytes = new WeakReference<>(takeAndGiveBack());
    for (int i = 0; i < 100 && bytes.get() != null; i++) {
      System.gc();
      Thread.sleep(10); // a collection need not clear weak references at once
    }
    assertNull(bytes.get());
    takeAndGiveBack();
  }
}
