package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableLayout;
import io.bloomery.standard.StandardProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A filter that grows, in as few lines as possible: a list of standard filters, each for twice as
 * many keys as the one before at half its rate. Right until a method is overridden.
 */
public class GrowingReference implements Filter {

  private static final String VARIANT = "growing-reference";
  private static final int MAX_LAYERS = 40;

  private final Shape shape;
  private volatile List<Layer> layers;

  public GrowingReference(Shape shape) {
    this.shape = shape;
    this.layers = shape.layers();
  }

  /** What a filter is made of, and what for, which its layout tells. */
  public record Shape(
      Provider provider,
      FilterSpec spec,
      FilterSpec made,
      List<Layer> layers,
      FilterLimits limits) {}

  /** A filter of fixed size, and how many keys changed it. */
  public record Layer(Filter filter, long keys) {
    Layer copy() {
      return new Layer(filter.copy(), keys);
    }
  }

  /** Makes filters that grow, of a subclass. */
  public interface Constructor {
    GrowingReference make(Shape shape);
  }

  /**
   * Makes filters that grow.
   *
   * @param constructor of what class
   * @param tightening the rate of each layer as a share of that of the one before
   * @param tightened how many layers are stricter than the one before; those after them are as the
   *     last of these
   */
  public record Provider(Constructor constructor, double tightening, int tightened)
      implements FilterProvider {

    private static final StandardProvider STANDARD = new StandardProvider();

    public Provider(Constructor constructor) {
      this(constructor, 0.5);
    }

    public Provider(Constructor constructor, double tightening) {
      this(constructor, tightening, MAX_LAYERS);
    }

    @Override
    public String variant() {
      return VARIANT;
    }

    /**
     * Returns what is asked of a layer. All keep nine tenths of the rate, together, but for those
     * of so many keys that equal hashes alone are more than that.
     */
    FilterSpec layerSpec(FilterSpec spec, int layer) {
      long keys = spec.expectedKeys() << layer;
      double rate =
          0.45 * spec.falsePositiveRate() * Math.pow(tightening, Math.min(layer, tightened));
      double lowest = layer == 0 ? 0 : FilterSpec.lowestRate(keys);
      return FilterSpec.of(keys, Math.max(rate, lowest), spec.hashId());
    }

    @Override
    public Class<? extends Filter> filterType() {
      return GrowingReference.class;
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      return new Plan(spec, STANDARD.plan(layerSpec(spec, 0)));
    }

    Layer layer(FilterSpec spec, int layer, ThreadMode mode) {
      return new Layer(STANDARD.create(layerSpec(spec, layer), mode), 0);
    }

    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      limits.check(2 * Long.BYTES + plan(spec).sizeInBits() / Byte.SIZE);
      return make(spec, spec, List.of(layer(spec, 0, mode)), limits);
    }

    GrowingReference make(
        FilterSpec spec, FilterSpec made, List<Layer> layers, FilterLimits limits) {
      return constructor.make(new Shape(this, spec, made, layers, limits));
    }

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(limits, "limits");
      FilterSpec made = made(spec, layout, in);
      long count = in.readLongs(1)[0];
      if (count < 1 || count > MAX_LAYERS) {
        throw in.malformed("there must be 1 to 40 layers, but there are " + count);
      }
      List<Layer> layers = new ArrayList<>();
      long size = Long.BYTES;
      for (int i = 0; i < count; i++) {
        FilterPlan plan = layerPlan(made, i, in);
        long keys = in.readLongs(1)[0];
        if (keys < 0 || keys > plan.spec().expectedKeys()) {
          throw in.malformed("too many keys in a layer: " + keys);
        }
        size += Long.BYTES + plan.sizeInBits() / Byte.SIZE;
        if (size > in.size()) {
          throw in.malformed("layers must have more than " + in.size() + " bytes");
        }
        // As StandardProvider plans, but with nothing allocated before the words are there.
        FilterLayout planned = TableLayout.smallest(plan.spec()).toLayout();
        long words = plan.sizeInBits() / Long.SIZE;
        Payload table = new Payload(words * Long.BYTES, in.readLongs(words));
        layers.add(new Layer(STANDARD.read(plan.spec(), planned, table, mode, limits), keys));
      }
      if (size != in.size()) {
        throw in.malformed("layers must have " + size + " bytes, but have " + in.size());
      }
      return make(spec, made, List.copyOf(layers), limits);
    }

    private static FilterSpec made(FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws FilterFormatException {
      if (!layout.toMap().keySet().equals(Set.of("expected", "rate"))) {
        throw in.malformed("layout must be the expected keys and the rate, but is " + layout);
      }
      try {
        double rate = Double.longBitsToDouble(layout.get("rate"));
        return FilterSpec.of(layout.get("expected"), rate, spec.hashId());
      } catch (IllegalArgumentException e) {
        throw in.malformed(e.getMessage());
      }
    }

    private FilterPlan layerPlan(FilterSpec made, int layer, PayloadInput in)
        throws FilterFormatException {
      try {
        return STANDARD.plan(layerSpec(made, layer));
      } catch (IllegalArgumentException e) {
        throw in.malformed(e.getMessage());
      }
    }
  }

  private record Plan(FilterSpec spec, FilterPlan first) implements FilterPlan {

    @Override
    public String variant() {
      return VARIANT;
    }

    @Override
    public long sizeInBits() {
      return first.sizeInBits();
    }

    @Override
    public int probes() {
      return first.probes();
    }

    @Override
    public double falsePositiveRate(long keys) {
      return keys <= spec.expectedKeys()
          ? first.falsePositiveRate(keys)
          : Math.max(first.falsePositiveRate(spec.expectedKeys()), 0.9 * spec.falsePositiveRate());
    }
  }

  /** Returns the layers that queries look at. */
  List<Layer> queried() {
    return layers;
  }

  final List<Layer> layers() {
    return layers;
  }

  /** Takes note of a put that changed nothing. */
  void repeated() {}

  /** Adds an empty layer. */
  final void grow() {
    growFrom(layers);
  }

  /** Replaces the layers by some of them, or all, and an empty one. */
  final void growFrom(List<Layer> some) {
    FilterSpec next = shape.provider().layerSpec(shape.made(), some.size());
    checkRoom(size(some) + Long.BYTES + Provider.STANDARD.plan(next).sizeInBits() / Byte.SIZE);
    layers = with(some, shape.provider().layer(shape.made(), some.size(), ThreadMode.SHARED));
  }

  /** Refuses to grow to so many bytes if the limits do not allow them. */
  protected void checkRoom(long bytes) {
    if (bytes > shape.limits().maxBytes()) {
      throw new FilterFullException("one more layer would be beyond " + shape.limits());
    }
  }

  final void replaceNewest(Layer newest) {
    layers = with(layers.subList(0, layers.size() - 1), newest);
  }

  final void forgetOldest() {
    layers = layers.subList(layers.size() > 1 ? 1 : 0, layers.size());
  }

  static List<Layer> with(List<Layer> layers, Layer newest) {
    List<Layer> more = new ArrayList<>(layers);
    more.add(newest);
    return List.copyOf(more);
  }

  /** Returns whether the newest layer has all the keys it can take. */
  final boolean isFull() {
    Layer newest = layers.get(layers.size() - 1);
    return newest.keys() >= newest.filter().spec().expectedKeys();
  }

  @Override
  public boolean put(long hash) {
    synchronized (this) {
      if (mightContain(hash)) {
        repeated();
        return false;
      }
      if (isFull()) {
        grow();
      }
      return putNewest(hash);
    }
  }

  /** Puts a hash that no layer has into the newest. */
  final synchronized boolean putNewest(long hash) {
    Layer newest = layers.get(layers.size() - 1);
    boolean changed = newest.filter().put(hash);
    replaceNewest(new Layer(newest.filter(), newest.keys() + (changed ? 1 : 0)));
    return changed;
  }

  @Override
  public boolean mightContain(long hash) {
    for (Layer layer : queried()) {
      if (layer.filter().mightContain(hash)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public FilterSpec spec() {
    return shape.spec();
  }

  @Override
  public FilterLimits limits() {
    return shape.limits();
  }

  @Override
  public String variant() {
    return VARIANT;
  }

  @Override
  public FilterLayout layout() {
    return FilterLayout.of("expected", shape.made().expectedKeys())
        .with("rate", Double.doubleToLongBits(shape.made().falsePositiveRate()));
  }

  @Override
  public synchronized FilterStats stats() {
    long bits = 0;
    long set = 0;
    double rate = 0;
    long keys = 0;
    boolean estimated = true;
    for (Layer layer : layers) {
      FilterStats stats = layer.filter().stats();
      bits += stats.sizeInBits();
      set += stats.setBits();
      rate += stats.falsePositiveRate() * (1 - rate);
      keys += stats.approximateKeys().orElse(0);
      estimated &= stats.approximateKeys().isPresent();
    }
    return FilterStats.of(spec())
        .grows()
        .sizeInBits(bits)
        .setBits(set)
        .falsePositiveRate(rate)
        .approximateKeys(estimated ? OptionalLong.of(keys) : OptionalLong.empty())
        .build();
  }

  @Override
  public synchronized Filter copy() {
    return shape
        .provider()
        .make(
            shape.spec(), shape.made(), layers.stream().map(Layer::copy).toList(), shape.limits());
  }

  @Override
  public synchronized void clear() {
    layers = List.of(shape.provider().layer(shape.made(), 0, ThreadMode.SHARED));
  }

  @Override
  public synchronized long payloadSize() {
    return size(layers);
  }

  @Override
  public synchronized void writePayload(PayloadOutput out) throws IOException {
    write(layers, out);
  }

  static long size(List<Layer> layers) {
    return Long.BYTES
        + layers.stream().mapToLong(layer -> Long.BYTES + layer.filter().payloadSize()).sum();
  }

  static void write(List<Layer> layers, PayloadOutput out) throws IOException {
    out.begin(size(layers));
    out.writeLong(layers.size());
    for (Layer layer : layers) {
      out.writeLong(layer.keys());
      for (long word : Payload.of(layer.filter()).words()) {
        out.writeLong(word);
      }
    }
  }
}
