package io.bloomery.scalable;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A scalable Bloom filter: a list of layers, each a Bloom filter of its own, to which a new layer
 * is added when the newest is full. {@link LayerPlan} determines sizes and rates of the layers.
 *
 * <p>By definition, for layers from the newest and largest to the oldest:
 *
 * <pre>{@code
 * mightContain(hash) = any layer.mightContain(hash)
 *
 * put(hash):
 *   if (mightContain(hash)) return false;
 *   if (newest.isFull()) add a new layer;
 *   return newest.put(hash);
 * }</pre>
 *
 * <p>Queries take no locks. In shared mode puts of hashes that are not contained do:
 *
 * <ul>
 *   <li>A put locks the stripe that its hash selects, and a growth locks all stripes, so that the
 *       list of layers cannot change during a put.
 *   <li>A put increments the count of keys before it writes, so that a layer never has more keys
 *       than planned, and decrements it if other keys have set all its bits meanwhile. A layer is
 *       only followed by another when it is full and no put is in progress, and then stays full: a
 *       put that still uses it as the newest finds no room and starts over.
 *   <li>Of concurrent puts of one hash the second waits for the first. Either the newest layer then
 *       contains the hash, which its own put reports, or the second put starts over and finds it.
 *   <li>A growth checks again, after it has locked all stripes, that the list of layers is
 *       unchanged, the newest is full, and the hash is not contained. Of two threads that grow the
 *       filter at once, the second finds that it need not. The hash that required the growth is put
 *       into the new layer before other threads can see it.
 * </ul>
 *
 * <p>A query that runs concurrently with a growth may read only the old layers. Its answer is then
 * that from before the put that caused the growth; every query that begins after that put has
 * returned reads the new layer too.
 */
final class ScalableFilter implements Filter {

  private final LayerPlan layerPlan;
  private final ThreadMode mode;
  private final FilterLimits limits;
  private volatile Layers layers;

  ScalableFilter(LayerPlan layerPlan, ThreadMode mode, FilterLimits limits, Layers layers) {
    this.layerPlan = layerPlan;
    this.mode = mode;
    this.limits = limits;
    this.layers = layers;
  }

  @Override
  public boolean mightContain(long hash) {
    return layers.mightContain(hash);
  }

  @Override
  public boolean put(long hash) {
    return mode == ThreadMode.SHARED ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    Layers now = layers;
    if (now.mightContain(hash)) {
      return false;
    }
    if (now.newest().isFull()) {
      layers = grown(now, hash);
      return true;
    }
    return now.newest().putConfined(hash);
  }

  private boolean putShared(long hash) {
    while (true) {
      Layers now = layers;
      if (now.mightContain(hash)) {
        return false;
      }
      Layer.Put put = putNewest(now, hash);
      if (put != Layer.Put.NO_ROOM) {
        return put == Layer.Put.CHANGED;
      }
      if (growToPut(now, hash)) {
        return true;
      }
    }
  }

  private static Layer.Put putNewest(Layers now, long hash) {
    int stripe = now.lock(hash);
    try {
      return now.newest().putShared(hash);
    } finally {
      now.unlock(stripe);
    }
  }

  /**
   * Adds a layer that contains one hash.
   *
   * @return false if no growth was needed, and the put must start over
   */
  private boolean growToPut(Layers full, long hash) {
    full.lockAll();
    try {
      if (layers != full || !full.newest().isFull() || full.mightContain(hash)) {
        return false;
      }
      layers = grown(full, hash);
      return true;
    } finally {
      full.unlockAll();
    }
  }

  /**
   * Returns the layers and a new one, which contains a hash.
   *
   * @throws FilterFullException if there can be no further layer
   */
  private Layers grown(Layers full, long hash) {
    List<Layer> more = new ArrayList<>(full.oldestFirst());
    Layer next = new Layer(nextFilter(full), layerPlan.keys(more.size()), 0);
    next.putConfined(hash);
    more.add(next);
    return new Layers(more, mode);
  }

  private Filter nextFilter(Layers full) {
    int layer = full.oldestFirst().size();
    if (layer == layerPlan.layout().maxLayers()) {
      throw full(full, "it may have no more layers; allow more when creating it");
    }
    try {
      FilterPlan plan = layerPlan.plan(layer);
      long bytes = full.bytes() + plan.sizeInBits() / Byte.SIZE;
      checkBytes(full, bytes, layerPlan.layout().maxBytes(), "creating");
      checkBytes(
          full, LayerFormat.size(layer + 1, bytes), limits.maxBytes(), "creating or opening");
      return layerPlan.provider(layer).create(plan.spec(), mode);
    } catch (IllegalArgumentException e) {
      FilterFullException refused = full(full, "the next layer cannot be built: " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  private static void checkBytes(Layers full, long bytes, long maxBytes, String when) {
    if (bytes > maxBytes) {
      throw full(
          full,
          "with one more layer it would take "
              + bytes
              + " bytes, but may take "
              + maxBytes
              + "; allow more when "
              + when
              + " it");
    }
  }

  private static FilterFullException full(Layers layers, String reason) {
    long keys = layers.oldestFirst().stream().mapToLong(Layer::keys).sum();
    return new FilterFullException(
        "the filter is full with "
            + keys
            + " keys in "
            + layers.oldestFirst().size()
            + " layers: "
            + reason);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    return layers.select(hashes, from, to, hits);
  }

  @Override
  public FilterSpec spec() {
    return layerPlan.spec();
  }

  @Override
  public FilterLimits limits() {
    return limits;
  }

  @Override
  public FilterDescription description() {
    List<Layer> now = layers.oldestFirst();
    return layerPlan.description(now.get(0).filter().description(), now.size());
  }

  @Override
  public String variant() {
    return ScalableProvider.VARIANT;
  }

  @Override
  public FilterLayout layout() {
    return layerPlan.layout().toLayout();
  }

  /**
   * Waits until no put is in progress, blocks further ones, and returns the layers; the caller must
   * {@link Layers#unlockAll} them.
   */
  private Layers blockWriters() {
    while (true) {
      Layers now = layers;
      now.lockAll();
      if (layers == now) {
        return now;
      }
      now.unlockAll();
    }
  }

  /**
   * {@inheritDoc} The rate is the compound rate of all layers, and the number of keys the sum of
   * their estimates.
   */
  @Override
  public FilterStats stats() {
    Layers held = blockWriters();
    try {
      return stats(spec(), held.oldestFirst().stream().map(Layer::filter).toList());
    } finally {
      held.unlockAll();
    }
  }

  static FilterStats stats(FilterSpec spec, List<? extends FilterView> layers) {
    long bits = 0;
    long setBits = 0;
    double rate = 0;
    OptionalLong keys = OptionalLong.of(0);
    for (FilterView layer : layers) {
      FilterStats stats = layer.stats();
      bits += stats.sizeInBits();
      setBits += stats.setBits();
      rate = ScalablePlan.either(rate, stats.falsePositiveRate());
      keys =
          keys.isPresent() && stats.approximateKeys().isPresent()
              ? OptionalLong.of(keys.getAsLong() + stats.approximateKeys().getAsLong())
              : OptionalLong.empty();
    }
    return FilterStats.of(spec)
        .grows()
        .sizeInBits(bits)
        .setBits(setBits)
        .falsePositiveRate(rate)
        .approximateKeys(keys)
        .build();
  }

  @Override
  public Filter copy() {
    Layers held = blockWriters();
    try {
      List<Layer> copies = held.oldestFirst().stream().map(Layer::copy).toList();
      return new ScalableFilter(layerPlan, mode, limits, new Layers(copies, mode));
    } finally {
      held.unlockAll();
    }
  }

  @Override
  public void clear() {
    Layer first = layers.oldestFirst().get(0);
    first.clear();
    layers = new Layers(List.of(first), mode);
  }

  @Override
  public long payloadSize() {
    return LayerFormat.size(layers);
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    Layers held = blockWriters();
    try {
      LayerFormat.write(held, out);
    } finally {
      held.unlockAll();
    }
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + layerPlan.spec();
  }
}
