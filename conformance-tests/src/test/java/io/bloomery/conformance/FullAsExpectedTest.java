package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What filters that were folded say of themselves with the expected number of keys. */
class FullAsExpectedTest {

  private static final int KEYS = 3_000;
  private static final int FILLS = 40;

  private static final FilterSpec SPEC = FilterSpec.of(KEYS, 0.005);

  static Stream<FilterProvider> providers() {
    return Bloomery.installed().providers().all().stream()
        .filter(provider -> provider.plan(SPEC).folding().refusal(1).isEmpty());
  }

  /**
   * Of each factor 40 fills, two of which may be beyond four standard errors: chance, 1e-8 for
   * each. One with twice the keys is overfull where an estimate can tell.
   */
  @ParameterizedTest
  @MethodSource("providers")
  void aFoldedFilterOfTheExpectedKeysIsNotOverfull(FilterProvider provider) {
    MergeableFilter planned = (MergeableFilter) provider.create(SPEC, ThreadMode.CONFINED);
    SplittableRandom random = new SplittableRandom(17);
    for (int factor : planned.folding().factors()) {
      int overfull = 0;
      Filter folded = planned.folded(factor);
      for (int fill = 0; fill < FILLS; fill++) {
        folded.clear();
        folded.putAll(random.longs(KEYS).toArray(), 0, KEYS);
        FilterStats stats = folded.stats();
        // If all bits are set, nobody knows.
        overfull += stats.approximateKeys().isPresent() && stats.isOverfull() ? 1 : 0;
      }
      int times = overfull;
      assertTrue(overfull <= 2, () -> times + " of " + FILLS + " in " + folded);
      if (factor == 1) {
        folded.putAll(random.longs(KEYS).toArray(), 0, KEYS);
        assertTrue(folded.stats().isOverfull(), folded::toString);
      }
    }
  }
}
