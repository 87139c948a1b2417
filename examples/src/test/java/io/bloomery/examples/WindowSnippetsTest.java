package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowSnippetsTest {

  @Test
  void aKeyIsNewOnce() {
    assertTrue(WindowSnippets.lastKeys());
  }

  @Test
  void aDayIsRememberedAndSaved(@TempDir Path folder) throws IOException {
    SlidingBloomFilter<String> today = WindowSnippets.lastDay();
    assertFalse(today.stats().isOverfull());
    SlidingBloomFilter<String> again = WindowSnippets.files(today, folder.resolve("day.window"));
    assertEquals(Optional.of(Duration.ofHours(24)), again.time());
    assertTrue(again.mightContain("order-17"));
    assertFalse(again.mightContain("order-18"));
  }

  @Test
  void aLiveWindowIsInItsFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("live.window");
    WindowSnippets.live(file);
    assertTrue(SlidingBloomFilter.open(Bloomery.strings(), file).mightContain("order-17"));
  }
}
