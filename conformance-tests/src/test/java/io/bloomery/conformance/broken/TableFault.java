package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.FaultWindow.Sense;
import io.bloomery.filter.FilterProvider;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What can be wrong with a filter that keeps bits in a table.
 *
 * <p>What no rule can see is not here: set bits that are miscounted in a filter neither empty nor
 * full, since only a variant knows what it counts; a rate that is too low by a little; positions
 * that are uneven in a table of few words.
 */
public enum TableFault {
  LOSES_A_BIT(Kind.PUT, Rule.R01),
  LOSES_A_SEGMENT(Kind.PUT, Rule.R01),
  USES_FEWER_BITS(Kind.RATE, Rule.R11),
  QUERIES_ONE_PROBE_FEWER(Kind.RATE, Rule.R03, Rule.R11),
  USES_HALF_THE_HASH(Kind.SIZE, Rule.R05, Rule.R11),
  SAYS_NEW_OF_WHAT_IS_THERE(Kind.PUT, Rule.R03),
  SAYS_OLD_OF_WHAT_IS_NEW(Kind.PUT, Rule.R03),
  SETS_A_BIT_FOR_WHAT_IS_THERE(Kind.PUT, Rule.R10),
  COPY_DROPS_A_WORD(Kind.CONTENT, Rule.R08, Rule.R01),
  COPY_SHARES_THE_TABLE(Kind.CALL, Rule.R08),
  COPY_FORGETS_LIMITS(Kind.CALL, Rule.R78),
  COPY_FORGETS_THE_HASH_ID(Kind.CALL, Rule.R08, Rule.R32),
  WRITE_DROPS_A_WORD(Kind.CONTENT, Rule.R32, Rule.R01),
  READ_DROPS_A_WORD(Kind.READ, Rule.R32, Rule.R01),
  READ_FORGETS_ATTRIBUTES(Kind.SIZE, Rule.R77),
  READ_PLANS_THE_LAYOUT_AGAIN(Kind.SIZE, Rule.R75),
  MAP_DROPS_A_WORD(Kind.MAP, Rule.R76),
  MERGE_DROPS_A_WORD(Kind.CONTENT, Rule.R27),
  MERGE_CHANGES_ITS_ARGUMENT(Kind.CONTENT, Rule.R28),
  MERGE_REFUSES_WHAT_FITS(Kind.CALL, Rule.R31, Rule.R27),
  MERGE_TAKES_OTHER_HASH_IDS(Kind.CALL, Rule.R30),
  CLEAR_LEAVES_A_WORD(Kind.CONTENT, Rule.R07),
  SELECT_LOSES_ITS_LAST_HIT(Kind.BATCH, Rule.R25),
  SELECT_LOSES_ITS_FIRST_HIT(Kind.BATCH, Rule.R25),
  SELECT_COUNTS_FROM_ZERO(Kind.BATCH, Rule.R25),
  PUT_ALL_SKIPS_ITS_LAST(Kind.BATCH, Rule.R24),
  PUT_ALL_COUNTS_ONE_MORE(Kind.BATCH, Rule.R24),
  PUT_ALL_COUNTS_WHAT_IS_THERE(Kind.BATCH, Rule.R24),
  PLAN_SAYS_FEWER_BITS(Kind.SIZE, Rule.R21),
  PLAN_SAYS_MORE_BITS(Kind.SIZE, Rule.R21),
  PLAN_SAYS_TOO_LOW_A_RATE(Kind.PLANNED_RATE, Rule.R12, Rule.R11),
  PLAN_SAYS_TOO_HIGH_A_RATE(Kind.SIZE, Rule.R18),
  PLAN_FALLS_WITH_KEYS(Kind.SIZE, Rule.R18),
  STATS_SAY_TOO_LOW_A_RATE(Kind.MEASURED, Rule.R14),
  STATS_SAY_TOO_HIGH_A_RATE(Kind.MEASURED, Rule.R14),
  STATS_SAY_TOO_MANY_KEYS(Kind.MEASURED, Rule.R15),
  STATS_COUNT_IN_EMPTY_FILTERS(Kind.SIZE, Rule.R17),
  PAYLOAD_SIZE_IS_WRONG(Kind.CALL, Rule.R33),
  EQUALS_ITS_COPY(Kind.SIZE, Rule.R47),
  READ_TAKES_A_WORD_MORE(Kind.SIZE, Rule.R38, Rule.R65),
  MAP_TAKES_A_WORD_MORE(Kind.SIZE, Rule.R38),
  MAP_SHARES_A_BUFFER(Kind.SIZE, Rule.R42),
  CHECK_REFUSES_EMPTY_FILTERS(Kind.SIZE, Rule.R32),
  LOSES_AN_EXTREME_HASH_OF_A_BATCH(Kind.SIZE, Rule.R02),
  COPY_KEEPS_OLD_STATS(Kind.SIZE, Rule.R08),
  STATS_SAY_IT_GROWS(Kind.SIZE, Rule.R22),
  PLAIN_WRITES(Kind.THREADS, Rule.R40, Rule.R70),
  STRIPE_BY_THREAD(Kind.THREADS, Rule.R41),
  NO_STRIPE(Kind.THREADS, Rule.R41),
  NO_STRIPE_IN_BATCHES(Kind.THREADS, Rule.R69);

  /** What a fault can depend on. */
  private enum Kind {
    /** One hash, and all else. */
    PUT(Sense.values()),
    /** One call that moves content. */
    CONTENT(Sense.MODE, Sense.HASH_ID, Sense.HISTORY),
    /** Reading, before which nothing was done to the new filter. */
    READ(Sense.MODE, Sense.HASH_ID),
    /** Mapping, which has no thread mode. */
    MAP(Sense.HASH_ID),
    /** One call. */
    CALL(Sense.MODE, Sense.HISTORY),
    /** A batch. */
    BATCH(Sense.MODE, Sense.HISTORY, Sense.FILL),
    /** Nothing but the size: whatever is told before there is a filter. */
    SIZE,
    /** The same, where the rate tells. */
    RATE,
    PLANNED_RATE,
    /** What is measured in a filter that holds some keys. */
    MEASURED(Sense.MODE),
    /** Two threads, in shared filters. */
    THREADS;

    @SuppressWarnings("ImmutableEnumChecker") // nobody else has it
    private final Sense[] senses;

    Kind(Sense... senses) {
      this.senses = senses;
    }
  }

  private final Kind kind;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Rule> first;

  TableFault(Kind kind, Rule... first) {
    this.kind = kind;
    this.first = List.of(first);
  }

  /**
   * A fault with its numbers.
   *
   * @param fault what is wrong; null in a filter that is right
   * @param share a number from 0 to 1: which word, or how many bits
   * @param minFrom from where a batch must begin
   * @param minLength how long it must be
   */
  public record Drawn(
      TableFault fault, FaultWindow window, double share, int minFrom, int minLength) {
    public static final Drawn NONE = new Drawn(null, null, 0, 0, 0);
  }

  private static final double FEW_WORDS = 128;

  /** Returns a provider with this fault in every filter. */
  FilterProvider everywhere() {
    return in(FaultWindow.EVERYWHERE);
  }

  /** Returns a provider with this fault in a window. */
  FilterProvider in(FaultWindow window) {
    return in(window, 0.3);
  }

  /** Returns a provider with this fault in a window, at a place in the table. */
  FilterProvider in(FaultWindow window, double share) {
    return new FaultyTable.Provider(new Drawn(this, window, share, 0, 0));
  }

  /** Returns a provider with this fault in batches that begin so late and are so long. */
  FilterProvider inBatches(FaultWindow window, int minFrom, int minLength) {
    return new FaultyTable.Provider(new Drawn(this, window, 0.3, minFrom, minLength));
  }

  public DrawnFault draw(SplittableRandom random) {
    FaultWindow window = window(random);
    while (!window.isOffered()) {
      window = window(random);
    }
    boolean isBatch = kind == Kind.BATCH;
    int minFrom = isBatch && random.nextBoolean() ? (int) Math.pow(10, 3 * random.nextDouble()) : 0;
    int minLength =
        isBatch && random.nextBoolean() ? (int) Math.pow(10, 4 * random.nextDouble()) : 0;
    if (this == SELECT_COUNTS_FROM_ZERO) {
      minFrom = Math.max(1, minFrom);
    }
    Drawn drawn = new Drawn(this, window, random.nextDouble(), minFrom, minLength);
    String what =
        String.format(
            Locale.ROOT,
            "%s [%s%s] share %.2f",
            name().toLowerCase(Locale.ROOT).replace('_', ' '),
            window,
            isBatch ? ", from " + minFrom + ", length " + minLength : "",
            drawn.share);
    return new DrawnFault(what, new FaultyTable.Provider(drawn), first);
  }

  private FaultWindow window(SplittableRandom random) {
    return switch (kind) {
      // Tables of whole words are a little too large, and high rates hardly depend on the size.
      case RATE, PLANNED_RATE ->
          FaultWindow.draw(random, kind.senses).upTo(0.3).fromBytes(FEW_WORDS);
      // A few keys tell nothing of a rate, nor is an estimate of them close.
      case MEASURED -> measured(random);
      // In tables of one stripe another one cannot be taken, and plain writes rarely meet.
      case THREADS ->
          random.nextInt(3) == 0
              ? FaultWindow.drawHistory(random)
              : FaultWindow.draw(random).fromBytes(1 << 12);
      default -> FaultWindow.draw(random, kind.senses);
    };
  }

  private FaultWindow measured(SplittableRandom random) {
    FaultWindow window = FaultWindow.draw(random, kind.senses).upTo(0.5).fromBytes(1 << 10);
    return window.withKeys(
        new FaultWindow.Range(
            Math.max(1_000, window.keys().min()), Math.max(5_000, window.keys().max())));
  }
}
