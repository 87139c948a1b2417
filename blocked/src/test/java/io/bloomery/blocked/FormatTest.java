package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The places of a key's bits, which files fix for ever, computed once more in whole numbers. */
class FormatTest {

  private static final FilterSpec SPEC = FilterSpec.of(10, 0.1);
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  @Property(seed = "72", tries = 300)
  void bitsInFourWordsLieWhereTheFormatSays(
      @ForAll long hash, @ForAll @IntRange(min = 1, max = 50) int blocks, @ForAll ThreadMode mode) {
    BitTable table = new BitTable(256L * blocks, mode);
    new FourWordFilter(new BlockedProvider(), SPEC, table).put(hash);
    long[] expected = new long[4 * blocks];
    int block = scaled(unsigned(hash), blocks);
    BigInteger pattern = unsigned(hash).multiply(unsigned(0x9E3779B97F4A7C15L)).mod(TWO_TO_64);
    for (int i = 0; i < 8; i++) {
      int bit = pattern.shiftRight(16 + 6 * i).intValue() & 63;
      set(expected, 256 * block + 64 * (i / 2) + bit);
    }
    assertArrayEquals(expected, table.sharedWords());
  }

  @Property(seed = "73", tries = 300)
  void bitsInTwoWordsLieWhereTheFormatSays(
      @ForAll long hash, @ForAll @IntRange(min = 4, max = 200) int words, @ForAll ThreadMode mode) {
    BitTable table = new BitTable(64L * words, mode);
    new TwoWordFilter(new BlockedProvider(), SPEC, table).put(hash);
    long[] expected = new long[words];
    int first = word(unsigned(hash), words - 1);
    int second = first + 1;
    int pattern = field(hash, 58, 6);
    for (int[] word : new int[][] {{first, 32}, {second, 38}}) {
      int rotation = field(hash, word[1], 6);
      for (int bit : new int[] {0, 1 + pattern % 31, 32 + pattern / 2}) {
        set(expected, 64 * word[0] + (bit + rotation) % 64);
      }
    }
    assertArrayEquals(expected, table.sharedWords());
  }

  private static int field(long hash, int from, int bits) {
    return unsigned(hash).shiftRight(from).intValue() & ((1 << bits) - 1);
  }

  private static BigInteger unsigned(long value) {
    return BigInteger.valueOf(value).mod(TWO_TO_64);
  }

  private static int word(BigInteger probe, int words) {
    BigInteger value = probe.mod(BigInteger.ONE.shiftLeft(32));
    return value.multiply(BigInteger.valueOf(words)).shiftRight(32).intValueExact();
  }

  /** Returns the high 63 bits of a probe as a share of {@code size}, rounded down. */
  private static int scaled(BigInteger probe, int size) {
    return probe.shiftRight(1).multiply(BigInteger.valueOf(size)).shiftRight(63).intValue();
  }

  private static void set(long[] words, int bit) {
    words[bit / 64] |= 1L << bit;
  }
}
