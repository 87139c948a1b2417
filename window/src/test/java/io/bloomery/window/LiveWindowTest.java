package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LiveWindowTest {

  private static final FilterProviders PROVIDERS = FilterProviders.installed();

  @TempDir Path folder;

  /** The ticker and the wall clock of a test, which show the same. */
  private final AtomicLong nanos =
      new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000);

  private final InstantSource source = () -> Instant.ofEpochSecond(0, nanos.get());
  private final Clock wall = source.withZone(ZoneOffset.UTC);

  private SlidingBloomFilterBuilder<Long> builder(String variant, long keys, Duration time) {
    SlidingBloomFilterBuilder<Long> builder =
        SlidingBloomFilter.builder(Bloomery.longs().expect(keys).fpp(1e-4).variant(variant))
            .ticker(nanos::get)
            .clock(wall);
    return time.isZero() ? builder : builder.lasting(time);
  }

  private static Stream<String> variants(boolean live) {
    FilterSpec any = FilterSpec.of(10, 1e-4);
    return PROVIDERS.all().stream()
        .filter(provider -> provider.liveLayout(any).isPresent() == live)
        .map(FilterProvider::variant);
  }

  private static Stream<String> othersThatLive() {
    return variants(true).filter(variant -> !variant.equals("standard"));
  }

  static Stream<String> variantsThatCannotLive() {
    return variants(false);
  }

  static Stream<Arguments> windowsThatLive() {
    return Stream.concat(
        Stream.of(
            arguments("standard", 1, 0),
            arguments("standard", 2, 0),
            arguments("standard", 7, 0),
            arguments("standard", 500, 0),
            arguments("standard", 50, 60)),
        othersThatLive()
            .flatMap(
                variant -> Stream.of(arguments(variant, 100, 0), arguments(variant, 1000, 60))));
  }

  /** A live window answers as one in memory that is saved when the live one is closed. */
  @ParameterizedTest
  @MethodSource("windowsThatLive")
  void answersAsAWindowInMemory(String variant, long keys, long seconds) throws IOException {
    SlidingBloomFilterBuilder<Long> builder = builder(variant, keys, Duration.ofSeconds(seconds));
    for (long seed = 0; seed < 2; seed++) {
      Path file = folder.resolve(seed + ".live");
      Path saved = folder.resolve(seed + ".window");
      SplittableRandom random = new SplittableRandom(seed);
      SlidingBloomFilter<Long> heap = builder.create();
      LiveSlidingBloomFilter<Long> live = builder.openOrCreate(file);
      for (int i = 0; i < (keys < 10 ? 60 : 500); i++) {
        long key = random.nextLong(3 * keys);
        switch (random.nextInt(40)) {
          case 0 -> {
            live.close();
            heap.save(saved);
            pass(random, seconds);
            assertEquals(List.of(), SlidingFilterFiles.verify(file, PROVIDERS));
            SlidingBloomFilter<Long> read =
                SlidingBloomFilter.open(Bloomery.longs(), file, nanos::get, wall);
            heap = SlidingBloomFilter.open(Bloomery.longs(), saved, nanos::get, wall);
            assertEquals(heap.filter().generations(), read.filter().generations());
            live = builder.openOrCreate(file);
          }
          case 1 -> live.force();
          case 2 -> {
            live.save(saved);
            assertEquals(
                heap.filter().generations(),
                SlidingBloomFilter.open(Bloomery.longs(), saved, nanos::get, wall)
                    .filter()
                    .generations());
          }
          case 3, 4, 5, 6 -> pass(random, seconds);
          case 7, 8, 9, 10, 11 -> assertEquals(heap.putIfAbsent(key), live.putIfAbsent(key));
          case 12, 13, 14, 15, 16 -> assertEquals(heap.mightContain(key), live.mightContain(key));
          default -> assertEquals(heap.put(key), live.put(key));
        }
      }
      assertEquals(heap.filter().generations(), live.filter().generations());
      if (seconds == 0 && live.filter().forgottenGenerations() > 0) {
        assertEquals(heap.filter().statsBeforeForgetting(), live.filter().statsBeforeForgetting());
      }
      assertEquals(heap.spec(), live.spec());
      assertEquals(heap.time(), live.time());
      live.close();
    }
  }

  private void pass(SplittableRandom random, long seconds) {
    nanos.addAndGet(seconds * random.nextLong(1_000_000_000) / (random.nextInt(20) + 1));
  }

  @Test
  void isOpenForOneWriterAndReadWhenItIsClosed() throws IOException {
    Path file = folder.resolve("a.live");
    SlidingBloomFilterBuilder<Long> builder = builder("standard", 10, Duration.ZERO);
    LiveSlidingBloomFilter<Long> live = builder.openOrCreate(file);
    assertTrue(live.put(1L));
    assertThrows(FilterLockedException.class, () -> builder.openOrCreate(file));
    assertThrows(
        FilterLockedException.class,
        () -> SlidingBloomFilter.openLive(Bloomery.longs(), file, Duration.ofMillis(5)));
    assertThrows(FilterLockedException.class, () -> SlidingFilterFiles.seal(file, PROVIDERS));
    assertTrue(SlidingFilterFiles.isWindow(file));
    assertTrue(SlidingFilterFiles.live(file).orElseThrow().isOpen());
    for (FilterFormatException refused :
        List.of(
            assertThrows(
                FilterFormatException.class, () -> SlidingBloomFilter.open(Bloomery.longs(), file)),
            assertThrows(
                FilterFormatException.class, () -> SlidingFilterFiles.verify(file, PROVIDERS)))) {
      assertEquals(Reason.OPEN_FOR_WRITING, refused.reason());
      assertTrue(refused.getMessage().contains("process " + ProcessHandle.current().pid()));
    }
    assertEquals(
        Reason.OTHER_KIND,
        assertThrows(FilterFormatException.class, () -> Bloomery.longs().map(file)).reason());
    assertThrows(FileSystemException.class, () -> builder.create().save(file));
    live.close();
    live.close();
    assertEquals(
        Reason.OTHER_KIND,
        assertThrows(FilterFormatException.class, () -> Bloomery.longs().openLive(file)).reason());
    assertFalse(SlidingFilterFiles.live(file).orElseThrow().isOpen());
    assertTrue(SlidingBloomFilter.open(Bloomery.longs(), file).mightContain(1L));
    List<SlidingBloomFilterBuilder<Long>> others =
        new ArrayList<>(
            List.of(
                builder("standard", 11, Duration.ZERO),
                builder("standard", 10, Duration.ofSeconds(1))));
    othersThatLive().forEach(variant -> others.add(builder(variant, 10, Duration.ZERO)));
    for (SlidingBloomFilterBuilder<Long> other : others) {
      assertThrows(UnexpectedFilterException.class, () -> other.openOrCreate(file));
    }
    assertThrows(
        UnexpectedFilterException.class,
        () -> SlidingBloomFilter.openLive(Bloomery.strings().secret(new byte[16]), file));
    assertEquals(List.of(), SlidingFilterFiles.verify(file, PROVIDERS));
  }

  @ParameterizedTest
  @MethodSource("variantsThatCannotLive")
  void refusesVariantsThatCannotLive(String variant) {
    assertThrows(
        IllegalArgumentException.class,
        () -> builder(variant, 10, Duration.ZERO).openOrCreate(folder.resolve("a.live")));
    assertFalse(Files.exists(folder.resolve("a.live")));
  }

  /** Whatever is there, and whatever is asked of it. */
  @Test
  void errorsSayWhatIsThereAndWhatToDo() throws IOException {
    Path file = folder.resolve("a.live");
    SlidingBloomFilterBuilder<Long> builder = builder("standard", 10, Duration.ZERO);
    Files.writeString(file, "lines\n");
    assertSays("starts with 'BLOOMLIV' and is made by openOrCreate", builder, file);
    Files.write(file, new byte[0]);
    assertSays("is empty, and so no live filter or window; remove it", builder, file);
    builder.create().save(file);
    assertSays("a saved one, which is not changed in place: open it by open", builder, file);
    Bloomery.longs().expect(10).create().save(file);
    assertSays("not a window, but a saved filter", builder, file);
    Files.delete(file);
    Bloomery.longs().expect(10).openOrCreate(file).close();
    assertSays("not a window, but a live filter", builder, file);
    Files.delete(file);
    LiveSlidingBloomFilter<Long> live = builder.openOrCreate(file);
    live.put(1L);
    live.close();
    for (Executable call :
        List.<Executable>of(
            () -> live.put(1L),
            () -> live.putIfAbsent(1L),
            () -> live.mightContain(1L),
            () -> live.select(List.of(1L)),
            live::stats,
            live::force,
            () -> live.save(folder.resolve("copy")))) {
      String message = assertThrows(FilterUnavailableException.class, call).getMessage();
      assertTrue(message.contains(file + " was closed; open it again by openOrCreate"), message);
    }
  }

  private static void assertSays(String what, SlidingBloomFilterBuilder<Long> builder, Path file) {
    for (Executable call :
        List.<Executable>of(
            () -> builder.openOrCreate(file),
            () -> SlidingBloomFilter.openLive(Bloomery.longs(), file))) {
      String message = assertThrows(FilterFormatException.class, call).getMessage();
      assertTrue(message.contains(what), message);
    }
  }

  @Test
  void tellsThatItsFileWasReplaced() throws IOException {
    Path file = folder.resolve("a.live");
    LiveSlidingBloomFilter<Long> live = builder("standard", 10, Duration.ZERO).openOrCreate(file);
    Files.move(file, folder.resolve("b.live"));
    assertThrows(FileSystemException.class, live::force);
    Files.writeString(file, "another");
    assertThrows(FileSystemException.class, live::force);
    assertThrows(FileSystemException.class, live::close);
    assertEquals("another", Files.readString(file));
    assertTrue(SlidingFilterFiles.live(folder.resolve("b.live")).orElseThrow().isOpen());
    SlidingBloomFilter.openLive(Bloomery.longs(), folder.resolve("b.live")).close(); // released
  }

  /** As a live filter does, whether a generation is to be forgotten before or not. */
  @Test
  void tellsThatItsFileWasRemovedOrTruncated() throws IOException {
    for (boolean isRemoved : List.of(true, false)) {
      for (boolean isDue : List.of(false, true)) {
        Path file = folder.resolve(isRemoved + "-" + isDue);
        LiveSlidingBloomFilter<Long> live =
            builder("standard", 50_000, Duration.ofSeconds(2)).openOrCreate(file);
        LongStream.range(0, 100).forEach(live::put);
        if (isRemoved) {
          Files.delete(file);
        } else {
          Files.write(file, new byte[1]);
        }
        if (isRemoved) {
          assertTrue(live.mightContain(5L)); // its pages are still there
          assertTrue(live.put(1_000L));
        }
        if (isDue) {
          nanos.addAndGet(Duration.ofSeconds(1).toNanos());
          assertThrows(UncheckedIOException.class, () -> live.put(1_001L));
        }
        for (Executable call : List.<Executable>of(live::force, live::close)) {
          FileSystemException refused = assertThrows(FileSystemException.class, call);
          assertTrue(
              refused.getReason().contains(isRemoved ? "was removed" : "changed in length"),
              refused.getMessage());
        }
        assertThrows(FilterUnavailableException.class, () -> live.mightContain(5L));
      }
    }
  }
}
