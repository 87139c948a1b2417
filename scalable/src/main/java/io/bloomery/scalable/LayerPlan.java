package io.bloomery.scalable;

import io.bloomery.blocked.BlockedProvider;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.standard.StandardProvider;
import java.util.List;

/**
 * The sizes and rates of the layers of a scalable filter, numbered 0, 1, 2 and so on.
 *
 * <p>Let p be the requested rate, n the number of keys of the first layer, s the growth and r the
 * tightening. Layer i has a capacity of {@code n s^i} keys and a rate of {@code p (1-r) r^i}. A
 * query returns true if any layer does, so that the compound rate is at most the sum of the rates,
 * {@code p (1 - r^layers)}: below p for any number of layers, even if their probes are not
 * independent. Source: Almeida, Baquero, Preguica, Hutchison, 2007,
 * doi.org/10.1016/j.ipl.2006.10.007.
 *
 * <p>A layer is full when a number of keys have changed it; none of them is counted twice. With a
 * table for that number its rate would be too high: more insertions are attempted than counted,
 * since some change nothing because all of their bits are set, and those that are counted set the
 * most bits. The table is therefore sized for the attempted insertions. In a layer with rate f at
 * most that share of them changes nothing, so that {@code k / (1 - f)} attempted insertions are
 * enough for k changes, and a table for this number of keys has rate f. The alternative, a limit
 * for the number of set bits, needs a count of bits in every put, and says little about a blocked
 * filter, whose rate depends on the distribution of bits over its blocks.
 *
 * <p>Layers with a rate of at least {@value #LOWEST_BLOCK_RATE} are blocked filters, which are
 * faster. At lower rates these take too many bits, and layers are standard filters.
 */
record LayerPlan(FilterSpec spec, ScalableLayout layout) {
  // decisions.md#growth-2-and-tightening-085
  // decisions.md#layers-below-a-rate-of-2--10-4-are-standard

  private static final double LOWEST_BLOCK_RATE = 2e-4;

  /** The providers of layers. A file identifies a provider by its index here. */
  static final List<FilterProvider> PROVIDERS =
      List.of(new StandardProvider(), new BlockedProvider());

  private static final int STANDARD = 0;
  private static final int BLOCKED = 1;

  /** Returns whether a layer is a blocked filter; it is a standard filter otherwise. */
  static boolean isBlocked(Filter filter) {
    return filter.variant().equals(PROVIDERS.get(BLOCKED).variant());
  }

  /** Returns whether a provider is that of blocked layers; it is the standard one otherwise. */
  static boolean isBlocked(FilterProvider provider) {
    return provider == PROVIDERS.get(BLOCKED);
  }

  /**
   * Returns the capacity of a layer in keys, or {@link Long#MAX_VALUE} if it is larger. There is no
   * layer with such a capacity, as no rate is high enough for it.
   */
  long keys(int layer) {
    long keys = layout.firstLayerKeys();
    for (int i = 0; i < layer; i++) {
      if (keys > Long.MAX_VALUE / layout.growth()) {
        return Long.MAX_VALUE;
      }
      keys *= layout.growth();
    }
    return keys;
  }

  /** Returns the rate of a layer. */
  double rate(int layer) {
    double rate =
        spec.falsePositiveRate()
            * (ScalableLayout.MILLION - layout.tightening())
            / ScalableLayout.MILLION;
    double tightening = (double) layout.tightening() / ScalableLayout.MILLION;
    // By repeated multiplication, exactly reproducible in every language: readers reject layers by
    // this number.
    for (int i = 0; i < layer; i++) {
      rate *= tightening;
    }
    return rate;
  }

  /**
   * Returns the specification of a layer: its rate, and the number of insertions that may be
   * attempted.
   *
   * <p>Whether there is such a layer depends on its capacity alone, {@code rate * 2^63 >= keys},
   * which every reader can decide exactly. If the attempted insertions are too many for 64-bit
   * hashes, the largest number that the rate allows replaces them: a share of {@code rate} fewer at
   * most.
   *
   * @throws IllegalArgumentException if its rate is lower than 64-bit hashes allow
   */
  FilterSpec spec(int layer) {
    double rate = rate(layer);
    long keys = keys(layer);
    double attempted = Math.min(StrictMath.ceil(keys / (1 - rate)), rate * 0x1p63);
    return FilterSpec.of(Math.max(keys, (long) attempted), rate, spec.hashId());
  }

  /**
   * Describes a filter of a number of layers.
   *
   * @param first the description of the first layer
   */
  FilterDescription description(FilterDescription first, int layers) {
    return layout
        .describe(
            FilterDescription.of(
                "layers, each larger and stricter than the one before; grows when all are full",
                first.queryCost() + " a layer"))
        .part("layers", layers, "tables that a query asks")
        .part("room-keys", room(layers), "keys that these layers take, before one more is added");
  }

  /**
   * Returns the total capacity of a number of layers in keys, or {@link Long#MAX_VALUE} if it is
   * larger.
   */
  private long room(int layers) {
    long room = 0;
    for (int i = 0; i < layers; i++) {
      long more = keys(i);
      room = more > Long.MAX_VALUE - room ? Long.MAX_VALUE : room + more;
    }
    return room;
  }

  /** Returns the provider of a layer. */
  FilterProvider provider(int layer) {
    return PROVIDERS.get(rate(layer) >= LOWEST_BLOCK_RATE ? BLOCKED : STANDARD);
  }

  /**
   * Plans a layer.
   *
   * @throws IllegalArgumentException if there can be no such layer
   */
  FilterPlan plan(int layer) {
    return provider(layer).plan(spec(layer));
  }
}
