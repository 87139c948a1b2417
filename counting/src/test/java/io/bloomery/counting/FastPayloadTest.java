package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks what {@code counting-fast} writes, and that nothing else is read. */
class FastPayloadTest {

  private static final CountingVariant FAST = CountingVariant.FAST;
  private static final long[] HASHES = new SplittableRandom(7).longs(40).toArray();

  private CounterBlockFilter<?> filter;
  private int blocks;
  private int twiceAt; // the first word of "twice"
  private int listsAt; // the first word of the lists
  private int planesAt; // the first word of the planes
  private long[] words;

  /** An odd number of blocks, of which some are spilled, and some that are not have entries. */
  @BeforeEach
  void fill() {
    filter = FAST.create(FilterSpec.of(140, 0.01), ThreadMode.SHARED);
    for (int i = 0; i < HASHES.length; i++) {
      for (int times = 0; times <= (i % 8 == 7 ? i : i % 3); times++) {
        filter.put(HASHES[i]);
      }
    }
    words = PayloadWords.of(filter);
    blocks = FAST.layout(filter).blocks();
    twiceAt = 2 * blocks;
    listsAt = 4 * blocks;
    planesAt = listsAt + (blocks + 1) / 2;
    assertEquals(1, blocks % 2, "so that there is padding");
    assertTrue(blocks(Integer.MIN_VALUE, Integer.MIN_VALUE) > 1, "spilled blocks");
    assertTrue(blocks(Integer.MIN_VALUE, 0) > 1, "blocks that are not");
  }

  private int blocks(int mask, int bits) {
    return (int) IntStream.range(0, blocks).filter(block -> (list(block) & mask) == bits).count();
  }

  /** Returns the 32 bits of a block's list. */
  private int list(int block) {
    return (int) (words[listsAt + block / 2] >>> (32 * (block % 2)));
  }

  private int first(boolean isSpilled) {
    return IntStream.range(0, blocks)
        .filter(block -> isSpilled ? list(block) < 0 : list(block) >>> 28 > 1 && list(block) > 0)
        .findFirst()
        .orElseThrow();
  }

  private String refusedList(int block, int list) {
    return refused(
        damaged -> {
          int shift = 32 * (block % 2);
          damaged[listsAt + block / 2] &= ~(0xffff_ffffL << shift);
          damaged[listsAt + block / 2] |= (list & 0xffff_ffffL) << shift;
        });
  }

  private String refused(Consumer<long[]> damage) {
    long[] damaged = words.clone();
    damage.accept(damaged);
    return assertThrows(
            FilterFormatException.class, () -> FAST.read(filter, damaged, ThreadMode.SHARED))
        .getMessage();
  }

  /** Counts every position from the words, by the format's description. */
  @Test
  void wordsSayWhatWasPut() {
    long[] expected = new long[128 * blocks];
    for (int i = 0; i < HASHES.length; i++) {
      for (long at : FAST.provider().positions(HASHES[i], 128L * blocks, 4).orElseThrow()) {
        expected[(int) at] += (i % 8 == 7 ? i : i % 3) + 1;
      }
    }
    long[] actual = new long[expected.length];
    int next = planesAt;
    for (int block = 0; block < blocks; block++) {
      boolean isSpilled = list(block) < 0;
      int planes = isSpilled ? list(block) & Integer.MAX_VALUE : 0;
      for (int i = 0; i < 128; i++) {
        int word = 2 * block + i / 64;
        long count = words[word] >>> i & 1;
        if (isSpilled) {
          assertEquals(-1, words[twiceAt + word]);
          for (int plane = 0; plane < planes; plane++) {
            count += (words[next + 2 * plane + i / 64] >>> i & 1) << plane;
          }
        } else {
          count += words[twiceAt + word] >>> i & 1;
        }
        actual[128 * block + i] = count;
      }
      for (int i = 0; !isSpilled && i < list(block) >>> 28; i++) {
        actual[128 * block + ((list(block) >>> (7 * i)) & 127)]++;
      }
      next += 2 * planes;
    }
    assertEquals(words.length, next);
    assertArrayEquals(expected, actual);
  }

  @Test
  void whatIsWrittenIsReadInBothModes() throws IOException {
    for (ThreadMode mode : ThreadMode.values()) {
      assertArrayEquals(words, PayloadWords.of(FAST.read(filter, words, mode)));
    }
  }

  @Test
  void equalContentIsEqualBytesWhateverTheOrderItCameIn() {
    CounterBlockFilter<?> backwards = FAST.create(filter.spec(), ThreadMode.CONFINED);
    for (int i = HASHES.length - 1; i >= 0; i--) {
      for (int times = 0; times <= (i % 8 == 7 ? i : i % 3); times++) {
        backwards.put(HASHES[i]);
      }
    }
    assertArrayEquals(words, PayloadWords.of(backwards));
    for (long hash : HASHES) {
      backwards.put(hash);
      backwards.put(hash);
    }
    for (long hash : HASHES) {
      assertTrue(backwards.remove(hash));
      assertTrue(backwards.remove(hash));
    }
    assertArrayEquals(words, PayloadWords.of(backwards));
  }

  @Test
  void whatIsThereTwiceButNotOnceIsRefused() {
    int block = first(false);
    for (int word = 2 * block; word < 2 * block + 2; word++) {
      long absent = Long.lowestOneBit(~words[word]);
      int at = twiceAt + word;
      assertTrue(refused(damaged -> damaged[at] |= absent).contains("must be present"));
    }
  }

  @Test
  void entriesThatNoCountsGiveAreRefused() {
    int block = first(false);
    int list = list(block);
    int size = list >>> 28;
    assertTrue(refusedList(block, list - (1 << 28)).contains("entries"), "more than there are");
    assertTrue(refusedList(block, (list & 0xfffffff) | 5 << 28).contains("entries"), "five");
    int swapped = (list & ~0x3fff) | (list & 127) << 7 | (list >>> 7 & 127);
    if (swapped != list) {
      assertTrue(refusedList(block, swapped).contains("ascending"), "not in order");
    }
    for (int at = 0; at < 128; at++) {
      if ((words[twiceAt + 2 * block + at / 64] >>> at & 1) == 0) {
        assertTrue(refusedList(block, at | 1 << 28).contains("entries"), "once or never there");
      }
    }
    assertTrue(size > 1);
  }

  @Test
  void aSpilledBlockHasAllBitsOfTwiceAndAPossibleNumberOfPlanes() {
    int block = first(true);
    for (int bit = 0; bit < 128; bit++) {
      int word = twiceAt + 2 * block + bit / 64;
      long clear = ~(1L << bit);
      assertTrue(refused(damaged -> damaged[word] &= clear).contains("spilled"));
    }
    for (int planes : new int[] {0, 63, 64, 1 << 30, Integer.MAX_VALUE}) {
      String message = refusedList(block, planes | Integer.MIN_VALUE);
      assertTrue(message.contains("from 1 to 62"), message);
    }
    int fewer = list(block) - 1;
    assertTrue(refusedList(block, fewer).contains("for the planes of spilled blocks"));
  }

  @Test
  void planesThatAreNotNeededOrNotOfWhatIsPresentAreRefused() {
    int block = first(true);
    int planes = list(block) & Integer.MAX_VALUE;
    long absent = Long.lowestOneBit(~words[2 * block]);
    assertTrue(refused(damaged -> damaged[planesAt] |= absent).contains("must be present"));
    String message =
        refused(
            damaged -> Arrays.fill(damaged, planesAt + 2 * planes - 2, planesAt + 2 * planes, 0));
    assertTrue(message.contains("must count something"), message);
    CounterBlockFilter<?> one = FAST.filterOf(1, 2, FAST.countBits);
    for (int i = 0; i < 4; i++) {
      one.put(HASHES[0]);
    }
    long[] spilled = PayloadWords.of(one);
    assertEquals(5 + 2 * 2, spilled.length, "a count of 4 of four positions does not fit");
    spilled[6] = 0; // count - 1 of the positions of one word, by plane: 3, so that it becomes 1
    spilled[8] = 0;
    spilled[5] = spilled[0];
    FilterFormatException refused =
        assertThrows(FilterFormatException.class, () -> FAST.read(one, spilled, ThreadMode.SHARED));
    assertTrue(refused.getMessage().contains("only counts that do not fit"), refused::getMessage);
  }

  @Test
  void bitsBehindTheListsAreRefused() {
    for (int bit = 32; bit < 64; bit++) {
      long set = 1L << bit;
      assertTrue(refused(damaged -> damaged[planesAt - 1] |= set).contains("must be zero"));
    }
  }

  @Test
  void anotherSizeIsRefused() {
    for (int length = 0; length < words.length + 200; length++) {
      if (length != words.length) {
        long[] other = Arrays.copyOf(words, length);
        assertThrows(
            FilterFormatException.class, () -> FAST.read(filter, other, ThreadMode.SHARED));
      }
    }
  }

  @Test
  void everyBitThatFlipsIsRefusedOrReadAsItIs() throws IOException {
    int refused = 0;
    for (int bit = 0; bit < words.length * Long.SIZE; bit++) {
      long[] flipped = words.clone();
      flipped[bit / Long.SIZE] ^= 1L << bit;
      refused += FAST.readsAsItIs(filter, flipped) ? 0 : 1;
    }
    assertTrue(refused > words.length * Long.SIZE / 3, "many flips must show, not " + refused);
  }

  @Property(tries = 20_000, seed = "20261125")
  void anyWordsAreRefusedOrReadAsTheyAre(
      @ForAll @IntRange(max = 90) int length,
      @ForAll long seed,
      @ForAll @IntRange(max = 8) int edits)
      throws IOException {
    if (words == null) { // one filter for all tries
      fill();
    }
    FAST.readsAsItIs(filter, PayloadWords.changed(words, length, seed, edits));
  }
}
