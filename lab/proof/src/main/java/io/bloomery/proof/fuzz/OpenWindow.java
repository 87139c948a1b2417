package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.Bloomery;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

/** Opens a saved window, saves it, and opens it again. */
public final class OpenWindow {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
  private static final Path FOLDER = Trial.folder();
  private static final int FILTERS = 3;

  private OpenWindow() {}

  /** Reads an input as it is, and with correct checksums. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    read(input);
    read(Seal.window(input));
  }

  private static void read(byte[] bytes) throws IOException {
    Path file = Files.write(FOLDER.resolve("window"), bytes);
    Optional<SlidingBloomFilter<String>> opened =
        Trial.read(FILTERS * Trial.known(bytes.length), () -> open(file));
    Trial.requireEqual(bytes, Files.readAllBytes(file), "a reader must not change a file");
    if (opened.isEmpty()) {
      return;
    }
    SlidingBloomFilter<String> window = opened.get();
    window.stats();
    byte[] saved = saved(window);
    SlidingBloomFilter<String> again = open(FOLDER.resolve("saved"));
    Trial.requireEqual(saved, saved(again), "what is read again must be written as it was");
    require(again.time().equals(window.time()) && again.spec().equals(window.spec()), "the same");
    boolean was = window.mightContain("key");
    require(window.put("key") != was || !was, "a put must not call new what is remembered");
    require(window.mightContain("key"), "what was put must be remembered");
    saved(window);
    require(open(FOLDER.resolve("saved")).mightContain("key"), "what was saved is remembered");
  }

  private static SlidingBloomFilter<String> open(Path file) throws IOException {
    return SlidingBloomFilter.open(Bloomery.strings().maxBytes(1 << 20), file, () -> 0, CLOCK);
  }

  private static byte[] saved(SlidingBloomFilter<String> window) throws IOException {
    Path file = FOLDER.resolve("saved");
    window.save(file);
    return Files.readAllBytes(file);
  }
}
