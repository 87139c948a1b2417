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
  private static final int MAX_SLICES = 40;

  private final Shape shape;
  private volatile List<Slice> slices;

  public GrowingReference(Shape shape) {
    this.shape = shape;
    this.slices = shape.slices();
  }

  /** What a filter is made of, and what for, which its layout tells. */
  public record Shape(
      Provider provider,
      FilterSpec spec,
      FilterSpec made,
      List<Slice> slices,
      FilterLimits limits) {}

  /** A filter of fixed size, and how many keys changed it. */
  public record Slice(Filter filter, long keys) {
    Slice copy() {
      return new Slice(filter.copy(), keys);
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
   * @param tightening the rate of each slice as a share of that of the one before
   * @param tightened how many slices are stricter than the one before; those after them are as the
   *     last of these
   */
  public record Provider(Constructor constructor, double tightening, int tightened)
      implements FilterProvider {

    private static final StandardProvider STANDARD = new StandardProvider();

    public Provider(Constructor constructor) {
      this(constructor, 0.5);
    }

    public Provider(Constructor constructor, double tightening) {
      this(constructor, tightening, MAX_SLICES);
    }

    @Override
    public String variant() {
      return VARIANT;
    }

    /**
     * Returns what is asked of a slice. All keep nine tenths of the rate, together, but for those
     * of so many keys that equal hashes alone are more than that.
     */
    FilterSpec sliceSpec(FilterSpec spec, int slice) {
      long keys = spec.expectedKeys() << slice;
      double rate =
          0.45 * spec.falsePositiveRate() * Math.pow(tightening, Math.min(slice, tightened));
      double lowest = slice == 0 ? 0 : FilterSpec.lowestRate(keys);
      return FilterSpec.of(keys, Math.max(rate, lowest), spec.hashId());
    }

    @Override
    public Class<? extends Filter> filterType() {
      return GrowingReference.class;
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      return new Plan(spec, STANDARD.plan(sliceSpec(spec, 0)));
    }

    Slice slice(FilterSpec spec, int slice, ThreadMode mode) {
      return new Slice(STANDARD.create(sliceSpec(spec, slice), mode), 0);
    }

    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      limits.check(2 * Long.BYTES + plan(spec).sizeInBits() / Byte.SIZE);
      return make(spec, spec, List.of(slice(spec, 0, mode)), limits);
    }

    GrowingReference make(
        FilterSpec spec, FilterSpec made, List<Slice> slices, FilterLimits limits) {
      return constructor.make(new Shape(this, spec, made, slices, limits));
    }

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(limits, "limits");
      FilterSpec made = made(spec, layout, in);
      long count = in.readLongs(1)[0];
      if (count < 1 || count > MAX_SLICES) {
        throw in.malformed("there must be 1 to 40 slices, but there are " + count);
      }
      List<Slice> slices = new ArrayList<>();
      long size = Long.BYTES;
      for (int i = 0; i < count; i++) {
        FilterPlan plan = slicePlan(made, i, in);
        long keys = in.readLongs(1)[0];
        if (keys < 0 || keys > plan.spec().expectedKeys()) {
          throw in.malformed("too many keys in a slice: " + keys);
        }
        size += Long.BYTES + plan.sizeInBits() / Byte.SIZE;
        if (size > in.size()) {
          throw in.malformed("slices must have more than " + in.size() + " bytes");
        }
        // As StandardProvider plans, but with nothing allocated before the words are there.
        FilterLayout planned = TableLayout.smallest(plan.spec()).toLayout();
        long words = plan.sizeInBits() / Long.SIZE;
        Payload table = new Payload(words * Long.BYTES, in.readLongs(words));
        slices.add(new Slice(STANDARD.read(plan.spec(), planned, table, mode, limits), keys));
      }
      if (size != in.size()) {
        throw in.malformed("slices must have " + size + " bytes, but have " + in.size());
      }
      return make(spec, made, List.copyOf(slices), limits);
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

    private FilterPlan slicePlan(FilterSpec made, int slice, PayloadInput in)
        throws FilterFormatException {
      try {
        return STANDARD.plan(sliceSpec(made, slice));
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

  /** Returns the slices that queries look at. */
  List<Slice> queried() {
    return slices;
  }

  final List<Slice> slices() {
    return slices;
  }

  /** Takes note of a put that changed nothing. */
  void repeated() {}

  /** Adds an empty slice. */
  final void grow() {
    growFrom(slices);
  }

  /** Replaces the slices by some of them, or all, and an empty one. */
  final void growFrom(List<Slice> some) {
    FilterSpec next = shape.provider().sliceSpec(shape.made(), some.size());
    checkRoom(size(some) + Long.BYTES + Provider.STANDARD.plan(next).sizeInBits() / Byte.SIZE);
    slices = with(some, shape.provider().slice(shape.made(), some.size(), ThreadMode.SHARED));
  }

  /** Refuses to grow to so many bytes if the limits do not allow them. */
  protected void checkRoom(long bytes) {
    if (bytes > shape.limits().maxBytes()) {
      throw new FilterFullException("one more slice would be beyond " + shape.limits());
    }
  }

  final void replaceNewest(Slice newest) {
    slices = with(slices.subList(0, slices.size() - 1), newest);
  }

  final void forgetOldest() {
    slices = slices.subList(slices.size() > 1 ? 1 : 0, slices.size());
  }

  static List<Slice> with(List<Slice> slices, Slice newest) {
    List<Slice> more = new ArrayList<>(slices);
    more.add(newest);
    return List.copyOf(more);
  }

  /** Returns whether the newest slice has all the keys it can take. */
  final boolean isFull() {
    Slice newest = slices.get(slices.size() - 1);
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

  /** Puts a hash that no slice has into the newest. */
  final synchronized boolean putNewest(long hash) {
    Slice newest = slices.get(slices.size() - 1);
    boolean changed = newest.filter().put(hash);
    replaceNewest(new Slice(newest.filter(), newest.keys() + (changed ? 1 : 0)));
    return changed;
  }

  @Override
  public boolean mightContain(long hash) {
    for (Slice slice : queried()) {
      if (slice.filter().mightContain(hash)) {
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
    for (Slice slice : slices) {
      FilterStats stats = slice.filter().stats();
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
            shape.spec(), shape.made(), slices.stream().map(Slice::copy).toList(), shape.limits());
  }

  @Override
  public synchronized void clear() {
    slices = List.of(shape.provider().slice(shape.made(), 0, ThreadMode.SHARED));
  }

  @Override
  public synchronized long payloadSize() {
    return size(slices);
  }

  @Override
  public synchronized void writePayload(PayloadOutput out) throws IOException {
    write(slices, out);
  }

  static long size(List<Slice> slices) {
    return Long.BYTES
        + slices.stream().mapToLong(slice -> Long.BYTES + slice.filter().payloadSize()).sum();
  }

  static void write(List<Slice> slices, PayloadOutput out) throws IOException {
    out.begin(size(slices));
    out.writeLong(slices.size());
    for (Slice slice : slices) {
      out.writeLong(slice.keys());
      for (long word : Payload.of(slice.filter()).words()) {
        out.writeLong(word);
      }
    }
  }
}
