package io.bloomery.scalable;

import io.bloomery.Filter;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterFullException;
import io.bloomery.FilterPlan;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.FilterView;
import io.bloomery.MappedPayload;
import io.bloomery.PayloadInput;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Provides the Bloom filter that grows: for keys whose number is not known beforehand. It keeps the
 * rate asked at every size, and a key put again takes no room.
 *
 * <p>It begins with one slice for the expected keys and adds a larger and stricter one whenever the
 * newest is full. That costs bits and time: at a rate of 1 % a filter that was made for n keys
 * takes 15.5 bits for each of them, 25.1 at 10 n, 23.2 at 100 n and 20.5 at 1,000 n keys, where the
 * standard filter made for the right number takes 9.6; and a query for an absent key asks 1, 4, 7
 * and 10 slices. Expect too many keys rather than too few.
 *
 * <p>Those numbers are for the knobs as they stand, growth 2 and tightening 0.85. Growth 4 makes 1,
 * 3, 5 and 6 slices of it, for 15.5, 34.5, 59.6 and 24.6 bits a key: right after it grew, a filter
 * has room for about as many times the keys it holds as its growth says. A tightening below 0.8 or
 * above 0.9 takes more bits after long or short growth; between, the differences are below 10 %
 * from 10 n keys on.
 *
 * <p>A put for which there is no room throws {@link FilterFullException}: at the limits set here,
 * when the next slice would not fit into the heap or one table, or when its rate would be below
 * {@link FilterSpec#lowestRate}. Queries and keys put again are answered as before.
 *
 * <p>Providers do not change: each method returns a new one. The knobs stand in a filter's layout,
 * so that one that is read goes on as it was created, whatever provider reads it.
 *
 * <pre>{@code
 * KeyedFilter<String> seen =
 *     Bloomery.strings()
 *         .variant(new ScalableProvider().withGrowth(4).withMostBytes(1L << 30))
 *         .expect(10_000)
 *         .create();
 * }</pre>
 */
public final class ScalableProvider implements FilterProvider {

  static final String VARIANT = "scalable";

  private static final long AS_EXPECTED = 0;

  private final long firstSlice;
  private final ScalableLayout knobs; // all but the first slice

  /** For ServiceLoader and {@link io.bloomery.Bloomery#with}: growth 2, tightening 0.85. */
  public ScalableProvider() {
    this(
        AS_EXPECTED, new ScalableLayout(1, 2, 850_000, ScalableLayout.MOST_SLICES, Long.MAX_VALUE));
  }

  private ScalableProvider(long firstSlice, ScalableLayout knobs) {
    this.firstSlice = firstSlice;
    this.knobs = knobs;
  }

  /**
   * Sets how many keys the first slice takes; as many as are expected if not said.
   *
   * @param keys at least 1
   */
  public ScalableProvider withFirstSlice(long keys) {
    return new ScalableProvider(keys, firstSliceOf(keys));
  }

  /**
   * Sets how many times as many keys each slice takes as the one before; 2 if not said.
   *
   * @param growth from 2 to 16
   */
  public ScalableProvider withGrowth(int growth) {
    return with(growth, knobs.tightening(), knobs.mostSlices(), knobs.mostBytes());
  }

  /**
   * Sets the rate of each slice as a share of that of the one before; 0.85 if not said. The first
   * slice has what is left of the rate asked when all others, however many, have had theirs.
   *
   * @param tightening from 0.5 to 0.99, rounded to millionths
   */
  public ScalableProvider withTightening(double tightening) {
    if (!(tightening >= 0.5 && tightening <= 0.99)) {
      throw new IllegalArgumentException(
          "tightening must be from 0.5 to 0.99, but was " + tightening);
    }
    return with(
        knobs.growth(),
        StrictMath.round(tightening * ScalableLayout.MILLION),
        knobs.mostSlices(),
        knobs.mostBytes());
  }

  /**
   * Sets how many slices a filter may have; 64 if not said.
   *
   * @param slices from 1 to 64
   */
  public ScalableProvider withMostSlices(int slices) {
    return with(knobs.growth(), knobs.tightening(), slices, knobs.mostBytes());
  }

  /**
   * Sets how many bytes the tables of all slices may have together; no limit but the heap if not
   * said.
   *
   * @param bytes at least 8
   */
  public ScalableProvider withMostBytes(long bytes) {
    return with(knobs.growth(), knobs.tightening(), knobs.mostSlices(), bytes);
  }

  private ScalableProvider with(long growth, long tightening, long mostSlices, long mostBytes) {
    return new ScalableProvider(
        firstSlice,
        new ScalableLayout(knobs.firstSliceKeys(), growth, tightening, mostSlices, mostBytes));
  }

  private ScalableLayout firstSliceOf(long keys) {
    return new ScalableLayout(
        keys, knobs.growth(), knobs.tightening(), knobs.mostSlices(), knobs.mostBytes());
  }

  @Override
  public String variant() {
    return VARIANT;
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    ScalableLayout layout =
        firstSliceOf(firstSlice == AS_EXPECTED ? spec.expectedKeys() : firstSlice);
    Series series = new Series(spec, layout);
    FilterPlan first;
    try {
      first = series.plan(0);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the first slice of a scalable filter keeps a part of the rate asked, "
              + series.rate(0)
              + " of "
              + spec.falsePositiveRate()
              + ", and cannot be built: "
              + e.getMessage(),
          e);
    }
    if (first.sizeInBits() / Byte.SIZE > layout.mostBytes()) {
      throw new IllegalArgumentException(
          "most bytes must be at least the "
              + first.sizeInBits() / Byte.SIZE
              + " of the first slice, but was "
              + layout.mostBytes()
              + "; begin with fewer keys or allow more bytes");
    }
    return new ScalablePlan(series, first);
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode) {
    Objects.requireNonNull(mode, "mode");
    Series series = ((ScalablePlan) plan(spec)).series();
    Slice first = new Slice(series.provider(0).create(series.spec(0), mode), series.keys(0), 0);
    return new ScalableFilter(series, mode, new Slices(List.of(first), mode));
  }

  @Override
  public Filter read(FilterSpec spec, Map<String, Long> layout, PayloadInput in, ThreadMode mode)
      throws IOException {
    Objects.requireNonNull(mode, "mode");
    Series series = series(spec, layout, in);
    return new ScalableFilter(series, mode, SliceFormat.read(series, in, mode));
  }

  @Override
  public FilterView map(FilterSpec spec, Map<String, Long> layout, MappedPayload in)
      throws IOException {
    return SliceFormat.map(series(spec, layout, in), in);
  }

  private static Series series(FilterSpec spec, Map<String, Long> layout, PayloadInput in)
      throws FilterFormatException {
    try {
      return new Series(spec, ScalableLayout.of(layout));
    } catch (IllegalArgumentException e) {
      throw in.malformed(e.getMessage());
    }
  }
}
