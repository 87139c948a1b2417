package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that what is not the filter asked for is refused before memory is taken for it. */
class EarlyRefusalTest {

  private final AtomicInteger contents = new AtomicInteger();

  private final FilterProvider counted =
      new PlainProvider() {
        @Override
        public FilterView map(FilterSpec spec, FilterLayout numbers, PayloadInput in)
            throws IOException {
          contents.incrementAndGet();
          return super.map(spec, numbers, in);
        }

        @Override
        protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
          contents.incrementAndGet();
          return super.wrap(spec, layout, table);
        }
      };

  private final Bloomery bloomery = Bloomery.with(counted);

  @Test
  void createRemovableCreatesNothingOfAVariantThatDoesNotRemove() {
    FilterBuilder<String> builder =
        bloomery.<String>keys(KeyHasher.strings()).expect(1_000).variant("plain");
    String message =
        assertThrows(IllegalArgumentException.class, builder::createRemovable).getMessage();
    assertEquals(
        "variant must be one that can remove, such as 'counting', but is 'plain'", message);
    assertEquals(0, contents.get());
  }

  @Test
  void aHashIdIsComparedBeforeTheContentIsRead(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("strings.bloom");
    bloomery.<String>keys(KeyHasher.strings()).expect(1_000).variant("plain").create().save(path);
    contents.set(0);
    Filters<Long> longs = bloomery.keys(KeyHasher.longs());
    assertThrows(UnexpectedFilterException.class, () -> longs.open(path));
    assertThrows(UnexpectedFilterException.class, () -> longs.openRemovable(path));
    assertThrows(UnexpectedFilterException.class, () -> longs.map(path));
    Filters<String> strings = bloomery.keys(KeyHasher.strings());
    assertThrows(UnexpectedFilterException.class, () -> strings.openRemovable(path));
    assertEquals(0, contents.get());
    assertTrue(strings.open(path).stats().setBits() == 0);
    assertEquals(1, contents.get());
  }

  /**
   * The header announces more than any heap has, and each byte behind it that is asked for ends the
   * test.
   */
  @Test
  void nothingBehindTheHeaderIsReadBeforeItIsWhatWasAskedFor(@TempDir Path folder)
      throws IOException {
    long payload = 64L << 30;
    FilterHeader header = header(payload);
    Path path = folder.resolve("large.bloom");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.write(HeaderFormat.encode(header));
      // A hole: no disk has as much to spare.
      file.setLength(header.headerSize() + payload + Trailer.size(payload));
    }
    Filters<Long> longs = bloomery.keys(KeyHasher.longs());
    Filters<String> strings = bloomery.keys(KeyHasher.strings());
    Filters<String> secret = strings.secret(new byte[16]);
    Filters<String> limited = strings.maxBytes(payload - 1);
    for (Filters<?> filters : List.of(longs, secret, limited)) {
      assertThrows(UnexpectedFilterException.class, () -> filters.open(path));
      assertThrows(UnexpectedFilterException.class, () -> filters.openRemovable(path));
      assertThrows(UnexpectedFilterException.class, () -> filters.map(path));
      assertThrows(UnexpectedFilterException.class, () -> filters.update(path, Duration.ZERO));
      assertThrows(UnexpectedFilterException.class, () -> filters.read(headerAlone(header)));
    }
    assertThrows(UnexpectedFilterException.class, () -> strings.openRemovable(path));
    FilterLimits limits = FilterLimits.ofBytes(payload - 1);
    assertThrows(
        UnexpectedFilterException.class,
        () -> bloomery.files().open(path, OpenOptions.confined().within(limits)));
    assertThrows(
        UnexpectedFilterException.class,
        () -> bloomery.files().read(headerAlone(header), OpenOptions.confined().within(limits)));
    assertEquals(0, contents.get());
    // So would it end for what is asked for.
    FilterHeader small = header(1 << 20);
    assertThrows(AssertionError.class, () -> strings.read(headerAlone(small)));
  }

  private static FilterHeader header(long payload) {
    return new FilterHeader(
        "plain",
        FilterSpec.of(1_000, 0.01, KeyHasher.strings().id()),
        FilterLayout.of("bits", payload * Byte.SIZE).with("probes", 7),
        payload);
  }

  private static InputStream headerAlone(FilterHeader header) {
    InputStream behind =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError("content must not be read, but is");
          }

          @Override
          public int read(byte[] bytes, int from, int count) {
            return read();
          }
        };
    return new SequenceInputStream(new ByteArrayInputStream(HeaderFormat.encode(header)), behind);
  }
}
