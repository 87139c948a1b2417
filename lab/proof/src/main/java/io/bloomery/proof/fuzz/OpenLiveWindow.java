package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.window.LiveSlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Opens a live window, puts into it, seals it, and opens it again. */
public final class OpenLiveWindow {

  private static final Path FILE = Trial.folder().resolve("live.window");

  private OpenLiveWindow() {}

  /** Reads the file of a {@link Sparse} input as it is, and with correct checksums. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    byte[] file = Sparse.expand(input);
    read(file);
    read(Seal.live(file));
  }

  private static void read(byte[] bytes) throws IOException {
    Files.write(FILE, bytes);
    Optional<LiveSlidingBloomFilter<String>> opened = Trial.refusable(OpenLiveWindow::open);
    if (opened.isEmpty()) {
      Trial.requireEqual(bytes, Files.readAllBytes(FILE), "a refused file must not be changed");
      return;
    }
    boolean remembers;
    try (LiveSlidingBloomFilter<String> window = opened.get()) {
      window.stats();
      remembers = isPut(window) && window.time().isEmpty();
      require(!remembers || window.mightContain("key"), "what was put must be remembered");
    }
    try (LiveSlidingBloomFilter<String> again = open()) {
      require(!remembers || again.mightContain("key"), "what was sealed must be remembered");
    }
  }

  private static boolean isPut(LiveSlidingBloomFilter<String> window) {
    try {
      window.put("key");
      return true;
    } catch (FilterUnavailableException e) {
      return false; // what is damaged is not changed
    }
  }

  private static LiveSlidingBloomFilter<String> open() throws IOException {
    return SlidingBloomFilter.openLive(Bloomery.strings().maxBytes(1 << 20), FILE);
  }
}
