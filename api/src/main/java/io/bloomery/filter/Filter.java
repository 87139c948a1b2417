package io.bloomery.filter;

import io.bloomery.internal.Batches;
import java.util.Objects;

/**
 * A probabilistic set of 64-bit hashes whose queries answer "certainly absent" or "possibly
 * present".
 *
 * <p>There are no false negatives: after {@code put(h)}, and until {@code h} is removed or the
 * filter cleared, {@code mightContain(h)} returns true. For a hash that was never put it returns
 * true, a false positive, with a probability of at most {@link FilterSpec#falsePositiveRate()}
 * while no more than {@link FilterSpec#expectedKeys()} distinct hashes were put; beyond that the
 * probability rises, unless the variant grows.
 *
 * <p>Hashes must be uniform: every bit must depend evenly on the whole key. Sequence numbers and
 * {@link Object#hashCode()} are not uniform; the hashes of an {@link io.bloomery.hash.KeyHasher}
 * are, and {@link io.bloomery.BloomFilter} combines the two.
 *
 * <p>Optional operations are sub-interfaces, to be tested with {@code instanceof}: {@link
 * RemovableFilter}, {@link MergeableFilter}.
 *
 * <p>A filter created or opened with {@link ThreadMode#SHARED} is thread-safe. {@code put} then
 * returns true only if this call changed the filter; of concurrent puts of one hash at most one
 * returns true, and exactly one unless other hashes have set all of its bits. A put that has
 * returned is visible to every later query. {@link #copy}, {@link #stats} and {@link #writePayload}
 * observe at least every put that returned before they began. {@link #clear} must not run
 * concurrently with other calls.
 *
 * <p>A call that throws leaves the filter, and the results of all later calls, unchanged; the
 * exception of a batch reports how much of it was done. Equality is identity; two filters have the
 * same content if they are serialised to the same bytes.
 *
 * <p>Methods added in later versions will have default implementations, so that existing
 * implementations stay source and binary compatible.
 */
public interface Filter extends StoredFilter {

  /**
   * Adds a hash.
   *
   * @return true if the hash was certainly absent before this call; always the opposite of what
   *     {@link #mightContain} would have returned
   * @throws FilterFullException if a limit set at creation or opening leaves no room for the hash;
   *     the filter is unchanged
   */
  boolean put(long hash);

  /** Returns whether the hash might be contained: false only if it is certainly absent. */
  @Override
  boolean mightContain(long hash);

  /**
   * Adds {@code hashes[from]} to {@code hashes[to - 1]} in order.
   *
   * @return the number of hashes that were certainly absent before
   * @throws FilterFullException if there is no room for a hash; the hashes before it have been
   *     added and no later one has, and the message has their number
   */
  default int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from; i < to; i++) {
      try {
        if (put(hashes[i])) {
          added++;
        }
      } catch (FilterFullException e) {
        throw new FilterFullException(Batches.full(i - from, to - from, e), e);
      }
    }
    return added;
  }

  /**
   * Returns the limits that were set when this filter, or the filter that it is a copy of, was
   * created or opened.
   */
  FilterLimits limits();

  /** Measures the filter as it stands; takes time in proportion to its size. */
  @Override
  FilterStats stats();

  /**
   * Returns a filter with the same content, layout and thread mode that shares nothing with this
   * one. With no more keys than expected, this allocates at most twice the planned heap and 64 KiB.
   */
  Filter copy();

  /**
   * Removes all hashes and restores the state at creation. Must not run concurrently with any other
   * call.
   */
  void clear();
}
