package io.bloomery.scalable;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.RecentValues;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * Provides the scalable Bloom filter, for a number of keys that is not known beforehand. It keeps
 * the requested rate at every size, and a key that is put again takes no space.
 *
 * <p>It begins with one layer for the expected keys, and adds a larger one with a lower rate
 * whenever the newest is full. This takes more space and time: at a rate of 1 % a filter created
 * for n keys takes 15.5 bits per key with n keys, 25.1 with 10 n, 23.2 with 100 n and 20.5 with
 * 1,000 n, where a standard filter for the right number takes 9.6; and a query for an absent key
 * reads 1, 4, 7 and 10 layers. Expect too many keys rather than too few.
 *
 * <p>These numbers are for the default parameters, growth 2 and tightening 0.85. With growth 4
 * there are 1, 3, 5 and 6 layers, with 15.5, 34.5, 59.6 and 24.6 bits per key: right after a
 * growth, a filter has room for about as many times the keys in it as its growth factor. A
 * tightening below 0.8 or above 0.9 takes more bits after long or short growth; in between, the
 * differences are below 10 % from 10 n keys on.
 *
 * <p>A put for which there is no room throws {@link FilterFullException}: at the limits set here,
 * when the next layer would not fit into the heap or one table, or when its rate would be below
 * {@link FilterSpec#lowestRate}. Queries, and puts of keys that the filter contains, work as
 * before.
 *
 * <p>Providers are immutable: each method returns a new one. The parameters are part of a filter's
 * layout, so that a filter that is read grows as it was created to, independent of the provider
 * that reads it.
 *
 * <pre>{@code
 * BloomFilter<String> seen =
 *     Bloomery.strings()
 *         .expect(10_000)
 *         .variant(new ScalableProvider().withGrowth(4).withMaxBytes(1L << 30))
 *         .create();
 * }</pre>
 */
public final class ScalableProvider implements FilterProvider {

  static final String VARIANT = "scalable";

  private static final long AS_EXPECTED = 0;

  private final long firstLayer;
  private final ScalableLayout parameters; // all but the first layer
  private final RecentValues<FilterSpec, ScalablePlan> plans = new RecentValues<>(this::planAnew);

  /** For ServiceLoader and {@link io.bloomery.Bloomery#with}: growth 2, tightening 0.85. */
  public ScalableProvider() {
    this(AS_EXPECTED, new ScalableLayout(1, 2, 850_000, ScalableLayout.MAX_LAYERS, Long.MAX_VALUE));
  }

  private ScalableProvider(long firstLayer, ScalableLayout parameters) {
    this.firstLayer = firstLayer;
    this.parameters = parameters;
  }

  /**
   * Sets the capacity of the first layer in keys; by default the number of expected keys.
   *
   * @param keys at least 1
   */
  public ScalableProvider withFirstLayer(long keys) {
    return new ScalableProvider(keys, firstLayerOf(keys));
  }

  /**
   * Sets the ratio of the capacities of a layer and the one before; 2 by default.
   *
   * @param growth from 2 to 16
   */
  public ScalableProvider withGrowth(int growth) {
    return with(growth, parameters.tightening(), parameters.maxLayers(), parameters.maxBytes());
  }

  /**
   * Sets the ratio of the rates of a layer and the one before; 0.85 by default. The rate of the
   * first layer is such that the rates of any number of layers add up to at most the requested
   * rate.
   *
   * @param tightening from 0.5 to 0.99, rounded to millionths
   */
  public ScalableProvider withTightening(double tightening) {
    if (!(tightening >= 0.5 && tightening <= 0.99)) {
      throw new IllegalArgumentException(
          "tightening must be from 0.5 to 0.99, but was " + tightening);
    }
    return with(
        parameters.growth(),
        StrictMath.round(tightening * ScalableLayout.MILLION),
        parameters.maxLayers(),
        parameters.maxBytes());
  }

  /**
   * Sets the largest number of layers; 64 by default.
   *
   * @param layers from 1 to 64
   */
  public ScalableProvider withMaxLayers(int layers) {
    return with(parameters.growth(), parameters.tightening(), layers, parameters.maxBytes());
  }

  /**
   * Sets the largest number of bytes of all tables together; by default only the heap is the limit.
   *
   * @param bytes at least 8
   */
  public ScalableProvider withMaxBytes(long bytes) {
    return with(parameters.growth(), parameters.tightening(), parameters.maxLayers(), bytes);
  }

  private ScalableProvider with(long growth, long tightening, long maxLayers, long maxBytes) {
    return new ScalableProvider(
        firstLayer,
        new ScalableLayout(parameters.firstLayerKeys(), growth, tightening, maxLayers, maxBytes));
  }

  private ScalableLayout firstLayerOf(long keys) {
    return new ScalableLayout(
        keys,
        parameters.growth(),
        parameters.tightening(),
        parameters.maxLayers(),
        parameters.maxBytes());
  }

  @Override
  public String variant() {
    return VARIANT;
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return plans.get(spec);
  }

  private ScalablePlan planAnew(FilterSpec spec) {
    ScalableLayout layout =
        firstLayerOf(firstLayer == AS_EXPECTED ? spec.expectedKeys() : firstLayer);
    LayerPlan layerPlan = new LayerPlan(spec, layout);
    FilterPlan first;
    try {
      first = layerPlan.plan(0);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the first layer of a scalable filter keeps a part of the rate asked, "
              + layerPlan.rate(0)
              + " of "
              + spec.falsePositiveRate()
              + ", and cannot be built: "
              + e.getMessage(),
          e);
    }
    if (first.sizeInBits() / Byte.SIZE > layout.maxBytes()) {
      throw new IllegalArgumentException(
          "max bytes must be at least the "
              + first.sizeInBits() / Byte.SIZE
              + " of the first layer, but was "
              + layout.maxBytes()
              + "; begin with fewer keys or allow more bytes");
    }
    return new ScalablePlan(layerPlan, first);
  }

  @Override
  public Class<? extends Filter> filterType() {
    return ScalableFilter.class;
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    Objects.requireNonNull(mode, "mode");
    ScalablePlan plan = plans.get(spec);
    limits.check(LayerFormat.size(1, plan.sizeInBits() / Byte.SIZE));
    LayerPlan layerPlan = plan.layerPlan();
    Layer first =
        new Layer(layerPlan.provider(0).create(layerPlan.spec(0), mode), layerPlan.keys(0), 0);
    return new ScalableFilter(layerPlan, mode, limits, new Layers(List.of(first), mode));
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(limits, "limits");
    LayerPlan layerPlan = layerPlan(spec, layout, in);
    return new ScalableFilter(layerPlan, mode, limits, LayerFormat.read(layerPlan, in, mode));
  }

  @Override
  public void check(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    LayerFormat.check(layerPlan(spec, layout, in), in);
  }

  @Override
  public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    return LayerFormat.map(layerPlan(spec, layout, in), in);
  }

  private static LayerPlan layerPlan(FilterSpec spec, FilterLayout layout, PayloadInput in)
      throws FilterFormatException {
    try {
      return new LayerPlan(spec, ScalableLayout.of(layout));
    } catch (IllegalArgumentException e) {
      throw in.malformed(Objects.requireNonNullElse(e.getMessage(), e.toString()));
    }
  }
}
