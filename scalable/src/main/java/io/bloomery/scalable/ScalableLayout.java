package io.bloomery.scalable;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import java.util.Set;

/**
 * The layout of a scalable filter: the parameters of its sequence of layers.
 *
 * @param firstLayerKeys the capacity of the first layer in keys, at least 1
 * @param growth the ratio of the capacities of a layer and the one before, from 2 to 16
 * @param tightening the rate of each layer after the first, in millionths of the rate of the one
 *     before, from 500,000 to 990,000
 * @param maxLayers the largest number of layers, from 1 to {@value #MAX_LAYERS}
 * @param maxBytes the largest number of bytes of all tables together, at least 8
 */
record ScalableLayout(
    long firstLayerKeys, long growth, long tightening, long maxLayers, long maxBytes) {
  // decisions.md#rates-of-layers-are-multiplied-one-by-one

  /** Enough for 2^64 keys if each layer has twice the capacity of the one before. */
  static final int MAX_LAYERS = 64;

  /** The denominator of {@link #tightening}. */
  static final int MILLION = 1_000_000;

  private static final String FIRST_LAYER_KEYS = "first-layer-keys";
  private static final String GROWTH = "growth";
  private static final String TIGHTENING = "tightening-ppm";
  private static final String MAX_LAYERS_NAME = "max-layers";
  private static final String MAX_BYTES = "max-bytes";

  /**
   * Checks every value.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  ScalableLayout {
    check("keys of the first layer", firstLayerKeys, 1, Long.MAX_VALUE);
    check("growth", growth, 2, 16);
    check("tightening in millionths", tightening, 500_000, 990_000);
    check("max layers", maxLayers, 1, MAX_LAYERS);
    check("max bytes", maxBytes, Long.BYTES, Long.MAX_VALUE);
  }

  private static void check(String what, long value, long min, long max) {
    if (value < min || value > max) {
      String range = max == Long.MAX_VALUE ? "at least " + min : "from " + min + " to " + max;
      throw new IllegalArgumentException(what + " must be " + range + ", but was " + value);
    }
  }

  /** Returns a description with the meanings of all five numbers. */
  FilterDescription describe(FilterDescription description) {
    return description
        .meaning(FIRST_LAYER_KEYS, "keys that the first layer takes")
        .meaning(GROWTH, "times as many keys go into each layer as into the one before")
        .meaning(TIGHTENING, "rate of each layer, in millionths of that of the one before")
        .meaning(MAX_LAYERS_NAME, "layers that there may be")
        .meaning(MAX_BYTES, "bytes that all layers may take together");
  }

  /** Returns all five numbers by name, as in {@link io.bloomery.filter.Filter#layout}. */
  FilterLayout toLayout() {
    return FilterLayout.of(FIRST_LAYER_KEYS, firstLayerKeys)
        .with(GROWTH, growth)
        .with(TIGHTENING, tightening)
        .with(MAX_LAYERS_NAME, maxLayers)
        .with(MAX_BYTES, maxBytes);
  }

  /**
   * Creates a layout from these five numbers.
   *
   * @throws IllegalArgumentException if there are others, one is missing, or one is out of range
   */
  static ScalableLayout of(FilterLayout numbers) {
    ScalableLayout any = new ScalableLayout(1, 2, MILLION / 2, 1, Long.BYTES);
    Set<String> names = any.toLayout().toMap().keySet();
    if (!numbers.toMap().keySet().equals(names)) {
      throw new IllegalArgumentException(
          "layout must have " + names + ", but has " + numbers.toMap().keySet());
    }
    return new ScalableLayout(
        numbers.get(FIRST_LAYER_KEYS),
        numbers.get(GROWTH),
        numbers.get(TIGHTENING),
        numbers.get(MAX_LAYERS_NAME),
        numbers.get(MAX_BYTES));
  }
}
