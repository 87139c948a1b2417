package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
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
  private static final long FULL = (1L << 48) - 1;
  private static final long[] HASHES = new SplittableRandom(7).longs(12).toArray();

  private CountingFilter filter;
  private int blocks;
  private int fieldsAt; // the first word of the counts
  private int planesAt; // the first word of the planes
  private long[] words;

  /** An odd number of blocks, of which some are spilled and some are not. */
  @BeforeEach
  void fill() {
    filter = (CountingFilter) PROVIDER.create(FilterSpec.of(50, 0.01), ThreadMode.SHARED);
    for (int i = 0; i < HASHES.length; i++) {
      for (int times = 0; times <= 3 * i; times++) {
        filter.put(HASHES[i]);
      }
    }
    words = PayloadWords.of(filter);
    CountingLayout layout = CountingVariant.SMALL.layout(filter);
    assertEquals(48, layout.countBits(), "for the fields below");
    blocks = layout.blocks();
    fieldsAt = 2 * blocks;
    planesAt = fieldsAt + (int) layout.countWords();
    assertEquals(1, blocks % 2, "so that there is padding");
    assertTrue(spilled() > 1 && spilled() < blocks, spilled() + " of " + blocks + " are spilled");
  }

  private int spilled() {
    return (int) IntStream.range(0, blocks).filter(block -> field(block, 0) == FULL).count();
  }

  /** Returns the 48 bits of a word's counts, as the format describes them. */
  private long field(int block, int second) {
    return bits(words, fieldsAt * 64L + 96L * block + 48L * second, 48);
  }

  private static long bits(long[] words, long from, int length) {
    long bits = 0;
    for (int i = 0; i < length; i++) {
      bits |= (words[(int) ((from + i) / 64)] >>> (from + i) % 64 & 1) << i;
    }
    return bits;
  }

  private void setField(long[] damaged, int block, int second, long field) {
    for (int i = 0; i < 48; i++) {
      long at = fieldsAt * 64L + 96L * block + 48L * second + i;
      long bit = 1L << at % 64;
      damaged[(int) (at / 64)] =
          (field >>> i & 1) != 0 ? damaged[(int) (at / 64)] | bit : damaged[(int) (at / 64)] & ~bit;
    }
  }

  private int first(boolean isSpilled) {
    return IntStream.range(0, blocks)
        .filter(block -> (field(block, 0) == FULL) == isSpilled && words[2 * block] != 0)
        .findFirst()
        .orElseThrow();
  }

  private String refused(Consumer<long[]> damage) {
    long[] damaged = words.clone();
    damage.accept(damaged);
    return refused(damaged);
  }

  private String refused(long[] damaged) {
    return assertThrows(
            FilterFormatException.class,
            () -> CountingVariant.SMALL.read(filter, damaged, ThreadMode.SHARED))
        .getMessage();
  }

  /** Counts every position from the words, by the format's description, level by level. */
  @Test
  void wordsSayWhatWasPut() {
    long[] expected = new long[128 * blocks];
    for (int i = 0; i < HASHES.length; i++) {
      for (long at : PROVIDER.positions(HASHES[i], 128L * blocks, 4).orElseThrow()) {
        expected[(int) at] += 3 * i + 1;
      }
    }
    long[] actual = new long[expected.length];
    int next = planesAt;
    for (int block = 0; block < blocks; block++) {
      boolean isSpilled = field(block, 0) == FULL;
      for (int second = 0; second < 2; second++) {
        List<Integer> reached = new ArrayList<>();
        for (int bit = 0; bit < 64; bit++) {
          if ((words[2 * block + second] >>> bit & 1) != 0) {
            reached.add(128 * block + 64 * second + bit);
          }
        }
        reached.forEach(at -> actual[at] = 1);
        if (isSpilled) {
          for (int plane = 0; plane < field(block, 1); plane++) {
            long ones = words[next + 2 * plane + second];
            for (int at : reached) {
              actual[at] += (ones >>> at % 64 & 1) << plane;
            }
          }
        } else {
          long field = field(block, second);
          while (!reached.isEmpty()) {
            List<Integer> more = new ArrayList<>();
            for (int at : reached) {
              if ((field & 1) != 0) {
                actual[at]++;
                more.add(at);
              }
              field >>>= 1;
            }
            reached = more;
          }
        }
      }
      next += isSpilled ? 2 * (int) field(block, 1) : 0;
    }
    assertEquals(words.length, next);
    assertArrayEquals(expected, actual);
  }

  @Test
  void whatIsWrittenIsReadInBothModes() throws IOException {
    for (ThreadMode mode : ThreadMode.values()) {
      assertArrayEquals(words, PayloadWords.of(CountingVariant.SMALL.read(filter, words, mode)));
    }
  }

  @ParameterizedTest(name = "{0} keys")
  @ValueSource(ints = {1, 100, 20_000})
  void aFilterSurvivesItsFile(int keys) throws IOException {
    Bloomery bloomery = Bloomery.with(PROVIDER);
    SplittableRandom random = new SplittableRandom(keys);
    RemovableFilter written =
        (RemovableFilter) PROVIDER.create(FilterSpec.of(keys, 0.01), ThreadMode.SHARED);
    long[] hashes = random.longs(keys).toArray();
    for (int i = 0; i < keys; i++) {
      for (int times = 0; times <= i % 9; times++) {
        written.put(hashes[i]);
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(written, out);
    assertEquals(out.size(), FilterFiles.serializedSize(written));
    RemovableFilter read =
        (RemovableFilter)
            bloomery
                .files()
                .read(new ByteArrayInputStream(out.toByteArray()), OpenOptions.shared());
    for (int i = 0; i < keys; i++) {
      assertEquals(written.approximateCount(hashes[i]), read.approximateCount(hashes[i]));
    }
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    FilterFiles.write(read, again);
    assertArrayEquals(out.toByteArray(), again.toByteArray());
    for (int i = 0; i < keys; i++) {
      for (int times = 0; times <= i % 9; times++) {
        assertTrue(read.remove(hashes[i]));
      }
    }
    assertArrayEquals(
        PayloadWords.of(PROVIDER.create(written.spec(), ThreadMode.SHARED)), PayloadWords.of(read));
  }

  @Test
  void equalContentIsEqualBytesWhateverTheOrderItCameIn() {
    SplittableRandom random = new SplittableRandom(8);
    long[] hashes = random.longs(300).toArray();
    FilterSpec spec = FilterSpec.of(100, 0.01);
    CountingFilter forwards = (CountingFilter) PROVIDER.create(spec, ThreadMode.SHARED);
    CountingFilter backwards = (CountingFilter) PROVIDER.create(spec, ThreadMode.CONFINED);
    for (int i = 0; i < hashes.length; i++) {
      for (int times = 0; times < 6; times++) {
        forwards.put(hashes[i]);
        backwards.put(hashes[hashes.length - 1 - i]);
      }
    }
    assertArrayEquals(PayloadWords.of(forwards), PayloadWords.of(backwards));
  }

  @Test
  void countsThatNoPositionHasAreRefused() {
    int block = first(false);
    for (int bit = 47; field(block, 0) >>> bit == 0; bit--) {
      long more = field(block, 0) | 1L << bit;
      int sum = Long.bitCount(words[2 * block]) + Long.bitCount(field(block, 0));
      if (bit >= sum) {
        assertTrue(refused(damaged -> setField(damaged, block, 0, more)).contains("present"));
      }
    }
    assertTrue(refused(damaged -> setField(damaged, block, 1, FULL)).contains("present"));
    assertTrue(refused(damaged -> damaged[2 * block] = 0).contains("present"));
  }

  @Test
  void aNumberOfPlanesOutOfRangeIsRefused() {
    int block = first(true);
    for (long planes : new long[] {0, 63, 64, 1L << 32, FULL}) {
      String message = refused(damaged -> setField(damaged, block, 1, planes));
      assertTrue(message.contains("from 1 to 62"), message);
    }
    for (long planes : new long[] {1, 2, 40, 62}) {
      if (planes != field(block, 1)) {
        String message = refused(damaged -> setField(damaged, block, 1, planes));
        assertTrue(message.contains("for the planes of spilled blocks"), message);
      }
    }
  }

  @Test
  void planesOfPositionsThatAreAbsentAreRefused() {
    long absent = Long.lowestOneBit(~words[2 * first(true)]);
    assertTrue(refused(damaged -> damaged[planesAt] |= absent).contains("present"));
    assertTrue(refused(damaged -> damaged[planesAt + 2] |= absent).contains("present"));
  }

  @Test
  void aLastPlaneThatCountsNothingIsRefused() {
    int last = planesAt + 2 * (int) field(first(true), 1) - 2;
    String message =
        refused(
            damaged -> {
              damaged[last] = 0;
              damaged[last + 1] = 0;
            });
    assertTrue(message.contains("must count something"), message);
  }

  @Test
  void countsThatNeedNoPlanesAreRefused() {
    int block = first(true);
    String message =
        refused(
            damaged -> {
              int planes = (int) field(block, 1);
              Arrays.fill(damaged, planesAt, planesAt + 2 * planes, 0);
              damaged[planesAt + 2 * planes - 2] = Long.lowestOneBit(words[2 * block]);
            });
    assertTrue(message.contains("only counts that do not fit"), message);
  }

  @Test
  void bitsBehindTheCountsAreRefused() {
    for (int bit = 32; bit < 64; bit++) {
      long set = 1L << bit;
      assertTrue(refused(damaged -> damaged[planesAt - 1] |= set).contains("must be zero"));
    }
  }

  @Test
  void anotherSizeIsRefused() {
    for (int length = 0; length < words.length + 200; length++) {
      if (length != words.length) {
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
      3,
      10,
      5,
      7,
      9,
      16,
      33,
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
    for (String name : filter.layout().toMap().keySet()) {
      for (long number : evil) {
        Map<String, Long> layout = new HashMap<>(filter.layout().toMap());
        layout.put(name, number);
        refusedLayout(layout);
      }
      Map<String, Long> layout = new HashMap<>(filter.layout().toMap());
      layout.remove(name);
      refusedLayout(layout);
    }
    Map<String, Long> layout = new HashMap<>(filter.layout().toMap());
    layout.put("stranger", 1L);
    refusedLayout(layout);
  }

  private void refusedLayout(Map<String, Long> layout) {
    assertThrows(
        FilterFormatException.class,
        () ->
            PROVIDER.read(
                filter.spec(),
                FilterLayout.of(layout),
                new PayloadWords.Input(words),
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
      refused += CountingVariant.SMALL.readsAsItIs(filter, flipped) ? 0 : 1;
    }
    assertTrue(refused > words.length * Long.SIZE / 2, "most flips must show, not " + refused);
  }

  @Property(tries = 20_000, seed = "20261124")
  void anyWordsAreRefusedOrReadAsTheyAre(
      @ForAll @IntRange(max = 60) int length,
      @ForAll long seed,
      @ForAll @IntRange(max = 8) int edits)
      throws IOException {
    if (words == null) { // one filter for all tries
      fill();
    }
    CountingVariant.SMALL.readsAsItIs(filter, PayloadWords.changed(words, length, seed, edits));
  }
}
