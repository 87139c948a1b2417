package io.bloomery.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.Allocation;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import io.bloomery.standard.StandardProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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
    Filter read() throws IOException;
  }

  @Test
  void aFileCostsNoMoreThanItsBytes(@TempDir Path folder) throws IOException {
    Path path = Files.write(folder.resolve("cut-off.bloom"), cutOff());
    Bloomery bloomery = Bloomery.with(new StandardProvider());
    long bytes = allocatedBy(() -> bloomery.files().open(path));
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
