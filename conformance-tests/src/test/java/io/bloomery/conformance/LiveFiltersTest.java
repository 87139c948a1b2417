package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.file.LiveFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.LivePayload;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Filters of every variant that lives in its file. */
class LiveFiltersTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();

  @Provide
  Arbitrary<FilterProvider> variants() {
    return Arbitraries.of(living());
  }

  private static List<FilterProvider> living() {
    FilterSpec any = FilterSpec.of(1_000, 0.01);
    return BLOOMERY.providers().all().stream()
        .filter(each -> each.liveLayout(any).isPresent())
        .toList();
  }

  @Example
  void theVariantsThatLiveInTheirFilesAreThoseOfOneTableOfBits() {
    assertEquals(
        List.of("blocked", "partitioned", "standard"),
        living().stream().map(FilterProvider::variant).toList());
    FilterProvider counting = BLOOMERY.providers().get("counting");
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                BLOOMERY
                    .files()
                    .openOrCreateLive(
                        Path.of("none.bloom"),
                        Duration.ZERO,
                        counting,
                        FilterSpec.of(10, 0.01),
                        OpenOptions.shared()));
    assertTrue(refused.getMessage().contains("such as 'standard'"), refused.getMessage());
    assertTrue(Files.notExists(Path.of("none.bloom")));
  }

  /** A content in segments, as a mapped file has them. */
  private static ByteBuffer[] segments(long bytes, int segment) {
    ByteBuffer[] segments = new ByteBuffer[(int) ((bytes + segment - 1) / segment)];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = ByteBuffer.allocateDirect((int) Math.min(segment, bytes - (long) i * segment));
    }
    return segments;
  }

  private static long[] words(ByteBuffer[] segments) {
    return IntStream.range(0, segments.length)
        .mapToObj(i -> segments[i].duplicate().order(ByteOrder.LITTLE_ENDIAN).asLongBuffer())
        .flatMapToLong(words -> IntStream.range(0, words.limit()).mapToLong(words::get))
        .toArray();
  }

  @Property(tries = 150)
  void putsSetTheBitsOfAFilterOnTheHeap(
      @ForAll("variants") FilterProvider provider,
      @ForAll @IntRange(min = 1, max = 4_000) int keys,
      @ForAll @IntRange(min = 0, max = 5) int rate,
      @ForAll @IntRange(min = 6, max = 16) int segmentShift,
      @ForAll ThreadMode mode,
      @ForAll long seed) {
    FilterSpec spec = FilterSpec.of(keys, StrictMath.pow(10, -rate) / 2);
    Filter heap = provider.create(spec, ThreadMode.SHARED);
    assertEquals(heap.layout(), provider.liveLayout(spec).orElseThrow());
    ByteBuffer[] segments = segments(heap.payloadSize(), 1 << segmentShift);
    LivePayload payload = new LivePayload(segments, mib -> {}, mode);
    LivePuts live = provider.livePuts(spec, heap.layout(), payload);
    SplittableRandom random = new SplittableRandom(seed);
    long[] hashes = random.longs(2L * keys).toArray();
    for (int i = 0; i < hashes.length; ) {
      int size = Math.min(1 + random.nextInt(200), hashes.length - i);
      if (random.nextBoolean()) {
        assertEquals(heap.put(hashes[i]), live.put(hashes[i]));
        size = 1;
      } else {
        int again = Math.max(0, i - random.nextInt(50));
        assertEquals(heap.putAll(hashes, again, i + size), live.putAll(hashes, again, i + size));
      }
      i += size;
    }
    assertArrayEquals(Payload.of(heap).words(), words(segments));
  }

  /** Of a table of some MiB, those are noted in which a word has changed. */
  @Property(tries = 15)
  void theMibThatPutsChangeAreTouched(
      @ForAll("variants") FilterProvider provider,
      @ForAll @IntRange(min = 1, max = 3) int rate,
      @ForAll @IntRange(min = 0, max = 6) int puts,
      @ForAll ThreadMode mode,
      @ForAll long seed) {
    FilterSpec spec = FilterSpec.of(4_000_000, StrictMath.pow(10, -rate));
    long bytes = provider.plan(spec).sizeInBits() / Byte.SIZE;
    ByteBuffer[] segments = segments(bytes, 1 << 30);
    LivePayload payload = new LivePayload(segments, mib -> {}, mode);
    LivePuts live = provider.livePuts(spec, provider.liveLayout(spec).orElseThrow(), payload);
    live.putAll(new SplittableRandom(seed).longs(puts).toArray(), 0, puts);
    LongBuffer words = segments[0].order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    int mib = 1 << 17;
    for (int i = 0; i * (long) mib < words.limit(); i++) {
      boolean isSet = false;
      for (int j = i * mib; j < Math.min((i + 1) * mib, words.limit()); j++) {
        isSet |= words.get(j) != 0;
      }
      assertEquals(isSet, payload.isTouched(i), "MiB " + i);
    }
  }

  @Property(tries = 30)
  void ofEqualPutsAtTheSameTimeOneIsTrue(
      @ForAll("variants") FilterProvider provider,
      @ForAll @IntRange(min = 1, max = 4) int rate,
      @ForAll long seed)
      throws InterruptedException {
    int keys = 2_000;
    FilterSpec spec = FilterSpec.of(keys, StrictMath.pow(10, -rate));
    Filter heap = provider.create(spec, ThreadMode.SHARED);
    ByteBuffer[] segments = segments(heap.payloadSize(), 1 << 8);
    LivePuts live =
        provider.livePuts(
            spec, heap.layout(), new LivePayload(segments, mib -> {}, ThreadMode.SHARED));
    long[] hashes = new SplittableRandom(seed).longs(keys).toArray();
    AtomicIntegerArray news = new AtomicIntegerArray(keys);
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads =
        IntStream.range(0, 3)
            .mapToObj(
                i ->
                    new Thread(
                        () -> {
                          try {
                            start.await();
                          } catch (InterruptedException e) {
                            return;
                          }
                          for (int j = 0; j < keys; j++) {
                            news.addAndGet(j, live.put(hashes[j]) ? 1 : 0);
                          }
                        }))
            .toList();
    threads.forEach(Thread::start);
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    int never = 0;
    for (int j = 0; j < keys; j++) {
      heap.put(hashes[j]);
      assertTrue(news.get(j) <= 1, "hash " + j);
      never += 1 - news.get(j);
    }
    assertTrue(never <= keys / 5, never + " of " + keys + " were never new");
    assertArrayEquals(Payload.of(heap).words(), words(segments), "no bit is lost");
  }

  @Property(tries = 20)
  void aLiveFileIsQueriedAsAFilterOnTheHeap(
      @ForAll("variants") FilterProvider provider,
      @ForAll @IntRange(min = 1, max = 20_000) int keys,
      @ForAll @IntRange(min = 1, max = 5) int rate,
      @ForAll long seed)
      throws IOException {
    Path folder = Files.createTempDirectory("live");
    Path path = folder.resolve("live.bloom");
    FilterSpec spec = FilterSpec.of(keys, StrictMath.pow(10, -rate));
    Filter heap = provider.create(spec, ThreadMode.SHARED);
    long[] hashes = new SplittableRandom(seed).longs(2L * keys).toArray();
    int[] expected = new int[hashes.length];
    int[] found = new int[hashes.length];
    try (LiveFilter live =
        BLOOMERY
            .files()
            .openOrCreateLive(path, Duration.ZERO, provider, spec, OpenOptions.shared())) {
      assertEquals(heap.putAll(hashes, 0, keys), live.putAll(hashes, 0, keys));
      int hits = heap.select(hashes, 0, hashes.length, expected);
      assertEquals(hits, live.select(hashes, 0, hashes.length, found));
      for (int i = 0; i < hits; i++) {
        assertEquals(expected[i], found[i]);
      }
      assertEquals(heap.stats(), live.stats());
      assertEquals(heap.layout(), live.layout());
    }
    assertArrayEquals(Payload.of(heap).words(), Payload.of(BLOOMERY.files().open(path)).words());
    Files.delete(path);
    Files.delete(folder);
  }
}
