package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableFilter;
import java.io.IOException;
import java.nio.file.Path;
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
        protected TableFilter wrap(FilterSpec spec, BitTable table, int probes) {
          contents.incrementAndGet();
          return super.wrap(spec, table, probes);
        }
      };

  private final Bloomery bloomery = Bloomery.with(counted);

  @Test
  void createRemovableCreatesNothingOfAVariantThatDoesNotRemove() {
    FilterBuilder<String> builder =
        bloomery.<String>keys(KeyHasher.utf8()).variant("plain").expect(1_000);
    String message =
        assertThrows(IllegalArgumentException.class, builder::createRemovable).getMessage();
    assertEquals(
        "variant must be one that can remove, such as 'counting', but is 'plain'", message);
    assertEquals(0, contents.get());
  }

  @Test
  void aHashIdIsComparedBeforeTheContentIsRead(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("strings.bloom");
    bloomery.<String>keys(KeyHasher.utf8()).variant("plain").expect(1_000).create().save(path);
    contents.set(0);
    FilterBuilder<Long> longs = bloomery.keys(KeyHasher.longs());
    assertThrows(UnexpectedFilterException.class, () -> longs.open(path));
    assertThrows(UnexpectedFilterException.class, () -> longs.openRemovable(path));
    assertThrows(UnexpectedFilterException.class, () -> longs.map(path));
    FilterBuilder<String> strings = bloomery.keys(KeyHasher.utf8());
    assertThrows(UnexpectedFilterException.class, () -> strings.openRemovable(path));
    assertEquals(0, contents.get());
    assertTrue(strings.open(path).stats().setBits() == 0);
    assertEquals(1, contents.get());
  }
}
