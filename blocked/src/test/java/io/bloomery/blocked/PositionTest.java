package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTest {

  private static final int HASHES = 1_000_000;
  private static final int REGIONS = 64;
  private static final int BUCKETS = 32;

  @ParameterizedTest(name = "{0} blocks")
  @ValueSource(longs = {64, 1 << 16, (1L << 29) - 2, 1L << 31, 3L << 30, 1L << 32})
  void hashesFallEvenlyOnBlocks(long blocks) {
    SplittableRandom random = new SplittableRandom(22);
    long[] counts = new long[REGIONS];
    long lowest = 0;
    long highest = 0;
    for (int n = 0; n < HASHES; n++) {
      long block = FourWordFilter.block(random.nextLong(), blocks);
      lowest = Math.min(lowest, block);
      highest = Math.max(highest, block);
      counts[region(Math.max(0, block), blocks)]++;
    }
    assertTrue(lowest >= 0, "lowest block " + lowest);
    assertTrue(highest < blocks, "highest block " + highest);
    assertTrue(highest >= 0.9999 * (blocks - 1), "highest block " + highest);
    Tails.assertEven(counts, blocks + " blocks");
  }

  private static int region(long position, long size) {
    return (int) Math.min(REGIONS - 1, position / (size / REGIONS));
  }

  @Test
  void bitsWithinABlockAreEvenAmongHashesOfTheSameBlock() {
    SplittableRandom random = new SplittableRandom(23);
    long block = 123_456_789;
    // All hashes of one block among 2^29, which share their 29 highest bits.
    long[][] first = new long[Blocks.WORDS][64];
    long[] common = new long[Blocks.WORDS];
    for (int n = 0; n < HASHES; n++) {
      long hash = (block << 35) | (random.nextLong() >>> 29);
      assertEquals(block, FourWordFilter.block(hash, 1L << 29));
      for (int j = 0; j < Blocks.WORDS; j++) {
        long mask = FourWordFilter.mask(FourWordFilter.pattern(hash), j);
        if (Long.bitCount(mask) == 1) {
          common[j]++;
        } else {
          first[j][Long.numberOfTrailingZeros(mask)]++;
          first[j][63 - Long.numberOfLeadingZeros(mask)]++;
        }
      }
    }
    for (int j = 0; j < Blocks.WORDS; j++) {
      Tails.assertBinomial(common[j], HASHES, 1.0 / 64, "pairs that coincide in word " + j);
      Tails.assertEven(first[j], "bits of word " + j);
    }
  }

  @Test
  void wordsOfABlockTakeTheirBitsIndependently() {
    SplittableRandom random = new SplittableRandom(24);
    for (int j = 1; j < Blocks.WORDS; j++) {
      long[][] counts = new long[BUCKETS][BUCKETS];
      for (int n = 0; n < HASHES; n++) {
        long hash = random.nextLong();
        counts[bucket(FourWordFilter.mask(FourWordFilter.pattern(hash), j - 1))][
            bucket(FourWordFilter.mask(FourWordFilter.pattern(hash), j))]++;
      }
      Tails.assertIndependent(counts, "lowest bits of words " + (j - 1) + " and " + j);
    }
  }

  @ParameterizedTest(name = "{0} blocks")
  @ValueSource(longs = {1, 7, (1 << 20) - 3, Integer.MAX_VALUE - 1})
  void theFirstWordOfAHashIsWhereItsPositionsBegin(long blocks) {
    SplittableRandom random = new SplittableRandom(26);
    for (int n = 0; n < 10_000; n++) {
      long hash = n == 0 ? -1 : random.nextLong();
      long word = TwoWordFilter.positions(hash, blocks)[0] / 64;
      assertEquals(word, TwoWordFilter.first(hash, 2 * blocks));
    }
  }

  @Test
  void theWordsOfAHashAreEvenAndSoAreItsBitsInThem() {
    SplittableRandom random = new SplittableRandom(25);
    long[] blocks = new long[7];
    long[][] bits = new long[2][64];
    long[][] sets = new long[2][4096];
    for (int n = 0; n < HASHES; n++) {
      long hash = random.nextLong();
      blocks[TwoWordFilter.first(hash, 2 * 7)]++;
      long pattern = hash >>> 58;
      count(TwoWordFilter.firstMask(hash), bits[0], sets[0], pattern | (hash >>> 26 & 0xfc0));
      count(TwoWordFilter.secondMask(hash), bits[1], sets[1], pattern | (hash >>> 32 & 0xfc0));
    }
    Tails.assertEven(blocks, "blocks");
    for (int i = 0; i < 2; i++) {
      Tails.assertEven(bits[i], "bits of word " + i);
      Tails.assertEven(sets[i], "sets of word " + i);
    }
  }

  private static void count(long mask, long[] bits, long[] sets, long set) {
    assertEquals(3, Long.bitCount(mask));
    for (long left = mask; left != 0; left &= left - 1) {
      bits[Long.numberOfTrailingZeros(left)]++;
    }
    sets[(int) set & 4095]++;
  }

  // The lowest bit is rarely a high one: those share a bucket.
  private static int bucket(long mask) {
    return Math.min(BUCKETS - 1, Long.numberOfTrailingZeros(mask));
  }
}
