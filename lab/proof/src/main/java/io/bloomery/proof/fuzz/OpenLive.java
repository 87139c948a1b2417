package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveFilter;
import io.bloomery.file.VerificationResult;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Opens a live filter, puts into it, and seals it. */
public final class OpenLive {

  private static final FilterFiles FILES = FilterFiles.installed();
  private static final Path FILE = Trial.folder().resolve("live.bloom");
  private static final long HASH = 0x9e3779b97f4a7c15L;

  private OpenLive() {}

  /** Reads the file of a {@link Sparse} input as it is, and with correct checksums. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    byte[] file = Sparse.expand(input);
    read(file);
    read(Seal.live(file));
  }

  private static void read(byte[] bytes) throws IOException {
    Files.write(FILE, bytes);
    Optional<VerificationResult> verified = Trial.refusable(() -> FILES.verify(FILE));
    Optional<StoredFilter> before = view();
    Optional<LiveFilter> opened =
        Trial.refusable(() -> FILES.openLive(FILE, Duration.ZERO, ReadFilter.OPTIONS));
    boolean isPut = false;
    if (opened.isEmpty()) {
      Trial.requireEqual(bytes, Files.readAllBytes(FILE), "a refused file must not be changed");
      require(before.isEmpty() || Seal.isEnvelope(bytes), "a live filter that is read must open");
      return;
    }
    try (LiveFilter live = opened.get()) {
      live.stats();
      boolean was = live.mightContain(HASH);
      try {
        require(live.put(HASH) != was || !was, "a put must not call new what was there");
        require(live.mightContain(HASH), "what was put must be there");
        isPut = true;
      } catch (FilterUnavailableException e) {
        require(live.mightContain(HASH) == was, "a refused put changes nothing");
      }
    }
    Optional<StoredFilter> after = view();
    boolean wasOpen = verified.flatMap(VerificationResult::open).isPresent();
    require(after.isPresent() || before.isEmpty(), "what was whole must stay whole");
    require(after.isEmpty() || before.isPresent() || wasOpen, "damage must not be sealed");
    require(!isPut || after.isEmpty() || after.get().mightContain(HASH), "what was put is kept");
  }

  private static Optional<StoredFilter> view() throws IOException {
    return Trial.refusable(() -> FILES.openView(FILE, ReadFilter.OPTIONS));
  }
}
