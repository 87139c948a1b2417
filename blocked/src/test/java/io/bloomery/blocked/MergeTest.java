package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableLayout;
import java.util.SplittableRandom;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class MergeTest {

  private static final FilterSpec SPEC = FilterSpec.of(1, 0.1);

  @Property(seed = "67", tries = 400, edgeCases = EdgeCasesMode.NONE)
  void aMergedTableHasTheBitsOfBothWhateverItsNumberOfWords(
      @ForAll boolean ofTwoWords,
      @ForAll ThreadMode mode,
      @ForAll @IntRange(min = 1, max = 50) int size,
      @ForAll long seed) {
    // Whole regions, which are locked one by one, among others.
    int words = size % 5 == 0 ? 64 * (size / 5) : ofTwoWords ? 3 + size : 4 * size;
    SplittableRandom random = new SplittableRandom(seed);
    BitTable table = table(words, mode, random);
    BitTable more = table(words, mode, random);
    long[] expected = table.sharedWords().clone();
    for (int i = 0; i < words; i++) {
      expected[i] |= more.sharedWords()[i];
    }
    wrap(table, ofTwoWords).putAll(wrap(more, ofTwoWords));
    for (int i = 0; i < words; i++) {
      assertEquals(expected[i], table.sharedWords()[i], "word " + i);
    }
  }

  private static BitTable table(int words, ThreadMode mode, SplittableRandom random) {
    BitTable table = new BitTable(words * 64L, mode);
    for (int i = 0; i < words; i++) {
      long half = random.nextLong();
      table.sharedWords()[i] = half & random.nextLong();
    }
    return table;
  }

  private static MergeableFilter wrap(BitTable table, boolean ofTwoWords) {
    int probes = ofTwoWords ? TwoWordFilter.PROBES : FourWordFilter.PROBES;
    TableLayout layout = TableLayout.ofBits(table.sizeInBits()).withProbes(probes);
    return new BlockedProvider().wrap(SPEC, layout, table);
  }
}
