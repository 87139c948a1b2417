package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterLimits;
import io.bloomery.FilterSpec;
import io.bloomery.RemovableFilter;
import io.bloomery.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what is written, and that nothing else is read. */
class CountingPayloadTest {

  private static final CountingProvider PROVIDER = new CountingProvider();
  private static final int PLANE_WORDS = 6; // one block

  private CountingFilter filter;
  private long[] words;

  /** One block with two keys, one of them five and one seven times: some positions overflow. */
  @BeforeEach
  void fill() {
    filter = (CountingFilter) PROVIDER.create(new FilterSpec(5, 0.01), ThreadMode.SHARED);
    SplittableRandom random = new SplittableRandom(7);
    long one = random.nextLong();
    long other = random.nextLong();
    for (int i = 0; i < 7; i++) {
      filter.put(one);
      if (i < 5) {
        filter.put(other);
      }
    }
    words = Words.of(filter);
    assertTrue(words.length >= PLANE_WORDS + 2 * 6, "at least six positions must overflow");
  }

  private String refused(Consumer<long[]> damage) {
    long[] damaged = words.clone();
    damage.accept(damaged);
    return refused(damaged);
  }

  private String refused(long[] damaged) {
    return assertThrows(
            FilterFormatException.class, () -> Words.read(filter, damaged, ThreadMode.SHARED))
        .getMessage();
  }

  @Test
  void positionsThatOverflowFollowThePlanesInOrder() {
    long last = -1;
    for (int i = PLANE_WORDS; i < words.length; i += 2) {
      assertTrue(words[i] > last && words[i] < 128);
      assertTrue(words[i + 1] >= 1 && words[i + 1] <= 8);
      last = words[i];
    }
  }

  @Test
  void whatIsWrittenIsReadInBothModes() throws IOException {
    for (ThreadMode mode : ThreadMode.values()) {
      assertArrayEquals(words, Words.of(Words.read(filter, words, mode)));
    }
  }

  @ParameterizedTest(name = "{0} keys")
  @ValueSource(ints = {1, 100, 20_000})
  void aFilterSurvivesItsFile(int keys) throws IOException {
    Bloomery bloomery = Bloomery.with(PROVIDER);
    SplittableRandom random = new SplittableRandom(keys);
    RemovableFilter written =
        (RemovableFilter) PROVIDER.create(new FilterSpec(keys, 0.01), ThreadMode.SHARED);
    long[] hashes = random.longs(keys).toArray();
    for (int i = 0; i < keys; i++) {
      for (int times = 0; times <= i % 9; times++) {
        written.put(hashes[i]);
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Bloomery.write(written, out);
    assertEquals(out.size(), Bloomery.serializedSize(written));
    RemovableFilter read =
        (RemovableFilter)
            bloomery.read(new ByteArrayInputStream(out.toByteArray()), ThreadMode.SHARED);
    for (int i = 0; i < keys; i++) {
      assertEquals(written.approximateCount(hashes[i]), read.approximateCount(hashes[i]));
    }
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    Bloomery.write(read, again);
    assertArrayEquals(out.toByteArray(), again.toByteArray());
    for (int i = 0; i < keys; i++) {
      for (int times = 0; times <= i % 9; times++) {
        assertTrue(read.remove(hashes[i]));
      }
    }
    assertArrayEquals(Words.of(PROVIDER.create(written.spec(), ThreadMode.SHARED)), Words.of(read));
  }

  @Test
  void equalContentIsEqualBytesWhateverTheOrderItCameIn() {
    SplittableRandom random = new SplittableRandom(8);
    long[] hashes = random.longs(300).toArray();
    FilterSpec spec = new FilterSpec(100, 0.01);
    CountingFilter forwards = (CountingFilter) PROVIDER.create(spec, ThreadMode.SHARED);
    CountingFilter backwards = (CountingFilter) PROVIDER.create(spec, ThreadMode.CONFINED);
    for (int i = 0; i < hashes.length; i++) {
      for (int times = 0; times < 6; times++) {
        forwards.put(hashes[i]);
        backwards.put(hashes[hashes.length - 1 - i]);
      }
    }
    assertArrayEquals(Words.of(forwards), Words.of(backwards));
  }

  @Test
  void aCountWithoutPresenceIsRefused() {
    long bit = Long.lowestOneBit(~words[0]);
    assertTrue(refused(damaged -> damaged[2] |= bit).contains("present"));
    assertTrue(refused(damaged -> damaged[4] |= bit).contains("present"));
  }

  @Test
  void positionsOutOfOrderAreRefused() {
    assertTrue(
        refused(
                damaged -> {
                  damaged[6] = words[8];
                  damaged[7] = words[9];
                  damaged[8] = words[6];
                  damaged[9] = words[7];
                })
            .contains("ascend"));
    assertTrue(refused(damaged -> damaged[8] = damaged[6]).contains("ascend"));
  }

  @Test
  void positionsOutOfRangeAreRefused() {
    int last = words.length - 2;
    for (long position : new long[] {128, 1L << 32, Long.MAX_VALUE}) {
      assertTrue(refused(damaged -> damaged[last] = position).contains("below 128"));
    }
    for (long position : new long[] {-1, Long.MIN_VALUE}) {
      assertTrue(refused(damaged -> damaged[6] = position).contains("below 128"));
    }
  }

  @Test
  void countsOutOfRangeAreRefused() {
    for (long count : new long[] {0, -1, (1L << 62) + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertTrue(refused(damaged -> damaged[7] = count).contains("from 1 to"));
    }
  }

  @Test
  void overflowOfACounterThatIsNotFullIsRefused() {
    long position = words[6];
    assertTrue(position < 64);
    assertTrue(refused(damaged -> damaged[2] &= ~(1L << position)).contains("highest count"));
    assertTrue(refused(damaged -> damaged[3] &= ~(1L << position)).contains("highest count"));
  }

  @Test
  void anotherSizeIsRefused() {
    for (int length = 0; length < words.length + 20; length++) {
      // Whole entries fewer are a filter; more would be, if they were not zero.
      if (length < PLANE_WORDS || length % 2 != 0 || length > words.length) {
        refused(Arrays.copyOf(words, length));
      }
    }
  }

  @Test
  void anotherLayoutIsRefused() {
    long[] evil = {
      0,
      -1,
      1,
      2,
      10,
      5,
      7,
      9,
      64,
      127,
      129,
      255,
      1L << 31,
      1L << 36,
      (1L << 36) + 128,
      1L << 62,
      Long.MIN_VALUE,
      Long.MAX_VALUE
    };
    for (String name : filter.layout().keySet()) {
      for (long number : evil) {
        Map<String, Long> layout = new HashMap<>(filter.layout());
        layout.put(name, number);
        refusedLayout(layout);
      }
      Map<String, Long> layout = new HashMap<>(filter.layout());
      layout.remove(name);
      refusedLayout(layout);
    }
    Map<String, Long> layout = new HashMap<>(filter.layout());
    layout.put("stranger", 1L);
    refusedLayout(layout);
  }

  private void refusedLayout(Map<String, Long> layout) {
    assertThrows(
        FilterFormatException.class,
        () ->
            PROVIDER.read(
                filter.spec(),
                layout,
                new Words.Input(words),
                ThreadMode.SHARED,
                FilterLimits.HEAP),
        layout.toString());
  }

  @Test
  void everyBitThatFlipsIsRefusedOrReadAsItIs() throws IOException {
    int refused = 0;
    for (int bit = 0; bit < words.length * Long.SIZE; bit++) {
      long[] flipped = words.clone();
      flipped[bit / Long.SIZE] ^= 1L << bit;
      refused += readsAsItIs(flipped) ? 0 : 1;
    }
    assertTrue(refused > words.length * Long.SIZE / 2, "most flips must show, not " + refused);
  }

  @Property(tries = 20_000, seed = "20261124")
  void anyWordsAreRefusedOrReadAsTheyAre(
      @ForAll @IntRange(max = 40) int length,
      @ForAll long seed,
      @ForAll @IntRange(max = 8) int edits)
      throws IOException {
    fill();
    SplittableRandom random = new SplittableRandom(seed);
    long[] changed =
        edits == 0 ? random.longs(length).toArray() : Arrays.copyOf(words, words.length);
    for (int i = 0; i < edits; i++) {
      int at = random.nextInt(changed.length);
      changed[at] =
          switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextInt(130);
            case 2 -> changed[random.nextInt(changed.length)];
            default -> changed[at] ^ 1L << random.nextInt();
          };
    }
    readsAsItIs(changed);
  }

  /** Returns whether words were read, in which case the same must be written. */
  private boolean readsAsItIs(long[] changed) throws IOException {
    Filter read;
    try {
      read = Words.read(filter, changed, ThreadMode.SHARED);
    } catch (FilterFormatException e) {
      return false;
    }
    assertArrayEquals(changed, Words.of(read));
    return true;
  }
}
