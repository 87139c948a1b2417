package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.file.ShardedFilter;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.file.VerificationResult;
import io.bloomery.filter.FilterProviders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Opens, maps and verifies a folder of shards: a manifest, followed by the files it names. */
public final class OpenShards {

  private static final ShardedFilterFiles FILES =
      new ShardedFilterFiles(FilterProviders.installed());
  private static final Path FOLDER = Trial.folder();
  private static final int SHARDS_AT = 32;
  private static final int ENTRIES_AT = 40;
  private static final int ENTRY = 16;
  private static final int MOST = 4;
  private static final int ALIGNMENT = 64;

  private OpenShards() {}

  /** Reads an input as it is, and with correct checksums. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    read(input, false);
    read(input, true);
  }

  private static void read(byte[] input, boolean sealed) throws IOException {
    Trial.empty(FOLDER, false);
    ByteBuffer in = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
    long announced = input.length < ENTRIES_AT ? 0 : in.getLong(SHARDS_AT);
    int shards = announced >= 0 && announced <= MOST ? (int) announced : 0;
    int size = ENTRIES_AT + shards * ENTRY + Integer.BYTES;
    size = Math.min((size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, input.length);
    byte[] manifest = Arrays.copyOf(input, size);
    ByteBuffer out = ByteBuffer.wrap(manifest).order(ByteOrder.LITTLE_ENDIAN);
    in.position(size);
    for (int i = 0; i < shards && ENTRIES_AT + (i + 1) * ENTRY <= size; i++) {
      int entry = ENTRIES_AT + i * ENTRY;
      long length = Math.min(Math.max(0, out.getLong(entry)), in.remaining());
      byte[] shard = new byte[(int) length];
      in.get(shard);
      if (sealed) {
        shard = Seal.envelope(shard);
        int header = Seal.header(shard);
        if (header >= ALIGNMENT && header <= shard.length) {
          ByteBuffer sums = ByteBuffer.wrap(shard).order(ByteOrder.LITTLE_ENDIAN);
          out.putInt(entry + Long.BYTES, sums.getInt(header - Integer.BYTES));
          out.putInt(entry + Long.BYTES + Integer.BYTES, sums.getInt(shard.length - Integer.BYTES));
        }
      }
      if (length > 0) {
        Files.write(FOLDER.resolve(String.format("shard-%05d.bloom", i)), shard);
      }
    }
    Files.write(FOLDER.resolve("shards.manifest"), sealed ? Seal.block(manifest) : manifest);
    open((MOST + 1) * Trial.known(input.length));
  }

  private static void open(long maxAllocated) throws IOException {
    Optional<ShardedFilter> opened =
        Trial.read(maxAllocated, () -> present(() -> FILES.open(FOLDER, ReadFilter.OPTIONS)))
            .flatMap(filter -> filter);
    boolean sound =
        Trial.refusable(() -> FILES.verify(FOLDER))
            .filter(all -> all.values().stream().allMatch(VerificationResult::isSound))
            .isPresent();
    require(sound || opened.isEmpty(), "verify must find what is not opened");
    Optional<ShardedFilter> mapped =
        Trial.refusable(() -> present(() -> FILES.map(FOLDER, ReadFilter.OPTIONS)))
            .flatMap(filter -> filter);
    require(mapped.isPresent() || opened.isEmpty(), "what can be opened can be mapped");
    if (mapped.isPresent()) {
      try (ShardedFilter filter = mapped.get()) {
        ReadFilter.works(filter);
        require(
            opened.isEmpty() || opened.get().stats().equals(filter.stats()), "the same answers");
      }
    }
  }

  /** Returns what was opened, or nothing if a shard is missing, as is documented. */
  private static Optional<ShardedFilter> present(Trial.Reading<ShardedFilter> reading)
      throws IOException {
    try {
      return Optional.of(reading.read());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
