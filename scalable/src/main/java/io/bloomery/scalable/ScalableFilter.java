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
 * A Bloom filter that grows by slices, which are filters themselves; {@link SlicePlan} says how
 * large and how strict.
 *
 * <p>A query asks every slice for one and the same hash, until one has it: the newest and largest
 * first. A put that finds its hash in any of them changes nothing; else it goes to the newest, or,
 * if that is full, to a new one.
 *
 * <p>Queries take no locks. Puts of hashes that are not contained do:
 *
 * <ul>
 *   <li>A put holds the stripe that its hash picks; whoever grows the filter holds all of them. So
 *       the slices stay the same while a put holds one.
 *   <li>A put takes its place in the count before it writes, so that no more keys than planned come
 *       into a slice, and gives it back if other keys have covered its bits meanwhile. A slice is
 *       followed by another only when it is full and no put is under way, and so stays full: a put
 *       that still takes it for the newest finds no room and starts over.
 *   <li>Of racing puts of one hash the second waits for the first. Either the newest slice has the
 *       hash then, which its own put tells, or the second starts over and finds it.
 *   <li>A growth looks again, when it has all stripes, whether the slices are still those it knows,
 *       the newest is full and the hash is not contained. Of two threads that grow at once the
 *       second finds that it need not. The hash that made a growth necessary is in the new slice
 *       before any thread sees that.
 * </ul>
 *
 * <p>A query that runs beside a growth may ask the old slices alone. It then answers as of before
 * the put that grew them; every query that begins after that put returned asks the new slice too.
 */
final class ScalableFilter implements Filter {

  private final SlicePlan slicePlan;
  private final ThreadMode mode;
  private final FilterLimits limits;
  private volatile Slices slices;

  ScalableFilter(SlicePlan slicePlan, ThreadMode mode, FilterLimits limits, Slices slices) {
    this.slicePlan = slicePlan;
    this.mode = mode;
    this.limits = limits;
    this.slices = slices;
  }

  @Override
  public boolean mightContain(long hash) {
    return slices.mightContain(hash);
  }

  @Override
  public boolean put(long hash) {
    return mode == ThreadMode.SHARED ? putShared(hash) : putConfined(hash);
  }

  private boolean putConfined(long hash) {
    Slices now = slices;
    if (now.mightContain(hash)) {
      return false;
    }
    if (now.newest().isFull()) {
      slices = grown(now, hash);
      return true;
    }
    return now.newest().putConfined(hash);
  }

  private boolean putShared(long hash) {
    while (true) {
      Slices now = slices;
      if (now.mightContain(hash)) {
        return false;
      }
      Slice.Put put = putNewest(now, hash);
      if (put != Slice.Put.NO_ROOM) {
        return put == Slice.Put.CHANGED;
      }
      if (growToPut(now, hash)) {
        return true;
      }
    }
  }

  private static Slice.Put putNewest(Slices now, long hash) {
    int stripe = now.lock(hash);
    try {
      return now.newest().putShared(hash);
    } finally {
      now.unlock(stripe);
    }
  }

  /**
   * Adds a slice with one hash in it.
   *
   * @return false if it was not needed after all, so that the put must start over
   */
  private boolean growToPut(Slices full, long hash) {
    full.lockAll();
    try {
      if (slices != full || !full.newest().isFull() || full.mightContain(hash)) {
        return false;
      }
      slices = grown(full, hash);
      return true;
    } finally {
      full.unlockAll();
    }
  }

  /**
   * Returns the same slices and a new one, which has this hash.
   *
   * @throws FilterFullException if there can be no further slice
   */
  private Slices grown(Slices full, long hash) {
    List<Slice> more = new ArrayList<>(full.oldestFirst());
    Slice next = new Slice(nextFilter(full), slicePlan.keys(more.size()), 0);
    next.putConfined(hash);
    more.add(next);
    return new Slices(more, mode);
  }

  private Filter nextFilter(Slices full) {
    int slice = full.oldestFirst().size();
    if (slice == slicePlan.layout().maxSlices()) {
      throw full(full, "it may have no more slices; allow more when creating it");
    }
    try {
      FilterPlan plan = slicePlan.plan(slice);
      long bytes = full.bytes() + plan.sizeInBits() / Byte.SIZE;
      checkBytes(full, bytes, slicePlan.layout().maxBytes(), "creating");
      checkBytes(
          full, SliceFormat.size(slice + 1, bytes), limits.maxBytes(), "creating or opening");
      return slicePlan.provider(slice).create(plan.spec(), mode);
    } catch (IllegalArgumentException e) {
      FilterFullException refused = full(full, "the next slice cannot be built: " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  private static void checkBytes(Slices full, long bytes, long maxBytes, String when) {
    if (bytes > maxBytes) {
      throw full(
          full,
          "with one more slice it would take "
              + bytes
              + " bytes, but may take "
              + maxBytes
              + "; allow more when "
              + when
              + " it");
    }
  }

  private static FilterFullException full(Slices slices, String reason) {
    long keys = slices.oldestFirst().stream().mapToLong(Slice::keys).sum();
    return new FilterFullException(
        "the filter is full with "
            + keys
            + " keys in "
            + slices.oldestFirst().size()
            + " slices: "
            + reason);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    return slices.select(hashes, from, to, hits);
  }

  @Override
  public FilterSpec spec() {
    return slicePlan.spec();
  }

  @Override
  public FilterLimits limits() {
    return limits;
  }

  @Override
  public FilterDescription description() {
    List<Slice> now = slices.oldestFirst();
    return slicePlan.description(now.get(0).filter().description(), now.size());
  }

  @Override
  public String variant() {
    return ScalableProvider.VARIANT;
  }

  @Override
  public FilterLayout layout() {
    return slicePlan.layout().toLayout();
  }

  /**
   * Blocks writers: waits until no thread puts, keeps others from it, and returns the slices as
   * they are; the caller must {@link Slices#unlockAll} them.
   */
  private Slices blockWriters() {
    while (true) {
      Slices now = slices;
      now.lockAll();
      if (slices == now) {
        return now;
      }
      now.unlockAll();
    }
  }

  /**
   * {@inheritDoc} The rate is that of all slices together, and the number of keys the sum of their
   * estimates.
   */
  @Override
  public FilterStats stats() {
    Slices held = blockWriters();
    try {
      return stats(spec(), held.oldestFirst().stream().map(Slice::filter).toList());
    } finally {
      held.unlockAll();
    }
  }

  static FilterStats stats(FilterSpec spec, List<? extends FilterView> slices) {
    long bits = 0;
    long setBits = 0;
    double rate = 0;
    OptionalLong keys = OptionalLong.of(0);
    for (FilterView slice : slices) {
      FilterStats stats = slice.stats();
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
    Slices held = blockWriters();
    try {
      List<Slice> copies = held.oldestFirst().stream().map(Slice::copy).toList();
      return new ScalableFilter(slicePlan, mode, limits, new Slices(copies, mode));
    } finally {
      held.unlockAll();
    }
  }

  @Override
  public void clear() {
    Slice first = slices.oldestFirst().get(0);
    first.clear();
    slices = new Slices(List.of(first), mode);
  }

  @Override
  public long payloadSize() {
    return SliceFormat.size(slices);
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    Slices held = blockWriters();
    try {
      SliceFormat.write(held, out);
    } finally {
      held.unlockAll();
    }
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + slicePlan.spec();
  }
}
