package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProviders;
import io.bloomery.internal.file.LiveControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Live windows whose writer or power ended at any point: made of the bytes of a file before and
 * after, of which each sector of a disk has one or the other.
 */
class LiveCrashTest {

  private static final int SECTOR = 512;
  private static final int KEYS = 40;

  @TempDir Path folder;

  private final SplittableRandom random = new SplittableRandom(60);
  private Path file;
  private Path copy;

  /** All keys that count, the one put last at the end. */
  private final LinkedHashSet<Long> order = new LinkedHashSet<>();

  /** The same before the put that made a generation forgotten. */
  private List<Long> beforePut = List.of();

  @BeforeEach
  void names() {
    file = folder.resolve("a.live");
    copy = folder.resolve("copy.live");
  }

  private static SlidingBloomFilterBuilder<Long> builder() {
    return SlidingBloomFilter.builder(Bloomery.longs().expect(KEYS).fpp(1e-3));
  }

  private byte[] bytes() {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean put(SlidingBloomFilter<Long> window, long key) {
    order.remove(key);
    order.add(key);
    return window.put(key);
  }

  private void assertRemembersTheLast(SlidingBloomFilter<Long> window) {
    List<Long> all = List.copyOf(order);
    List<Long> last = all.subList(Math.max(0, all.size() - KEYS), all.size());
    assertEquals(last, window.select(last));
  }

  /** Puts until a generation is forgotten; returns the bytes before the put that did it. */
  private byte[] putUntilForgotten(SlidingBloomFilter<Long> window) {
    long forgotten = window.filter().forgottenGenerations();
    byte[] before;
    do {
      before = bytes();
      beforePut = List.copyOf(order);
      put(window, random.nextLong(3 * KEYS));
    } while (window.filter().forgottenGenerations() == forgotten);
    return before;
  }

  /** Bytes of a file, each sector from a position on as it was before or as it was after. */
  private void mix(byte[] into, byte[] after, int from, int to) {
    for (int at = from; at < to; at += SECTOR) {
      if (random.nextBoolean()) {
        System.arraycopy(after, at, into, at, Math.min(SECTOR, to - at));
      }
    }
  }

  private static LiveSlot slot(byte[] bytes) throws IOException {
    return LiveSlot.decode(block(bytes, 0), block(bytes, 1), 0);
  }

  private static ByteBuffer block(byte[] bytes, int place) {
    return ByteBuffer.wrap(bytes, LiveLayout.SLOTS_AT + place * LiveControl.BLOCK, 4096)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int place(long number) {
    return LiveLayout.SLOTS_AT + (int) (1 - number % 2) * LiveControl.BLOCK;
  }

  /** Says that the slots were written before the system was started. */
  private static void restart(byte[] bytes) {
    for (int place = 0; place < 2; place++) {
      ByteBuffer slot = block(bytes, place);
      if (LiveSlot.isSealed(slot)) {
        slot.putLong(8, slot.getLong(8) ^ 1);
        LiveSlot.seal(slot);
      }
    }
  }

  /** No checksum holds them, and a window that is closed with them would never open again. */
  @Test
  void countsThatNoWindowHasAreRefusedBeforeAnythingIsChanged() throws IOException {
    byte[] crashed;
    try (LiveSlidingBloomFilter<Long> live = builder().openOrCreate(file)) {
      putUntilForgotten(live);
      put(live, random.nextLong());
      crashed = bytes();
    }
    LiveLayout layout = LiveLayout.read(file);
    for (int round = 0; round < 40; round++) {
      byte[] bytes = crashed.clone();
      int age = random.nextInt(2);
      long taken = age == 0 ? KEYS + 1 + random.nextLong(1L << 40) : 1 + random.nextLong(KEYS - 1);
      long at = layout.tableAt(layout.slot().youngestFirst().get(age));
      ByteBuffer counts = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      for (int put = 8; put <= 24; put += 16) { // and those that were forced
        counts.putLong((int) at + put, taken).putLong((int) at + put + Long.BYTES, 0);
      }
      if (random.nextBoolean()) {
        restart(bytes);
      }
      Files.write(copy, bytes);
      String what = "generation " + age + " with " + taken + " keys";
      assertThrows(
          FilterFormatException.class,
          () -> SlidingBloomFilter.openLive(Bloomery.longs(), copy),
          what);
      assertArrayEquals(bytes, Files.readAllBytes(copy), what);
    }
  }

  /** All that was put if the process ended, and what was forced if the system did. */
  @Test
  void whatCountsAfterACrashIsWhatWasPutOrForced() throws IOException {
    try (LiveSlidingBloomFilter<Long> live = builder().openOrCreate(file)) {
      long forced = 0;
      for (int keys = 1; keys < KEYS / 2; keys++) { // no generation is closed by so few
        assertTrue(live.put((long) keys));
        if (keys % 7 == 1) {
          live.force();
          forced = keys;
        }
        byte[] bytes = bytes();
        Files.write(copy, bytes);
        try (LiveSlidingBloomFilter<Long> opened =
            SlidingBloomFilter.openLive(Bloomery.longs(), copy)) {
          assertEquals(live.filter().generations(), opened.filter().generations());
        }
        restart(bytes);
        Files.write(copy, bytes);
        try (LiveSlidingBloomFilter<Long> opened =
            SlidingBloomFilter.openLive(Bloomery.longs(), copy)) {
          assertEquals(forced, opened.filter().generations().get(0).keys());
          assertTrue(opened.mightContain((long) keys));
        }
        SlidingBloomFilter<Long> sealed = SlidingBloomFilter.open(Bloomery.longs(), copy);
        assertEquals(forced, sealed.filter().generations().get(0).keys());
      }
    }
  }

  /** At each step of forgetting a generation, and with each write torn. */
  @Test
  void aCrashWhileAGenerationIsForgottenForgetsNothingEarly() throws IOException {
    for (int round = 0; round < 8; round++) {
      Files.deleteIfExists(file);
      order.clear();
      byte[] before;
      byte[] after;
      try (LiveSlidingBloomFilter<Long> live = builder().openOrCreate(file)) {
        for (int i = random.nextInt(5); i > 0; i--) {
          putUntilForgotten(live);
        }
        before = putUntilForgotten(live);
        after = bytes();
      }
      order.clear();
      order.addAll(beforePut);
      LiveLayout layout = LiveLayout.read(file);
      long last = slot(after).number();
      int cleared = slot(after).youngestFirst().get(0);
      for (int step = 0; step < 4; step++) {
        byte[] crashed = before.clone();
        for (int table = 0; table < 3; table++) {
          int from = (int) layout.tableAt(table);
          int to = from + (int) LiveTable.size(layout.length());
          if (step == 3 || (table != cleared && step > 0)) {
            System.arraycopy(after, from, crashed, from, to - from);
          } else if (table != cleared || step == 2) {
            mix(crashed, after, from, to);
          }
        }
        int forgets = place(last - 1);
        int begins = place(last);
        if (step > 0) {
          System.arraycopy(after, forgets, crashed, forgets, LiveControl.BLOCK);
        } else {
          mix(crashed, after, forgets, forgets + LiveControl.BLOCK / 2); // torn
        }
        if (step == 3) {
          mix(crashed, after, begins, begins + LiveControl.BLOCK);
        }
        if (random.nextBoolean()) {
          restart(crashed);
        }
        Files.write(copy, crashed);
        goesOn();
      }
    }
  }

  private void goesOn() throws IOException {
    Set<Long> before = new LinkedHashSet<>(order);
    try (LiveSlidingBloomFilter<Long> opened =
        SlidingBloomFilter.openLive(Bloomery.longs(), copy)) {
      assertRemembersTheLast(opened);
      for (int i = 0; i < 2 * KEYS; i++) {
        put(opened, random.nextLong(3 * KEYS));
        assertRemembersTheLast(opened);
      }
      opened.save(folder.resolve("saved.window"));
    }
    assertEquals(List.of(), SlidingFilterFiles.verify(copy, FilterProviders.installed()));
    assertRemembersTheLast(SlidingBloomFilter.open(Bloomery.longs(), copy));
    assertRemembersTheLast(
        SlidingBloomFilter.open(Bloomery.longs(), folder.resolve("saved.window")));
    order.clear();
    order.addAll(before);
  }

  /**
   * What was not forced may be lost, sector by sector, bits and counts apart, and is put again:
   * what was forced is remembered as long as if nothing had been lost.
   */
  @Test
  void aLossOfPowerForgetsNothingEarlyThatWasForced() throws IOException {
    for (int round = 0; round < 40; round++) {
      Files.deleteIfExists(file);
      order.clear();
      try (LiveSlidingBloomFilter<Long> live = builder().openOrCreate(file)) {
        for (int i = random.nextInt(5); i >= 0; i--) {
          putUntilForgotten(live);
        }
        for (int i = random.nextInt(8); i > 0; i--) {
          put(live, random.nextLong(3 * KEYS));
        }
        live.force();
        byte[] forced = bytes();
        long forgotten = live.filter().forgottenGenerations();
        // Keys that are put now count as put, but need not be remembered until they are put again.
        LinkedHashSet<Long> known = new LinkedHashSet<>(order);
        byte[] last = forced;
        for (int i = random.nextInt(1, 20); i > 0; i--) {
          put(live, 1_000 + random.nextLong(KEYS));
          if (live.filter().forgottenGenerations() != forgotten) {
            break;
          }
          last = bytes();
        }
        order.clear();
        order.addAll(known);
        byte[] crashed = forced.clone();
        mix(crashed, last, LiveLayout.SLOTS_AT + 2 * LiveControl.BLOCK, crashed.length);
        restart(crashed);
        Files.write(copy, crashed);
        try (LiveSlidingBloomFilter<Long> opened =
            SlidingBloomFilter.openLive(Bloomery.longs(), copy)) {
          assertRemembersTheLast(opened);
          for (int i = 0; i < 2 * KEYS; i++) {
            put(opened, 1_000 + random.nextLong(KEYS)); // again, which counts once
            assertRemembersTheLast(opened);
          }
        }
        assertEquals(List.of(), SlidingFilterFiles.verify(copy, FilterProviders.installed()));
      }
    }
  }

  /** A copy that is read while generations are forgotten is refused, or as the window was. */
  @Test
  void aCopyTakenWhileItIsWrittenToIsRefusedOrWhole() throws IOException {
    int refused = 0;
    for (int round = 0; round < 30; round++) {
      Files.deleteIfExists(file);
      order.clear();
      try (LiveSlidingBloomFilter<Long> live = builder().openOrCreate(file)) {
        putUntilForgotten(live);
        byte[] copied = bytes();
        LinkedHashSet<Long> known = new LinkedHashSet<>(order);
        // A program that copies reads the slots at once, before the tables.
        int tables = LiveLayout.SLOTS_AT + 2 * LiveControl.BLOCK;
        int cut = tables + random.nextInt((copied.length - tables) / SECTOR) * SECTOR;
        for (int i = random.nextInt(4); i > 0; i--) {
          putUntilForgotten(live);
        }
        byte[] later = bytes();
        System.arraycopy(later, cut, copied, cut, copied.length - cut);
        order.clear();
        order.addAll(known);
        Files.write(copy, copied);
        try (LiveSlidingBloomFilter<Long> opened =
            SlidingBloomFilter.openLive(Bloomery.longs(), copy)) {
          assertRemembersTheLast(opened);
        } catch (FilterFormatException e) {
          assertTrue(e.getMessage().contains("a copy that was taken"), e.getMessage());
          refused++;
        }
      }
    }
    assertTrue(refused > 0);
  }

  /** No byte that differs is answered as if it were whole, once the window is sealed. */
  @Test
  void damageOfASealedWindowIsFound() throws IOException {
    LiveSlidingBloomFilter<Long> live = builder().openOrCreate(file);
    for (int i = 0; i < 4; i++) {
      putUntilForgotten(live);
    }
    live.close();
    byte[] sealed = bytes();
    LiveLayout layout = LiveLayout.read(file);
    for (int i = 0; i < 300; i++) {
      byte[] damaged = sealed.clone();
      int table = random.nextInt(3);
      int at =
          switch (random.nextInt(3)) {
            case 0 -> LiveControl.SIZE + random.nextInt(LiveControl.BLOCK);
            case 1 -> (int) layout.tableAt(table) + random.nextInt(LiveControl.BLOCK);
            default -> (int) layout.filterAt(table) + random.nextInt((int) layout.length());
          };
      damaged[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(copy, damaged);
      assertThrows(
          FilterFormatException.class, () -> SlidingBloomFilter.open(Bloomery.longs(), copy));
      assertEquals(1, SlidingFilterFiles.verify(copy, FilterProviders.installed()).size());
    }
    for (int length : new int[] {0, 7, 8, 9, 4095, 12_288, sealed.length - 1}) {
      Files.write(copy, Arrays.copyOf(sealed, length));
      assertThrows(
          FilterFormatException.class, () -> SlidingBloomFilter.open(Bloomery.longs(), copy));
      assertThrows(
          FilterFormatException.class, () -> SlidingBloomFilter.openLive(Bloomery.longs(), copy));
    }
  }
}
