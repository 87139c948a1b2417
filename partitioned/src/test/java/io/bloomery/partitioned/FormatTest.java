package io.bloomery.partitioned;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import java.math.BigInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** The places of a key's bits, which files fix for ever, computed once more in whole numbers. */
class FormatTest {

  private static final FilterSpec SPEC = FilterSpec.of(10, 0.1);
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  @Property(seed = "71", tries = 300)
  void bitsLieWhereTheFormatSays(
      @ForAll long hash,
      @ForAll @IntRange(min = 1, max = 32) int slices,
      @ForAll @IntRange(min = 32, max = 200) int words,
      @ForAll ThreadMode mode) {
    BitTable table = new BitTable(64L * words, mode);
    new PartitionedFilter(
            new PartitionedProvider(),
            SPEC,
            TableLayout.ofBits(table.sizeInBits()).withProbes(slices),
            table)
        .put(hash);
    int sliceWords = words / slices;
    long[] expected = new long[words];
    BigInteger number = unsigned(hash);
    for (int i = 0; i < slices; i++) {
      if (i >= 4 && i % 3 == 1) {
        number = rotated(number.multiply(unsigned(0xd1342543de82ef95L)).mod(TWO_TO_64), 60);
      }
      BigInteger probe = i < 4 ? rotated(number, 16 * i) : rotated(number, 10 * ((i - 4) % 3));
      int word = i * sliceWords + word(probe, sliceWords);
      set(expected, 64 * word + (rotated(probe, i < 4 ? 16 : 10).intValue() & 63));
    }
    assertArrayEquals(expected, table.sharedWords());
  }

  private static BigInteger rotated(BigInteger number, int by) {
    BigInteger shifted = number.shiftLeft(by);
    return shifted.mod(TWO_TO_64).or(shifted.shiftRight(64));
  }

  private static BigInteger unsigned(long value) {
    return BigInteger.valueOf(value).mod(TWO_TO_64);
  }

  private static int word(BigInteger probe, int words) {
    BigInteger value = probe.mod(BigInteger.ONE.shiftLeft(32));
    return value.multiply(BigInteger.valueOf(words)).shiftRight(32).intValueExact();
  }

  private static void set(long[] words, int bit) {
    words[bit / 64] |= 1L << bit;
  }
}
