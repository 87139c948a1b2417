package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.broken.FaultWindow.Range;
import io.bloomery.conformance.broken.WrappedProvider.Kind;
import io.bloomery.filter.FilterProvider;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What can be wrong with a filter that grows, beside what can be with any: in a filter for up to
 * 10^4 keys that has grown at least so often, at most five times, which takes no more puts than
 * rules make.
 */
public enum GrowthFault {
  GROWTH_LOSES_THE_OLDEST(Rule.R60),
  QUERY_LEAVES_OUT_A_LAYER(Rule.R60),
  COPY_LOSES_THE_NEWEST(Rule.R63),
  COPY_SHARES_THE_NEWEST(Rule.R63, Rule.R08),
  WRITE_LOSES_THE_NEWEST(Rule.R63),
  CLEAR_LEAVES_LAYERS(Rule.R63),
  REPEATED_PUTS_COUNT(Rule.R61),
  LAYERS_TAKE_TWICE_THE_KEYS(Rule.R59, Rule.R11),
  SAYS_NEW_OF_WHAT_IS_THERE(Rule.R60),
  SAYS_OLD_OF_WHAT_IS_NEW(Rule.R60),
  STATS_LEAVE_OUT_A_LAYER(Rule.R15);

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Rule> first;

  GrowthFault(Rule... first) {
    this.first = List.of(first);
  }

  /**
   * A fault with its numbers.
   *
   * @param fault what is wrong; null in a filter that is right
   * @param layers with how many layers it shows, at least
   */
  public record Drawn(GrowthFault fault, FaultWindow window, int layers) {
    public static final Drawn NONE = new Drawn(null, null, 0);
  }

  /** Returns a provider with this fault in filters of so many layers or more. */
  FilterProvider from(int layers) {
    return provider(new Drawn(this, FaultWindow.EVERYWHERE, layers));
  }

  private static FilterProvider provider(Drawn drawn) {
    return new GrowingReference.Provider(shape -> new FaultyGrowth(shape, drawn));
  }

  public DrawnFault draw(SplittableRandom random) {
    FaultWindow window = MemoryFault.window(Kind.GROWING, random);
    if (this == LAYERS_TAKE_TWICE_THE_KEYS) {
      // Few keys fit into whole words with room left.
      window = window.withKeys(Range.draw(100, 1e4, random));
    }
    Drawn drawn = new Drawn(this, window, 2 + random.nextInt(4));
    String what =
        String.format(
            Locale.ROOT,
            "growth: %s [%s] from %d layers",
            name().toLowerCase(Locale.ROOT).replace('_', ' '),
            window,
            drawn.layers);
    return new DrawnFault(what, provider(drawn), first);
  }
}
