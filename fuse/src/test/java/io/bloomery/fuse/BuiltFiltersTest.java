package io.bloomery.fuse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilterView;
import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.MappedBloomFilter;
import io.bloomery.StaticFilterBuilder;
import io.bloomery.StoredBloomFilter;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyForm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Filters of sets that never change, as users build them. */
class BuiltFiltersTest {

  private static final Filters<String> STRINGS = Bloomery.strings();

  @TempDir private Path folder;

  private static byte[] bytes(StoredBloomFilter<?> filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    assertEquals(filter.serializedSize(), out.size());
    return out.toByteArray();
  }

  @Property(seed = "5", tries = 100)
  void equalSetsGiveEqualFilesHoweverTheyAreGiven(
      @ForAll @IntRange(min = 0, max = 2_000) int count,
      @ForAll @DoubleRange(min = 0.01, max = 0.9) double rate,
      @ForAll long draw)
      throws IOException {
    List<Long> keys = LongStream.range(draw, draw + count).boxed().toList();
    StaticFilterBuilder<Long> builder = Bloomery.longs().fpp(rate);
    StoredBloomFilter<Long> filter = builder.build(keys);
    List<Long> twice = new ArrayList<>(keys);
    twice.addAll(keys);
    Collections.shuffle(twice, new Random(draw));
    assertArrayEquals(bytes(filter), bytes(builder.build(twice)));
    assertArrayEquals(bytes(filter), bytes(builder.build(twice.parallelStream())));
    assertEquals(keys, filter.select(keys));
    assertEquals(count, filter.stats().approximateKeys().orElseThrow());
    assertEquals(builder.plan(Math.max(1, count)).sizeInBits(), 8 * filter.filter().payloadSize());
    assertTrue(filter.stats().falsePositiveRate() <= rate);
  }

  @Test
  void aFilterIsSavedOpenedMappedAndMeasured() throws IOException {
    Path file = folder.resolve("blocked.bloom");
    Filters<String> filters = STRINGS.keyForm(KeyForm.IGNORE_CASE);
    StoredBloomFilter<String> built =
        filters.fpp(1e-9).attribute("by", "us").build(List.of("Ada", "Bob"));
    built.save(file);
    StoredBloomFilter<String> opened = filters.openView(file);
    try (MappedBloomFilter<String> mapped = filters.map(file)) {
      for (BloomFilterView<String> view : List.of(built, opened, mapped)) {
        assertTrue(view.mightContain("ADA") && view.mightContain("bob"));
        assertFalse(view.mightContain("Eve"));
        assertEquals(built.stats(), view.stats());
      }
    }
    assertEquals("us", opened.spec().attributes().get("by"));
    assertEquals("4 reads", opened.filter().description().queryCost());
    assertThrows(UnexpectedFilterException.class, () -> STRINGS.openView(file));
    FilterFiles files = Bloomery.installed().files();
    String message =
        assertThrows(
                UnexpectedFilterException.class,
                () -> files.merge(folder.resolve("both"), List.of(file, file)))
            .getMessage();
    assertTrue(message.contains("build one of all keys"), message);
  }

  @Property(seed = "6", tries = 20)
  void hashesInAFileGiveTheSameFilter(
      @ForAll @IntRange(min = 0, max = 100_000) int count,
      @ForAll @IntRange(min = 1, max = 3) int times,
      @ForAll @IntRange(min = 1, max = 400_000) int spare,
      @ForAll long draw)
      throws IOException {
    Path files = Files.createTempDirectory("hashes");
    StaticFilterBuilder<Long> builder = Bloomery.longs().fpp(0.01);
    byte[] expected = bytes(builder.build(LongStream.range(draw, draw + count).boxed()));
    long need = new FuseProvider().bytesToBuild(FilterSpec.of(Math.max(1, count), 0.01));
    StaticFilterBuilder<Long> within = builder.buildWithin(need + 100_000 + spare, files);
    List<Long> keys =
        LongStream.range(0, (long) count * times).map(i -> draw + i % count).boxed().toList();
    assertArrayEquals(expected, bytes(within.build(keys)));
    assertArrayEquals(expected, bytes(within.build(keys.parallelStream())));
    assertRefused(
        () -> builder.buildWithin(Math.max(1, need - 1), files).build(keys), "must be allowed");
    assertThrows(
        NullPointerException.class,
        () -> within.build(Stream.concat(keys.stream(), Stream.of((Long) null))));
    Files.delete(files); // which must be empty
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() throws IOException {
    Path gone = Files.createDirectory(folder.resolve("gone"));
    StaticFilterBuilder<Long> builder = Bloomery.longs().fpp(0.01).buildWithin(1, gone);
    Stream<Long> keys =
        LongStream.range(0, 10_000)
            .peek(key -> assertEquals(key > 0, !gone.toFile().delete()))
            .boxed();
    String message =
        assertThrows(UncheckedIOException.class, () -> builder.build(keys)).getMessage();
    assertTrue(message.contains("gone") && message.contains("another folder"), message);
    assertRefused(() -> Bloomery.longs().fpp(0.01).buildWithin(1, gone), "must exist");
    assertRefused(() -> Bloomery.longs().fpp(0.01).buildWithin(0, folder), "at least 1");
  }

  @Test
  void badInputIsRefused() {
    StaticFilterBuilder<String> builder = STRINGS.fpp(0.01);
    assertRefused(() -> STRINGS.fpp(1), "between 0 and 1");
    assertRefused(() -> builder.variant("standard"), "'standard'");
    assertRefused(() -> builder.attribute("bloomery.x", ""), "bloomery.");
    assertRefused(() -> builder.plan(0), "at least 1");
    assertRefused(
        () ->
            STRINGS
                .maxBytes(16)
                .fpp(0.01)
                .build(
                    List.of(
                        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o",
                        "p")),
        "maxBytes");
    String message =
        assertThrows(NullPointerException.class, () -> builder.build(Arrays.asList("a", "b", null)))
            .getMessage();
    assertTrue(message.contains("key 2"), message);
    assertThrows(NullPointerException.class, () -> builder.build(Stream.of("a", (String) null)));
  }

  private static void assertRefused(Executable call, String reason) {
    String message = assertThrows(IllegalArgumentException.class, call).getMessage();
    assertTrue(message.contains(reason), message);
  }
}
