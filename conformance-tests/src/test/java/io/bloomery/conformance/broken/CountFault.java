package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.FaultWindow.Sense;
import io.bloomery.filter.FilterProvider;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** What can be wrong with a filter that counts, beside what can be with any. */
public enum CountFault {
  PUT_LEAVES_OUT_A_POSITION(Rule.R53, Rule.R50),
  PUT_OF_WHAT_IS_THERE_COUNTS_ONCE(Rule.R53, Rule.R50),
  COUNT_STICKS(Rule.R50, Rule.R52),
  REMOVE_LEAVES_A_POSITION(Rule.R50, Rule.R49),
  REMOVE_TAKES_ONE_TOO_MANY(Rule.R50, Rule.R49),
  REMOVE_OF_THE_LAST_LEAVES_IT(Rule.R50, Rule.R51),
  REMOVE_SAYS_NO(Rule.R51, Rule.R50),
  REMOVE_OF_WHAT_IS_ABSENT_COUNTS(Rule.R51),
  REMOVE_WITHOUT_A_LOCK(Rule.R56, Rule.R57),
  REMOVE_ALL_SKIPS_ITS_LAST(Rule.R79),
  REMOVE_ALL_COUNTS_ALL(Rule.R79),
  COUNT_IS_ONE_TOO_LOW(Rule.R52),
  COUNT_IS_TWICE_TOO_HIGH(Rule.R52),
  COPY_FORGETS_HIGH_COUNTS(Rule.R54, Rule.R08),
  WRITE_FORGETS_HIGH_COUNTS(Rule.R54, Rule.R32),
  WRITE_DROPS_THE_LAST_COUNT(Rule.R32, Rule.R54),
  READ_DROPS_THE_LAST_COUNT(Rule.R32, Rule.R54),
  MERGE_TAKES_THE_HIGHER_COUNT(Rule.R55, Rule.R27),
  MERGE_FORGETS_HIGH_COUNTS(Rule.R55, Rule.R27),
  CLEAR_LEAVES_A_COUNT(Rule.R07);

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Rule> first;

  CountFault(Rule... first) {
    this.first = List.of(first);
  }

  /**
   * A fault with its numbers.
   *
   * @param fault what is wrong; null in a filter that is right
   * @param high from which count on it shows, where it is about high ones
   * @param minFrom from where a batch must begin
   * @param minLength how long it must be
   */
  public record Drawn(CountFault fault, FaultWindow window, int high, int minFrom, int minLength) {
    public static final Drawn NONE = new Drawn(null, null, 0, 0, 0);
  }

  /** Returns a provider with this fault in a window, from a count on if it is about high ones. */
  FilterProvider in(FaultWindow window, int high) {
    return FaultyCounts.provider(new Drawn(this, window, high, 0, 0));
  }

  /** Returns a provider with this fault in batches that begin so late and are so long. */
  FilterProvider inBatches(int minFrom, int minLength) {
    return FaultyCounts.provider(new Drawn(this, FaultWindow.EVERYWHERE, 0, minFrom, minLength));
  }

  public DrawnFault draw(SplittableRandom random) {
    FaultWindow window =
        this == READ_DROPS_THE_LAST_COUNT
            // Nothing was done to the new filter before.
            ? FaultWindow.draw(random, Sense.HASH_ID)
            : FaultWindow.draw(random, Sense.HISTORY, Sense.HASH_ID);
    // So often is the first hash of some cases put; more takes long and adds nothing.
    int high = (int) (2 * Math.pow(100, random.nextDouble()));
    int minFrom = random.nextBoolean() ? (int) Math.pow(10, 2 * random.nextDouble()) : 0;
    int minLength = random.nextBoolean() ? (int) Math.pow(10, 3 * random.nextDouble()) : 0;
    if (this == REMOVE_WITHOUT_A_LOCK) {
      // Of tables without stripes small ones show it as well as large ones.
      window = FaultWindow.draw(random);
    }
    Drawn drawn = new Drawn(this, window, high, minFrom, minLength);
    String what =
        String.format(
            Locale.ROOT,
            "counts: %s [%s] high %d, from %d, length %d",
            name().toLowerCase(Locale.ROOT).replace('_', ' '),
            window,
            high,
            minFrom,
            minLength);
    return new DrawnFault(what, FaultyCounts.provider(drawn), first);
  }
}
