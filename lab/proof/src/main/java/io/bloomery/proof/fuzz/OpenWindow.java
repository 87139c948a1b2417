package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.Bloomery;
import io.bloomery.file.DamagedRegion;
import io.bloomery.filter.FilterProviders;
import io.bloomery.window.GenerationStats;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingFilterFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/** Opens a saved window, saves it, and opens it again. */
public final class OpenWindow {

  private static final Clock LATER =
      Clock.fixed(Instant.parse("2026-01-01T02:00:00Z"), ZoneOffset.UTC);
  private static final Path FOLDER = Trial.folder();
  private static final int FILTERS = 3;
  private static final int WRITTEN_AT = 48;

  private OpenWindow() {}

  /** Reads an input as it is, and with correct checksums. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    byte[] sealed = Seal.window(input);
    read(input, Trial.areEqual(input, sealed));
    read(sealed, true);
  }

  private static void read(byte[] bytes, boolean isSealed) throws IOException {
    Path file = Files.write(FOLDER.resolve("window"), bytes);
    Clock clock = whenWritten(bytes);
    Optional<SlidingBloomFilter<String>> opened =
        Trial.read(FILTERS * Trial.known(bytes.length), () -> open(file, clock));
    Optional<List<DamagedRegion>> damage =
        Trial.refusable(() -> SlidingFilterFiles.verify(file, FilterProviders.installed()));
    Trial.requireEqual(bytes, Files.readAllBytes(file), "a reader must not change a file");
    if (opened.isEmpty()) {
      return;
    }
    require(isSealed, "what has another checksum must be refused");
    require(damage.filter(List::isEmpty).isPresent(), "verify must accept what can be opened");
    SlidingBloomFilter<String> window = opened.get();
    window.stats();
    byte[] saved = saved(window);
    if (window.filter().forgottenGenerations() == 0) {
      Trial.requireEqual(bytes, saved, "what is written must be what was read");
    }
    window.filter().generations().forEach(OpenWindow::isPossible);
    SlidingBloomFilter<String> again = open(FOLDER.resolve("saved"), clock);
    Trial.requireEqual(saved, saved(again), "what is read again must be written as it was");
    require(again.time().equals(window.time()) && again.spec().equals(window.spec()), "the same");
    boolean was = window.mightContain("key");
    require(window.put("key") != was || !was, "a put must not call new what is remembered");
    require(window.mightContain("key"), "what was put must be remembered");
    saved(window);
    require(
        open(FOLDER.resolve("saved"), clock).mightContain("key"), "what was saved is remembered");
    Files.write(file, bytes);
    SlidingBloomFilter<String> later = open(file, LATER);
    require(was || !later.mightContain("key"), "time must not make a window remember more");
    saved(later);
  }

  /** Requires what the counts of each generation must satisfy by {@code docs/FORMAT.md}. */
  static void isPossible(GenerationStats generation) {
    long bits = generation.filter().setBits();
    require(generation.newKeys() >= 0, "a number of new keys must not be negative");
    require(generation.newKeys() <= generation.keys(), "new keys are among all keys");
    require(generation.keys() <= bits, "each key that was counted has set a bit");
    require(generation.keys() > 0 || bits == 0, "no bit is set without a key");
  }

  /** Returns a clock by which an input was written now, so that no time passes till it is saved. */
  private static Clock whenWritten(byte[] bytes) {
    long written =
        bytes.length < WRITTEN_AT + Long.BYTES
            ? 0
            : ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(WRITTEN_AT);
    return Clock.fixed(Instant.ofEpochSecond(0, written), ZoneOffset.UTC);
  }

  private static SlidingBloomFilter<String> open(Path file, Clock clock) throws IOException {
    return SlidingBloomFilter.open(Bloomery.strings().maxBytes(1 << 20), file, () -> 0, clock);
  }

  private static byte[] saved(SlidingBloomFilter<String> window) throws IOException {
    Path file = FOLDER.resolve("saved");
    window.save(file);
    return Files.readAllBytes(file);
  }
}
