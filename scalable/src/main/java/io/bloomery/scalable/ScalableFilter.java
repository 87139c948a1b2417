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
 * A scalable Bloom filter: a list of slices, each a Bloom filter of its own, to which a new slice
 * is added when the newest is full. {@link SlicePlan} determines sizes and rates of the slices.
 *
 * <p>By definition, for slices from the newest and largest to the oldest:
 *
 * <pre>{@code
 * mightContain(hash) = any slice.mightContain(hash)
 *
 * put(hash):
 *   if (mightContain(hash)) return false;
 *   if (newest.isFull()) add a new slice;
 *   return newest.put(hash);
 * }</pre>
 *
 * <p>Queries take no locks. In shared mode puts of hashes that are not contained do:
 *
 * <ul>
 *   <li>A put locks the stripe that its hash selects, and a growth locks all stripes, so that the
 *       list of slices cannot change during a put.
 *   <li>A put increments the count of keys before it writes, so that a slice never has more keys
 *       than planned, and decrements it if other keys have set all its bits meanwhile. A slice is
 *       only followed by another when it is full and no put is in progress, and then stays full: a
 *       put that still uses it as the newest finds no room and starts over.
 *   <li>Of concurrent puts of one hash the second waits for the first. Either the newest slice then
 *       contains the hash, which its own put reports, or the second put starts over and finds it.
 *   <li>A growth checks again, after it has locked all stripes, that the list of slices is
 *       unchanged, the newest is full, and the hash is not contained. Of two threads that grow the
 *       filter at once, the second finds that it need not. The hash that required the growth is put
 *       into the new slice before other threads can see it.
 * </ul>
 *
 * <p>A query that runs concurrently with a growth may read only the old slices. Its answer is then
 * that from before the put that caused the growth; every query that begins after that put has
 * returned reads the new slice too.
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
   * Adds a slice that contains one hash.
   *
   * @return false if no growth was needed, and the put must start over
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
   * Returns the slices and a new one, which contains a hash.
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
   * Waits until no put is in progress, blocks further ones, and returns the slices; the caller must
   * {@link Slices#unlockAll} them.
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
   * {@inheritDoc} The rate is the compound rate of all slices, and the number of keys the sum of
   * their estimates.
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
