package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterFullException;
import io.bloomery.hash.KeyHasher;
import io.bloomery.scalable.ScalableProvider;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class GenerationsTest {

  /** Runs something whenever a key is hashed. */
  private static final class HookedHasher implements KeyHasher<String> {

    private Consumer<String> hook = key -> {};

    @Override
    public String id() {
      return "hooked";
    }

    @Override
    public long hash(String key) {
      hook.accept(key);
      return KeyHasher.strings().hash(key);
    }
  }

  private final HookedHasher hasher = new HookedHasher();
  private final Generations<String> generations =
      new Generations<>(AnswerLimits.defaults(), new GuardLog("test"));
  private final Generation<String> full = generations.begin(new HeapFilter<>(full()));

  private BloomFilter<String> full() {
    BloomFilter<String> filter =
        Bloomery.<String>of(hasher)
            .expect(100)
            .variant(new ScalableProvider())
            .maxBytes(1_000)
            .create();
    try {
      for (int i = 0; ; i++) {
        filter.put("key-" + i);
      }
    } catch (FilterFullException e) {
      return filter;
    }
  }

  @Test
  void aGenerationThatLacksAKeyDoesNotBeginToServe() {
    assertTrue(generations.put("late").isEmpty());
    assertFalse(generations.serve(full));
    assertNull(generations.serving());
  }

  /** A filter that a later run serves from has each key whose write goes on. */
  @Test
  void aKeyThatIsPutWhileTheyAreClosedIsRefused() {
    hasher.hook = key -> generations.close();
    assertThrows(IllegalStateException.class, () -> generations.put("late"));
    assertThrows(IllegalStateException.class, () -> generations.put("later"));
  }

  @Test
  void aGenerationThatBeginsToServeWhileAKeyFindsNoRoomIsWithdrawn() {
    hasher.hook = key -> assertTrue(generations.serve(full));
    assertTrue(generations.put("late").isPresent());
    assertNull(generations.serving());
  }
}
