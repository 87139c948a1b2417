package io.bloomery.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.Allocation;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.Sharding;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A manifest of shards that announces millions, and nothing behind it: few bytes must not cost
 * many. What the headers of filters announce, {@link HostileCampaign} tries.
 */
class AnnouncedSizeTest {

  private static final int BYTES_THERE = 1_000;

  @Test
  void aManifestCostsNoMoreThanItsBytes(@TempDir Path folder) throws IOException {
    byte[] manifest = new byte[BYTES_THERE];
    ByteBuffer out = ByteBuffer.wrap(manifest).order(ByteOrder.LITTLE_ENDIAN);
    out.put("BLOOMSHD".getBytes(StandardCharsets.US_ASCII)).put((byte) 1);
    out.putLong(32, Sharding.MAX_SHARDS);
    Files.write(folder.resolve("shards.manifest"), manifest);
    ShardedFilterFiles files = new ShardedFilterFiles(Bloomery.installed().providers());
    Executable opening = () -> files.open(folder, OpenOptions.shared());
    // The first time loads classes.
    assertThrows(FilterFormatException.class, opening);
    long before = Allocation.byThisThread();
    assertThrows(FilterFormatException.class, opening);
    long bytes = Allocation.byThisThread() - before;
    assertTrue(bytes <= BYTES_THERE * 5 / 4 + (64 << 10), bytes + " bytes for " + BYTES_THERE);
  }
}
