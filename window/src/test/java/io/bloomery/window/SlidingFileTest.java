package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.DamagedRegion;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProviders;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlidingFileTest {

  private static final FilterProviders PROVIDERS = FilterProviders.installed();

  @TempDir Path folder;

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final InstantSource source = () -> now;
  private final Clock wall = source.withZone(ZoneOffset.UTC);

  private static SlidingBloomFilterBuilder<Long> last(long keys) {
    return SlidingBloomFilter.builder(Bloomery.longs().expect(keys).fpp(1e-6));
  }

  private Path saved(int window, int keys) throws IOException {
    SlidingBloomFilter<Long> seen = last(window).create();
    for (long i = 0; i < keys; i++) {
      seen.put(i);
    }
    Path file = folder.resolve(window + "-" + keys + ".window");
    seen.save(file);
    return file;
  }

  /** Saved and opened again anywhere, it goes on as if it had stayed in memory. */
  @ParameterizedTest
  @CsvSource({"1, 0", "1, 5", "7, 3", "7, 30", "10, 14", "10, 500", "101, 333"})
  void anOpenedWindowGoesOnAsTheOneThatWasSaved(int window, int keys) throws IOException {
    SlidingBloomFilter<Long> stayed = last(window).create();
    SplittableRandom random = new SplittableRandom(window);
    for (int i = 0; i < keys; i++) {
      stayed.put(random.nextLong(2L * window));
    }
    Path file = folder.resolve("a.window");
    stayed.save(file);
    SlidingBloomFilter<Long> opened = SlidingBloomFilter.open(Bloomery.longs(), file);
    assertEquals(stayed.spec(), opened.spec());
    assertEquals(stayed.filter().generations(), opened.filter().generations());
    for (int i = 0; i < 10 * window; i++) {
      long key = random.nextLong(2L * window);
      assertEquals(stayed.mightContain(key), opened.mightContain(key));
      assertEquals(stayed.put(key), opened.put(key));
    }
    assertTrue(SlidingFilterFiles.isWindow(file));
    assertEquals(List.of(), SlidingFilterFiles.verify(file, PROVIDERS));
  }

  /** What was put before steps that were made at once is neither read nor saved. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  void aWindowThatWasIdleIsSavedAsItIsAsked(int steps) throws IOException {
    AtomicLong ticks = new AtomicLong();
    SlidingBloomFilter<Long> seen =
        last(1_000).lasting(Duration.ofHours(2)).ticker(ticks::get).clock(wall).create();
    List<Long> keys = List.of(1L, 2L, 3L);
    for (long key : keys) {
      ticks.set(Duration.ofHours(key).toNanos());
      assertTrue(seen.put(key));
    }
    ticks.addAndGet(Duration.ofHours(steps).toNanos());
    List<Long> remembered = seen.select(keys);
    assertEquals(keys.subList(Math.min(steps, 3), 3), remembered);
    Path file = folder.resolve("idle.window");
    seen.save(file);
    SlidingBloomFilter<Long> opened =
        SlidingBloomFilter.open(Bloomery.longs(), file, ticks::get, wall);
    assertEquals(remembered, opened.select(keys));
    assertEquals(remembered, seen.select(keys));
    assertEquals(seen.filter().generations(), opened.filter().generations());
    assertEquals(
        remembered.size(), opened.filter().generations().stream().mapToLong(g -> g.keys()).sum());
  }

  @Test
  void ageGoesOnByTheClockOfTheWall() throws IOException {
    AtomicLong ticks = new AtomicLong();
    Path file = folder.resolve("hour.window");
    SlidingBloomFilter<Long> seen =
        last(1_000).lasting(Duration.ofHours(1)).ticker(ticks::get).clock(wall).create();
    ticks.set(Duration.ofMinutes(10).toNanos());
    seen.put(1L);
    ticks.set(Duration.ofMinutes(40).toNanos());
    seen.put(2L);
    seen.save(file);
    Instant then = now;
    // Of 1 and 2, put 30 minutes ago and just now: which are remembered so many minutes later?
    long[][] expected = {{-600, 1, 1}, {0, 1, 1}, {29, 1, 1}, {59, 0, 1}, {79, 0, 1}, {80, 0, 0}};
    for (long[] row : expected) {
      now = then.plus(Duration.ofMinutes(row[0]));
      AtomicLong otherTicks = new AtomicLong(Long.MAX_VALUE);
      SlidingBloomFilter<Long> opened =
          SlidingBloomFilter.open(Bloomery.longs(), file, otherTicks::get, wall);
      assertEquals(Duration.ofHours(1), opened.time().orElseThrow());
      assertEquals(row[1] == 1, opened.mightContain(1L), row[0] + " minutes");
      assertEquals(row[2] == 1, opened.mightContain(2L), row[0] + " minutes");
    }
    now = then.plus(Duration.ofDays(100_000));
    assertFalse(
        SlidingBloomFilter.open(Bloomery.longs(), file, System::nanoTime, wall).mightContain(2L));
  }

  @Test
  void theSameContentGivesTheSameBytes() throws IOException {
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    SlidingBloomFilter<Long> seen = last(100).clock(wall).create();
    for (long i = 0; i < 130; i++) {
      seen.put(i);
    }
    seen.save(one);
    SlidingBloomFilter.open(Bloomery.longs(), one, System::nanoTime, wall).save(two);
    assertArrayEquals(Files.readAllBytes(one), Files.readAllBytes(two));
  }

  /** Every byte changed, and every length: nothing opens, and verify finds all of it. */
  @Test
  void whateverIsDamagedIsRefused() throws IOException {
    Path file = saved(20, 45);
    byte[] whole = Files.readAllBytes(file);
    Path damaged = folder.resolve("damaged");
    for (int i = 0; i < whole.length; i++) {
      byte[] bytes = whole.clone();
      bytes[i] = (byte) (bytes[i] ^ (1 << (i % 8)));
      Files.write(damaged, bytes);
      assertRefused(damaged, "byte " + i);
    }
    for (int length = 0; length < whole.length; length += 1 + length / 50) {
      Files.write(damaged, Arrays.copyOf(whole, length));
      assertRefused(damaged, "length " + length);
    }
    Files.write(damaged, Arrays.copyOf(whole, whole.length + 1));
    assertRefused(damaged, "one more byte");
  }

  private static void assertRefused(Path file, String what) {
    assertThrows(
        FilterFormatException.class, () -> SlidingBloomFilter.open(Bloomery.longs(), file), what);
    boolean isFound;
    try {
      List<DamagedRegion> damage = SlidingFilterFiles.verify(file, PROVIDERS);
      isFound = !damage.isEmpty();
    } catch (IOException e) {
      isFound = e instanceof FilterFormatException;
    }
    assertTrue(isFound, what);
  }

  /**
   * Headers of drawn numbers with checksums that match: each is refused with an IOException, and
   * before memory is asked for, or opens, and verify and open say the same.
   */
  @Test
  void headersOfAnyNumbersAreRefusedOrOpen() throws IOException {
    byte[] whole = Files.readAllBytes(saved(20, 45));
    Path hostile = folder.resolve("hostile");
    SplittableRandom random = new SplittableRandom(27);
    long[] edges = {0, 1, -1, 19, 20, 10, 11, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40, 1_000_000};
    int opened = 0;
    for (int i = 0; i < 1_500; i++) {
      ByteBuffer bytes = ByteBuffer.wrap(whole.clone()).order(ByteOrder.LITTLE_ENDIAN);
      for (int n = 1 + random.nextInt(3); n > 0; n--) {
        int at = 8 + 8 * random.nextInt(22);
        bytes.putLong(
            at,
            random.nextBoolean()
                ? edges[random.nextInt(edges.length)]
                : bytes.getLong(at) + random.nextInt(-2, 3));
      }
      CRC32C crc = new CRC32C();
      crc.update(bytes.array(), 0, 188);
      bytes.putInt(188, (int) crc.getValue());
      Files.write(hostile, bytes.array());
      boolean opens;
      try {
        SlidingFilterFiles.open(hostile, PROVIDERS, FilterLimits.HEAP);
        opens = true;
      } catch (FilterFormatException | UnexpectedFilterException e) {
        opens = false;
      }
      boolean isSound;
      try {
        isSound = SlidingFilterFiles.verify(hostile, PROVIDERS).isEmpty();
      } catch (FilterFormatException e) {
        isSound = false;
      }
      assertEquals(opens, isSound);
      opened += opens ? 1 : 0;
    }
    assertTrue(opened > 4 && opened < 750, opened + " of 1500");
  }

  /** Each at its place, with checksums that match; what is just possible opens. */
  @Test
  void aNumberThatNoWindowHasIsRefusedWhereItStands() throws IOException {
    long step = Duration.ofMinutes(30).toNanos();
    Path timedFile = folder.resolve("timed.window");
    SlidingBloomFilter<Long> lasting = last(21).lasting(Duration.ofHours(1)).create();
    for (long i = 0; i < 15; i++) {
      lasting.put(i);
    }
    lasting.save(timedFile);
    byte[] timed = Files.readAllBytes(timedFile);
    byte[] counted = Files.readAllBytes(saved(21, 45)); // generations of 3, 11 and 10 new keys
    long longest = Long.MAX_VALUE / 4;
    for (byte[] whole : List.of(timed, counted)) {
      for (int at = 9; at < 188; at = at == 15 ? 136 : at + 1) {
        assertRefusedAt(at, with(whole, at & -8, 1L << (8 * (at % 8)) | wordAt(whole, at & -8)));
      }
      for (long keys : new long[] {0, -1, Long.MIN_VALUE}) {
        assertRefusedAt(16, with(whole, 16, keys));
      }
      for (double rate : new double[] {0, 1, -0.5, Double.NaN}) {
        assertRefusedAt(16, with(whole, 24, Double.doubleToRawLongBits(rate)));
      }
      for (long time : new long[] {-1, 1, 999_999, 2_160_000_000_000_000_001L, Long.MAX_VALUE}) {
        assertRefusedAt(32, with(whole, 32, time));
      }
      for (long parity : new long[] {2, -1, 1L << 40}) {
        assertRefusedAt(40, with(whole, 40, parity));
      }
      assertRefusedAt(48, with(whole, 48, -1));
      assertRefusedAt(56, with(whole, 56, -1));
      for (int i = 0; i < 3; i++) {
        int at = 64 + 24 * i;
        assertRefusedAt(at, with(whole, at + 8, wordAt(whole, at) + 1));
        assertRefusedAt(at, with(whole, at + 8, -1));
        for (long length : new long[] {0, -1, longest + 1}) {
          assertRefusedAt(at + 16, with(whole, at + 16, length));
        }
        // Possible, but not there.
        assertRefusedAt(whole.length, with(whole, at + 16, longest));
      }
    }
    assertRefusedAt(56, with(counted, 56, 1));
    assertRefusedAt(56, with(timed, 56, step));
    for (byte[] sound :
        List.of(
            with(timed, 56, step - 1),
            with(with(timed, 32, 1_000_000), 56, 0),
            with(timed, 32, 2_160_000_000_000_000_000L),
            with(timed, 48, 0))) {
      SlidingFilterFiles.open(written(sound), PROVIDERS, FilterLimits.HEAP);
    }
    for (int i = 0; i < 3; i++) {
      int at = 64 + 24 * i;
      // The youngest with as many as close it, and closed ones with one more or one fewer.
      long keys = wordAt(counted, at);
      for (long other : i == 0 ? new long[] {11, 12} : new long[] {keys - 1, keys + 1}) {
        assertRefusedAt(at, with(with(counted, at, other), at + 8, other));
      }
      assertRefusedAt(at, with(counted, at, 22));
    }
    // Those of generations that are closed by 10 where 11 close them, or empty before a full one.
    assertRefusedAt(88, with(counted, 40, 1 - wordAt(counted, 40)));
    assertRefusedAt(88, with(with(counted, 88, 0), 96, 0));
  }

  /** Verify says where it begins and ends, and open where it is seen. */
  @Test
  void damageIsFoundWhereItIs() throws IOException {
    Path file = saved(20, 45);
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(5);
    int[] starts = new int[4]; // of the filters, and the end
    starts[0] = SlidingHeader.SIZE;
    for (int i = 0; i < 3; i++) {
      starts[i + 1] = starts[i] + (int) wordAt(whole, 64 + 24 * i + 16);
    }
    assertEquals(whole.length, starts[3]);
    for (int round = 0; round < 200; round++) {
      byte[] bytes = whole.clone();
      int first = round % 3;
      for (int i = first; i < 3; i += 2) { // one filter or two
        bytes[random.nextInt(starts[i], starts[i + 1])] ^= 1;
      }
      FilterFormatException refused =
          assertThrows(
              FilterFormatException.class,
              () -> SlidingFilterFiles.open(written(bytes), PROVIDERS, FilterLimits.HEAP));
      assertTrue(starts[first] <= refused.offset(), refused.getMessage());
      List<DamagedRegion> damage = SlidingFilterFiles.verify(written(bytes), PROVIDERS);
      assertEquals(first == 0 ? 2 : 1, damage.size());
      for (DamagedRegion region : damage) {
        int i = damage.indexOf(region) == 0 ? first : 2;
        assertTrue(starts[i] <= region.from() && region.from() < starts[i + 1], region + "");
        assertEquals(starts[i + 1], region.to());
      }
    }
    for (int length = 192; length < whole.length; length += 97) {
      DamagedRegion missing = onlyDamage(Arrays.copyOf(whole, length));
      assertEquals(length, missing.from());
      assertEquals(whole.length, missing.to());
    }
    DamagedRegion more = onlyDamage(Arrays.copyOf(whole, whole.length + 7));
    assertEquals(whole.length, more.from());
    assertEquals(whole.length + 7, more.to());
    assertRefusedAt(whole.length, Arrays.copyOf(whole, whole.length + 7));
    byte[] header = whole.clone();
    header[16] ^= 1;
    assertEquals(192, onlyDamage(header).to());
    Files.writeString(file, "lines of another program\n".repeat(20));
    assertThrows(FilterFormatException.class, () -> SlidingFilterFiles.verify(file, PROVIDERS));
  }

  private DamagedRegion onlyDamage(byte[] bytes) throws IOException {
    List<DamagedRegion> damage = SlidingFilterFiles.verify(written(bytes), PROVIDERS);
    assertEquals(1, damage.size(), damage + "");
    return damage.get(0);
  }

  /** Each filter sound by itself. */
  @Test
  void filtersThatAreNotOfOneWindowAreRefused() throws IOException {
    Path file = folder.resolve("timed.window");
    SlidingBloomFilter<Long> lasting = last(21).lasting(Duration.ofHours(1)).create();
    lasting.put(1L);
    lasting.save(file);
    byte[] timed = Files.readAllBytes(file);
    long bits = lasting.filter().generations().get(0).filter().setBits();
    int length = (int) wordAt(timed, 64 + 16);
    for (int i = 0; i < 3; i++) {
      int at = 64 + 24 * i;
      int filterAt = 192 + i * length;
      // More keys than bits, and bits of no key.
      assertRefusedAt(filterAt, with(timed, at, i == 0 ? bits + 1 : 1));
      if (i == 0) {
        assertRefusedAt(filterAt, with(with(timed, at, 0), at + 8, 0));
        SlidingFilterFiles.open(written(with(timed, at, bits)), PROVIDERS, FilterLimits.HEAP);
      }
      byte[] other = timed.clone();
      System.arraycopy(otherOf(length), 0, other, filterAt, length);
      if (i == 0) {
        System.arraycopy(timed, filterAt + length, other, filterAt, length);
        System.arraycopy(otherOf(length), 0, other, filterAt + length, length);
        other = with(with(other, at, 0), at + 8, 0);
      }
      int refusedAt = i == 0 ? filterAt + length : filterAt;
      assertRefusedAt(refusedAt, other);
      assertEquals(refusedAt, onlyDamage(other).from());
    }
  }

  /** Returns an empty filter for other keys or another rate, of a length. */
  private byte[] otherOf(int length) throws IOException {
    for (double rate = 1e-6; rate > 1e-9; rate *= 0.999) {
      Path file = folder.resolve("other.bloom");
      Bloomery.longs().expect(20).fpp(rate).create().save(file);
      if (Files.size(file) == length) {
        return Files.readAllBytes(file);
      }
    }
    throw new AssertionError("no filter of " + length + " bytes");
  }

  private static long wordAt(byte[] bytes, int at) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
  }

  /** Returns the bytes of a window with another number in its header, and its checksum. */
  private static byte[] with(byte[] whole, int at, long value) {
    ByteBuffer bytes = ByteBuffer.wrap(whole.clone()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(at, value);
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, 188);
    return bytes.putInt(188, (int) crc.getValue()).array();
  }

  private Path written(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("written"), bytes);
  }

  private void assertRefusedAt(long offset, byte[] bytes) throws IOException {
    Path file = written(bytes);
    FilterFormatException refused =
        assertThrows(
            FilterFormatException.class,
            () -> SlidingFilterFiles.open(file, PROVIDERS, FilterLimits.HEAP));
    assertEquals(offset, refused.offset(), refused.getMessage());
  }

  @Test
  void whatIsNotAsAskedSaysSo() throws IOException {
    Path file = saved(20, 45);
    assertThrows(
        UnexpectedFilterException.class, () -> SlidingBloomFilter.open(Bloomery.strings(), file));
    assertThrows(
        UnexpectedFilterException.class,
        () -> SlidingBloomFilter.open(Bloomery.longs().maxBytes(8), file));
    Path filter = folder.resolve("a.bloom");
    Bloomery.longs().expect(10).create().save(filter);
    assertFalse(SlidingFilterFiles.isWindow(filter));
    assertEquals(
        filter
            + ": byte 0: not a window: it must start with 'BLOOMWIN'; a filter is opened by"
            + " Bloomery",
        assertThrows(
                FilterFormatException.class,
                () -> SlidingBloomFilter.open(Bloomery.longs(), filter))
            .getMessage());
    assertEquals(
        file
            + ": byte 0: not a Bloomery filter, but a window: open it with SlidingBloomFilter, of"
            + " bloomery-window",
        assertThrows(FilterFormatException.class, () -> Bloomery.longs().open(file)).getMessage());
  }
}
