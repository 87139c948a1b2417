package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.guard.GuardState;
import io.bloomery.guard.GuardStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardSnippetsTest {

  @Test
  void aGuardFindsWhatTheTableHasAndReportsWhatIsWritten() {
    GuardSnippets.Table table = new GuardSnippets.Table();
    table.insert("ada");
    assertEquals("ada", GuardSnippets.guard(table).orElseThrow().name());
    assertEquals(List.of("bob"), table.ids().toList());
  }

  @Test
  void recipesDoWhatTheySay() throws Exception {
    GuardStats stats = GuardSnippets.recipes(Map.of(7L, "seven"), 7);
    assertEquals(GuardState.READY, stats.state());
    assertEquals(2, stats.rebuilds());
    assertEquals(2, stats.lookups());
    GuardSnippets.Table table = new GuardSnippets.Table();
    table.insert("ada");
    assertFalse(GuardSnippets.removing(table));
    table.insert("ada");
    assertEquals("ada", GuardSnippets.limits(table, "ada").orElseThrow().name());
  }

  @Test
  void theNextRunHasTheFilterOfTheLast(@TempDir Path folder) {
    GuardSnippets.Table table = new GuardSnippets.Table();
    table.insert("ada");
    for (int run = 0; run < 2; run++) {
      assertEquals("ada", GuardSnippets.kept(folder, table).orElseThrow().name());
    }
  }

  @Test
  void aFileThatIsReplacedIsTakenUp(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("users.bloom");
    BloomFilter<String> filter = Bloomery.strings().expect(100).create();
    filter.put("ada");
    filter.save(file);
    GuardSnippets.Table table = new GuardSnippets.Table();
    assertTrue(
        GuardSnippets.files(
            file,
            table,
            () -> {
              table.insert("late");
              filter.put("late");
              try {
                filter.save(file);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }));
  }
}
