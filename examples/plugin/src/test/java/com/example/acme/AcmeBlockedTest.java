package com.example.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.FilterContract;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public class AcmeBlockedTest extends FilterContract {

  private static final FilterSpec SPEC = FilterSpec.of(5_000, 0.01);

  @Override
  protected FilterProvider provider() {
    return new AcmeBlockedProvider();
  }

  @Test
  void theVariantIsInstalled() {
    assertTrue(FilterProviders.installed().variants().contains("acme-blocked"));
  }

  @Test
  void aMappedFileAnswersAsTheFilterThatWasSaved(@TempDir Path folder) throws IOException {
    Filter filter = provider().create(SPEC, ThreadMode.SHARED);
    long[] hashes = new SplittableRandom(38).longs(20_000).toArray();
    filter.putAll(hashes, 0, 5_000);
    Path file = folder.resolve("acme.bloom");
    FilterFiles.save(filter, file);
    try (MappedFilter mapped = Bloomery.with(provider()).files().map(file)) {
      for (long hash : hashes) {
        assertEquals(filter.mightContain(hash), mapped.mightContain(hash));
      }
      assertEquals(filter.stats(), mapped.stats());
      assertTrue(mapped.verify().isSound());
    }
  }

  @Test
  void whatIsMappedIsNotRead() throws IOException {
    Filter filter = provider().create(SPEC, ThreadMode.SHARED);
    PayloadInput clear = new NeverRead(filter.payloadSize());
    assertFalse(provider().map(SPEC, filter.layout(), clear).mightContain(1));
  }

  @Test
  void aBlockedVariantTakesNoMoreThan150Lines() throws IOException {
    Path source = Path.of("src/main/java/com/example/acme/AcmeBlockedProvider.java");
    long lines = Files.readString(source).lines().count();
    assertTrue(lines <= 150, () -> lines + " lines");
  }

  /** A content without a bit set that can only be mapped. */
  private record NeverRead(long size) implements PayloadInput {
    @Override
    public long[] readLongs(long count) {
      throw new AssertionError("content must be mapped, but was read into memory");
    }

    @Override
    public LongBuffer[] mapLongs(long count) {
      return new LongBuffer[] {LongBuffer.allocate((int) count).asReadOnlyBuffer()};
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return new FilterFormatException(Reason.INVALID, 0, reason);
    }
  }
}
