package io.bloomery.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class FilterLimitsTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());
  private static final FilterBuilder<String> STRINGS =
      BLOOMERY.<String>keys(KeyHasher.strings()).expect(1_000).variant("plain");

  @Test
  void theSmallestLimitIsOneByte() {
    assertEquals(1, FilterLimits.ofBytes(1).maxBytes());
    String message =
        assertThrows(IllegalArgumentException.class, () -> STRINGS.maxBytes(0)).getMessage();
    assertEquals("maxBytes must be at least 1, but was 0", message);
  }

  @Test
  void aFilterThatBeginsLargerIsNotCreated() {
    long bytes = STRINGS.create().filter().payloadSize();
    assertEquals(bytes, STRINGS.maxBytes(bytes).create().filter().payloadSize());
    String message =
        assertThrows(IllegalArgumentException.class, () -> STRINGS.maxBytes(bytes - 1).create())
            .getMessage();
    assertTrue(
        message.startsWith(
            "maxBytes must be at least the "
                + bytes
                + " bytes that the filter begins with, but was "
                + (bytes - 1)),
        message);
  }

  @Test
  void aFilterWhoseContentIsLargerIsNotOpened(@TempDir Path folder) throws IOException {
    BloomFilter<String> filter = STRINGS.create();
    Path path = folder.resolve("a.bloom");
    filter.save(path);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    byte[] bytes = out.toByteArray();
    long content = filter.filter().payloadSize();
    Filters<String> small = BLOOMERY.<String>keys(KeyHasher.strings()).maxBytes(content - 1);
    FilterLimits limits = FilterLimits.ofBytes(content - 1);
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    List<Executable> openings =
        List.of(
            () -> small.open(path),
            () -> small.read(new ByteArrayInputStream(bytes)),
            () -> small.read(buffer),
            () -> BLOOMERY.files().open(path, OpenOptions.shared().within(limits)),
            () ->
                BLOOMERY
                    .files()
                    .read(new ByteArrayInputStream(bytes), OpenOptions.shared().within(limits)),
            () -> BLOOMERY.files().read(buffer, OpenOptions.shared().within(limits)));
    for (Executable opening : openings) {
      String message = assertThrows(UnexpectedFilterException.class, opening).getMessage();
      assertTrue(
          message.endsWith(
              "maxBytes must be at least the "
                  + content
                  + " bytes of the filter's content, but was "
                  + (content - 1)
                  + "; allow more bytes if you trust the file"),
          message);
    }
    assertEquals(0, buffer.position());
    Filters<String> saved = BLOOMERY.keys(KeyHasher.strings());
    BloomFilter<String> opened = saved.maxBytes(content).open(path);
    assertEquals(FilterLimits.ofBytes(content), opened.filter().limits());
    assertEquals(FilterLimits.ofBytes(content), opened.copy().filter().limits());
    assertEquals(FilterLimits.HEAP, saved.open(path).filter().limits());
  }

  @Test
  void aCollectorKeepsThem() {
    for (FilterBuilder<String> builder : List.of(STRINGS, STRINGS.confined())) {
      BloomFilter<String> collected =
          List.of("a", "b", "c", "d").parallelStream().collect(builder.maxBytes(4_000).toFilter());
      assertEquals(FilterLimits.ofBytes(4_000), collected.filter().limits());
    }
  }
}
