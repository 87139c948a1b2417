package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Opens, maps and verifies a file, which do not contradict each other. */
public final class MapFilter {

  private static final FilterFiles FILES = FilterFiles.installed();
  private static final Path FILE = Trial.folder().resolve("filter.bloom");

  private MapFilter() {}

  /** Reads an input as it is, and with correct checksums. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    read(input);
    read(Seal.envelope(input));
  }

  private static void read(byte[] bytes) throws IOException {
    Files.write(FILE, bytes);
    Optional<StoredFilter> opened =
        Trial.read(Trial.known(bytes.length), () -> FILES.openView(FILE, ReadFilter.OPTIONS));
    require(
        Trial.refusable(() -> FILES.verify(FILE)).filter(result -> result.isSound()).isPresent()
            == opened.isPresent(),
        "verify must accept what can be opened, and nothing else");
    Optional<MappedFilter> mapped = Trial.refusable(() -> FILES.map(FILE, ReadFilter.OPTIONS));
    require(mapped.isPresent() || opened.isEmpty(), "what can be opened can be mapped");
    if (mapped.isPresent()) {
      try (MappedFilter filter = mapped.get()) {
        ReadFilter.works(filter);
        if (opened.isPresent()) {
          require(
              filter.stats().equals(opened.get().stats()), "a mapped filter has the same answers");
        }
      }
    }
    Trial.requireEqual(bytes, Files.readAllBytes(FILE), "a reader must not change a file");
  }
}
