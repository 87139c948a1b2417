package io.bloomery.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.Allocation;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import io.bloomery.standard.StandardProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A header that announces megabytes, and nothing behind it: few bytes must not cost many. */
class AnnouncedSizeTest {

  private static final int BYTES_THERE = 1_000;

  private static byte[] cutOff() {
    Filter filter =
        new StandardProvider()
            .create(FilterSpec.of(10_000_000, 0.01, KeyHasher.strings().id()), ThreadMode.SHARED);
    return Arrays.copyOf(Subject.write(filter), BYTES_THERE);
  }

  private static long allocatedBy(Reading reading) {
    // The first time loads classes.
    assertThrows(FilterFormatException.class, reading::read);
    long before = Allocation.byThisThread();
    assertThrows(FilterFormatException.class, reading::read);
    return Allocation.byThisThread() - before;
  }

  private interface Reading {
    Object read() throws IOException;
  }

  @Test
  void aFileCostsNoMoreThanItsBytes(@TempDir Path folder) throws IOException {
    Path path = Files.write(folder.resolve("cut-off.bloom"), cutOff());
    Bloomery bloomery = Bloomery.with(new StandardProvider());
    long bytes = allocatedBy(() -> bloomery.files().open(path));
    assertTrue(bytes <= BYTES_THERE * 5 / 4 + (64 << 10), bytes + " bytes for " + BYTES_THERE);
  }

  @Test
  void aManifestCostsNoMoreThanItsBytes(@TempDir Path folder) throws IOException {
    byte[] manifest = new byte[BYTES_THERE];
    ByteBuffer out = ByteBuffer.wrap(manifest).order(ByteOrder.LITTLE_ENDIAN);
    out.put("BLOOMSHD".getBytes(StandardCharsets.US_ASCII)).put((byte) 1);
    out.putLong(32, Sharding.MAX_SHARDS);
    Files.write(folder.resolve("shards.manifest"), manifest);
    ShardedFilterFiles files = new ShardedFilterFiles(Bloomery.installed().providers());
    long bytes = allocatedBy(() -> files.open(folder, OpenOptions.shared()));
    assertTrue(bytes <= BYTES_THERE * 5 / 4 + (64 << 10), bytes + " bytes for " + BYTES_THERE);
  }

  /** A stream does not tell its length: it is read in parts that grow with what was read. */
  @Test
  void aStreamCostsLittleMoreThanTwiceItsBytes() {
    byte[] start = cutOff();
    Bloomery bloomery = Bloomery.with(new StandardProvider());
    long bytes =
        allocatedBy(
            () -> bloomery.files().read(new ByteArrayInputStream(start), OpenOptions.shared()));
    assertTrue(bytes <= BYTES_THERE * 9 / 4 + (64 << 10), bytes + " bytes for " + BYTES_THERE);
  }
}
