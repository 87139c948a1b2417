package io.bloomery.conformance.broken;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Sizing;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A counting filter in as few lines as possible, with an int for each position, and right until a
 * method is overridden.
 */
public class CountingReference implements RemovableFilter, MergeableFilter {

  private final Shape shape;
  final int[] counts;

  public CountingReference(Shape shape) {
    this.shape = shape;
    this.counts = shape.counts().array();
  }

  /** What a filter is made of. */
  public record Shape(
      Provider provider,
      FilterSpec spec,
      TableLayout layout,
      IntBuffer counts,
      FilterLimits limits) {}

  /** Makes counting filters, of a subclass. */
  public record Provider(Function<Shape, CountingReference> constructor) implements FilterProvider {

    @Override
    public String variant() {
      return "counting-reference";
    }

    @Override
    public Class<? extends Filter> filterType() {
      return CountingReference.class;
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      return new Plan(spec, TableLayout.smallest(spec));
    }

    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      Objects.requireNonNull(mode, "mode");
      FilterPlan plan = plan(spec);
      if (plan.sizeInBits() / Byte.SIZE > Runtime.getRuntime().maxMemory()) {
        throw new IllegalArgumentException("counters must fit into the heap: " + plan);
      }
      TableLayout layout = TableLayout.smallest(spec);
      limits.check(layout.bits() * Integer.BYTES);
      return make(spec, layout, new int[(int) layout.bits()], limits);
    }

    CountingReference make(FilterSpec spec, TableLayout layout, int[] counts, FilterLimits limits) {
      return constructor.apply(new Shape(this, spec, layout, IntBuffer.wrap(counts), limits));
    }

    @Override
    public Filter read(
        FilterSpec spec,
        FilterLayout numbers,
        PayloadInput in,
        ThreadMode mode,
        FilterLimits limits)
        throws IOException {
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(limits, "limits");
      TableLayout layout = ReferenceProvider.layout(numbers, in);
      if (in.size() != layout.bits() * Integer.BYTES) {
        throw in.malformed("four bytes must be there for each of " + layout);
      }
      long[] words = in.readLongs(layout.bits() / 2);
      int[] counts = new int[2 * words.length];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = (int) (words[i / 2] >>> (Integer.SIZE * (i % 2)));
        if (counts[i] < 0) {
          throw in.malformed("counts must not be negative");
        }
      }
      CountingReference read = make(spec, layout, counts, limits);
      read.wasRead();
      return read;
    }
  }

  private record Plan(FilterSpec spec, TableLayout layout) implements FilterPlan {

    @Override
    public String variant() {
      return "counting-reference";
    }

    @Override
    public long sizeInBits() {
      return layout.bits() * Integer.SIZE;
    }

    @Override
    public int probes() {
      return layout.probes();
    }

    @Override
    public double falsePositiveRate(long keys) {
      return Math.min(
          1, Sizing.rate(keys, layout.bits(), layout.probes()) + Sizing.collisionRate(keys));
    }
  }

  /** Takes note that it was read. */
  void wasRead() {}

  /** Returns a count that is one higher. */
  int incremented(int count) {
    return count + 1;
  }

  /** Returns a count that is one lower. */
  int decremented(int count) {
    return count - 1;
  }

  /** Returns the count of two filters together, which is negative if it is too high. */
  int merged(int here, int there) {
    return here + there;
  }

  /** Returns what the count of a hash is, given those of its positions. */
  int summary(int[] ofPositions) {
    return Arrays.stream(ofPositions).min().orElseThrow();
  }

  /** Returns where a hash is counted: each position once. */
  protected int[] positions(long hash) {
    int[] positions = probes(hash);
    Arrays.sort(positions);
    int different = 0;
    for (int position : positions) {
      if (different == 0 || positions[different - 1] != position) {
        positions[different++] = position;
      }
    }
    return Arrays.copyOf(positions, different);
  }

  /** Returns where the probes of a hash fall. */
  protected final int[] probes(long hash) {
    int[] positions = new int[shape.layout().probes()];
    long probe = hash;
    for (int i = 0; i < positions.length; i++) {
      positions[i] = (int) Probes.within(counts.length).position(probe);
      probe = Probes.next(probe);
    }
    return positions;
  }

  @Override
  public synchronized boolean put(long hash) {
    boolean absent = !mightContain(hash);
    for (int position : positions(hash)) {
      counts[position] = incremented(counts[position]);
    }
    return absent;
  }

  @Override
  public boolean remove(long hash) {
    synchronized (this) {
      if (!mightContain(hash)) {
        return false;
      }
      takeOut(hash);
      return true;
    }
  }

  /** Takes out a hash that is there. */
  final void takeOut(long hash) {
    for (int position : positions(hash)) {
      counts[position] = decremented(counts[position]);
    }
  }

  @Override
  public boolean mightContain(long hash) {
    synchronized (this) {
      return isCounted(hash);
    }
  }

  /** Returns whether no position of a hash is zero, without waiting for anybody. */
  final boolean isCounted(long hash) {
    long probe = hash;
    for (int i = 0; i < shape.layout().probes(); i++) {
      if (counts[(int) Probes.within(counts.length).position(probe)] == 0) {
        return false;
      }
      probe = Probes.next(probe);
    }
    return true;
  }

  @Override
  public synchronized long approximateCount(long hash) {
    return mightContain(hash)
        ? summary(Arrays.stream(positions(hash)).map(position -> counts[position]).toArray())
        : 0;
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
    return shape.provider().variant();
  }

  @Override
  public FilterLayout layout() {
    return shape.layout().toLayout();
  }

  @Override
  public synchronized FilterStats stats() {
    int bits = counts.length;
    int probes = shape.layout().probes();
    long set = Arrays.stream(counts).filter(count -> count > 0).count();
    double fill = (double) set / bits;
    return FilterStats.of(spec())
        .sizeInBits(bits)
        .setBits(set)
        .falsePositiveRate(Math.pow(fill, probes))
        .approximateKeys(
            set == bits
                ? OptionalLong.empty()
                : OptionalLong.of(
                    Math.round(Math.log1p(-fill) / (probes * Math.log1p(-1.0 / bits)))))
        .build();
  }

  @Override
  public synchronized Filter copy() {
    return shape.provider().make(shape.spec(), shape.layout(), counts.clone(), shape.limits());
  }

  @Override
  public synchronized void clear() {
    Arrays.fill(counts, 0);
  }

  @Override
  public long payloadSize() {
    return (long) Integer.BYTES * counts.length;
  }

  @Override
  public synchronized void writePayload(PayloadOutput out) throws IOException {
    out.begin(payloadSize());
    for (int i = 0; i < counts.length; i += 2) {
      out.writeLong(counts[i] | (long) counts[i + 1] << Integer.SIZE);
    }
  }

  @Override
  public void putAll(Filter other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters do not fit: " + reason);
            });
    int[] theirs = ((CountingReference) other.copy()).counts;
    synchronized (this) {
      int[] sums = new int[counts.length];
      Arrays.setAll(sums, i -> merged(counts[i], theirs[i]));
      if (Arrays.stream(sums).anyMatch(sum -> sum < 0)) {
        throw new FilterFullException("counts must not exceed 2^31 - 1; remove keys first");
      }
      System.arraycopy(sums, 0, counts, 0, sums.length);
    }
  }

  @Override
  public Optional<String> incompatibility(Filter other) {
    return other == this
        ? Optional.of("it is the same filter")
        : MergeableFilter.super.incompatibility(other);
  }
}
