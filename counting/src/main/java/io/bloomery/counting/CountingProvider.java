package io.bloomery.counting;

import io.bloomery.Filter;
import io.bloomery.FilterDescription;
import io.bloomery.FilterFormatException;
import io.bloomery.FilterLimits;
import io.bloomery.FilterPlan;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.FilterView;
import io.bloomery.PayloadInput;
import io.bloomery.ThreadMode;
import io.bloomery.internal.BlockSizing;
import io.bloomery.internal.MappedTable;
import io.bloomery.internal.Sizing;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Provides the counting Bloom filter, whose keys can be removed and counted: 34.4 bits a key at a
 * rate of 1 %, with next to nothing more for the few counts above four.
 *
 * <p>Its filters are {@link io.bloomery.RemovableFilter}s with exact counters that have no highest
 * value, and {@link io.bloomery.MergeableFilter}s that add counts. A put of a key that is there
 * already counts, too: remove it as often as it was put. A key put more than four times takes about
 * 30 bytes more for each of its four to eight positions.
 *
 * <p>Removing a key that was never put, but happens to be a false positive, cannot be detected: it
 * takes counts away from keys that share its positions, and those may then be missed. Remove only
 * what was put.
 *
 * <p>Sources: Fan, Cao, Almeida and Broder, 2000, doi.org/10.1109/90.851975; blocks: Putze, Sanders
 * and Singler, 2007, doi.org/10.1007/978-3-540-72845-0_9.
 */
public final class CountingProvider implements FilterProvider {

  static final String VARIANT = "counting";

  /** Below, one key more in a block costs so much of the rate that sizes explode. */
  private static final double LOWEST_RATE = 1e-6;

  // With so few, planes take at most a fifteenth more than with the best number of probes.
  private static final double FOUR_PROBES_FROM = 0.01;
  private static final double SIX_PROBES_FROM = 0.001;

  // What is closer to 1 differs from it by rounding as much as by keys, and would not always rise.
  private static final double NEARLY_ALL = 1 - 1e-11;

  // By probes in a word. Made when asked for: each takes milliseconds.
  private static final Map<Integer, BlockSizing> SIZINGS = new ConcurrentHashMap<>();

  /** For ServiceLoader and {@link io.bloomery.Bloomery#with}. */
  public CountingProvider() {}

  @Override
  public String variant() {
    return VARIANT;
  }

  @Override
  public Class<? extends Filter> filterType() {
    return CountingFilter.class;
  }

  @Override
  public Optional<long[]> positions(long hash, long bits, int probes) {
    return Optional.of(
        BlockProbes.positions(hash, bits / Long.SIZE, probes / CountingLayout.BLOCK_WORDS));
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return new CountingPlan(spec, smallest(spec));
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    Objects.requireNonNull(mode, "mode");
    CountingLayout layout = smallest(spec);
    limits.check(layout.bytesOfAllPlanes());
    long heap = Runtime.getRuntime().maxMemory();
    if (layout.bytesOfAllPlanes() > heap) {
      throw new IllegalArgumentException(
          "the heap must have room for planes of "
              + layout.bytesOfAllPlanes()
              + " bytes, but is limited to "
              + heap
              + "; raise -Xmx, or ask for fewer keys or a higher rate");
    }
    return CountingFilter.make(
        spec, layout, limits, mode, stripes -> new Counters(layout, limits, stripes));
  }

  @Override
  public Filter read(
      FilterSpec spec,
      Map<String, Long> numbers,
      PayloadInput in,
      ThreadMode mode,
      FilterLimits limits)
      throws IOException {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(limits, "limits");
    CountingLayout layout = layout(numbers, in);
    return CountingFilter.make(
        spec, layout, limits, mode, stripes -> Counters.read(layout, in, limits, stripes));
  }

  @Override
  public void check(FilterSpec spec, Map<String, Long> numbers, PayloadInput in)
      throws IOException {
    CountingLayout layout = layout(numbers, in);
    long overflowSize = CounterFormat.overflowSize(layout, in);
    long words = layout.bits() / Long.SIZE;
    MappedTable present = new MappedTable(in.mapLongs(words));
    MappedTable counts = new MappedTable(in.mapLongs((CountingLayout.PLANES - 1) * words));
    CounterFormat format = new CounterFormat(layout, present::word, counts::word, in);
    format.checkPlanes();
    format.forEachPart(overflowSize / Long.BYTES, part -> {});
  }

  @Override
  public FilterView map(FilterSpec spec, Map<String, Long> numbers, PayloadInput in)
      throws IOException {
    CountingLayout layout = layout(numbers, in);
    CounterFormat.overflowSize(layout, in);
    return new MappedCounting(new MappedTable(in.mapLongs(layout.bits() / Long.SIZE)), layout);
  }

  private static CountingLayout layout(Map<String, Long> numbers, PayloadInput in)
      throws FilterFormatException {
    try {
      return CountingLayout.of(numbers);
    } catch (IllegalArgumentException e) {
      throw in.malformed(Objects.requireNonNullElse(e.getMessage(), e.toString()));
    }
  }

  private static CountingLayout smallest(FilterSpec spec) {
    long keys = spec.expectedKeys();
    if (spec.falsePositiveRate() < LOWEST_RATE) {
      throw new IllegalArgumentException(
          "rate of a counting filter must be at least "
              + LOWEST_RATE
              + ", but was "
              + spec.falsePositiveRate()
              + "; ask for "
              + LOWEST_RATE
              + ", or take variant 'standard', which keeps lower rates but cannot remove");
    }
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    int probesPerWord = probesPerWord(spec.falsePositiveRate());
    BlockSizing sizing = sizing(probesPerWord);
    double lowest = sizing.rate(keys, CountingLayout.MAX_BLOCKS);
    if (lowest > rate) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d keys at a rate of %s must fit into planes of %d bits, which keep a rate of %.3g;"
                  + " ask for that, or for fewer keys, or spread the keys over several filters",
              keys,
              spec.falsePositiveRate(),
              (long) CountingLayout.MAX_BLOCKS * CountingLayout.BLOCK_BITS,
              lowest));
    }
    return new CountingLayout((int) sizing.minBlocks(keys, rate), probesPerWord);
  }

  private static BlockSizing sizing(int probesPerWord) {
    return SIZINGS.computeIfAbsent(
        probesPerWord,
        probes ->
            (probes == BlockProbes.PAIR
                    ? Pairs.rotated().sizing(0)
                    : new BlockSizing(CountingLayout.BLOCK_WORDS, probes))
                .pickedByWordProbes(1));
  }

  private static int probesPerWord(double rate) {
    if (rate >= FOUR_PROBES_FROM) {
      return BlockProbes.PAIR;
    }
    return rate >= SIX_PROBES_FROM ? 3 : 4;
  }

  private record CountingPlan(FilterSpec spec, CountingLayout layout) implements FilterPlan {

    @Override
    public String variant() {
      return VARIANT;
    }

    @Override
    public long sizeInBits() {
      return layout.bitsOfAllPlanes();
    }

    @Override
    public int probes() {
      return layout.probes();
    }

    @Override
    public FilterDescription description() {
      return layout.description();
    }

    @Override
    public double falsePositiveRate(long keys) {
      double rate =
          sizing(layout.probesPerWord()).rate(keys, layout.blocks()) + Sizing.collisionRate(keys);
      return rate > NEARLY_ALL ? 1 : rate;
    }
  }
}
