package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.MappedBloomFilter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadOnlyGuardTest {

  @AutoClose private final OpenGuards guards = new OpenGuards();

  private static void save(Path file, MemorySource table) throws Exception {
    BloomFilter<String> filter = Bloomery.strings().expect(1_000).fpp(0.01).create();
    filter.putAll(table.rows.keySet());
    filter.save(file);
  }

  @Test
  void aMappedFileGuardsUntilItIsReplaced(@TempDir Path folder) throws Exception {
    MemorySource table = MemorySource.of("user-", 1_000);
    Path file = folder.resolve("users.bloom");
    save(file, table);
    MappedBloomFilter<String> old = Bloomery.strings().map(file);
    ReadOnlyGuard<String, String> guard = guards.open(ReadOnlyGuard.of(old, table));
    assertEquals(GuardState.READY, guard.state());
    assertTrue(guard.get("user-7").isPresent());
    assertEquals(Map.of("user-1", "value of user-1"), guard.getAll(List.of("user-1", "nobody")));
    for (int i = 0; i < 10_000; i++) {
      guard.get("nobody-" + i);
    }
    GuardStats stats = guard.stats();
    assertEquals(0.01, stats.measuredRate().orElseThrow().rate(), 0.005);
    assertEquals(1_000, stats.filter().orElseThrow().expectedKeys());
    String confirmed = confirmed(guard);
    table.insert(confirmed);
    table.insert("late");
    save(file, table);
    try (MappedBloomFilter<String> next = Bloomery.strings().map(file)) {
      guard.replace(next);
      old.close();
      assertTrue(guard.get("late").isPresent());
      assertTrue(guard.get(confirmed).isPresent());
      assertEquals(2, guard.stats().generation());
    }
    // What cannot answer lets every key through.
    assertTrue(guard.mightContain("nobody"));
    assertEquals(Optional.empty(), guard.get("somebody"));
    assertEquals(Map.of(), guard.getAll(List.of("somebody else")));
    assertTrue(guard.stats().withoutFilter() >= 3);
  }

  private static String confirmed(ReadOnlyGuard<String, String> guard) {
    for (int i = 0; ; i++) {
      String key = "unknown-" + i;
      if (guard.mightContain(key)) {
        guard.get(key);
        assertFalse(guard.mightContain(key));
        return key;
      }
    }
  }

  @Test
  void aRemoteFilterThatCannotAnswerIsNeverTakenForAnAnswer() throws Exception {
    RemoteFilter remote = new RemoteFilter();
    remote.there.put("ada");
    MemorySource table = MemorySource.of("ada");
    ReadOnlyGuard<String, String> guard = guards.open(ReadOnlyGuard.of(remote, table));
    assertFalse(guard.mightContain("nobody"));
    remote.down = true;
    assertTrue(guard.mightContain("nobody"));
    assertEquals(Optional.empty(), guard.get("nobody"));
    assertEquals(Map.of("ada", "value of ada"), guard.getAll(List.of("ada", "eve")));
    assertEquals(Optional.empty(), guard.stats().filter());
    assertEquals(Optional.empty(), guard.stats().measuredRate());
    remote.down = false;
    Guards.await("its statistics return", () -> guard.stats().filter().isPresent());
    assertTrue(guard.get("ada").isPresent());
    table.rows.put("ada", "another");
    guard.forget("ada");
    assertEquals(Optional.of("another"), guard.get("ada"));
  }

  @Test
  void aClosedGuardRefusesEveryQuestion() {
    ReadOnlyGuard<String, String> guard =
        ReadOnlyGuard.of(Bloomery.strings().expect(10).create(), new MemorySource());
    guard.close();
    guard.close();
    assertEquals(GuardState.CLOSED, guard.state());
    assertThrows(IllegalStateException.class, () -> guard.get("ada"));
    assertThrows(IllegalStateException.class, () -> guard.getAll(List.of("ada")));
    assertThrows(
        IllegalStateException.class, () -> guard.replace(Bloomery.strings().expect(10).create()));
    assertThrows(NullPointerException.class, () -> guard.forget(null));
  }
}
