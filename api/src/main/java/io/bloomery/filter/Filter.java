package io.bloomery.filter;

import io.bloomery.internal.Batches;
import java.io.IOException;
import java.util.Objects;

/**
 * A set of 64-bit hashes that answers "certainly absent" or "possibly there".
 *
 * <p>After {@code put(h)}, and until {@code h} is removed or the filter cleared, {@code
 * mightContain(h)} is true. For a hash that was never put it is true with a probability of at most
 * {@link FilterSpec#falsePositiveRate()} while no more than {@link FilterSpec#expectedKeys()}
 * different hashes were put; beyond that the probability rises, unless the variant grows.
 *
 * <p>Hashes must be uniform: every bit must depend evenly on the whole key. Counters and {@link
 * Object#hashCode()} are not; an {@link io.bloomery.hash.KeyHasher} gives hashes that are, and
 * {@link io.bloomery.BloomFilter} puts the two together.
 *
 * <p>What only some filters can do is a sub-interface, found by {@code instanceof}: {@link
 * RemovableFilter}, {@link MergeableFilter}.
 *
 * <p>A filter created or opened with {@link ThreadMode#SHARED} may be used by many threads. {@code
 * put} then returns true only if this call changed the filter, and of racing puts of one hash at
 * most one returns true, exactly one if other hashes do not cover it. A put that has returned is
 * seen by every later query. {@link #copy}, {@link #stats} and {@link #writePayload} see at least
 * every put that returned before they began. {@link #clear} must not run concurrently with other
 * calls.
 *
 * <p>A call that throws changes nothing, and a batch says how far it came. Filters are compared by
 * identity; two filters have the same content when they are written as the same bytes.
 *
 * <p>Methods that are added later will have defaults, so that filters of other authors keep
 * compiling and working.
 */
public interface Filter extends FilterView {

  /**
   * Adds a hash.
   *
   * @return true if the hash was certainly not there before; always the opposite of what {@link
   *     #mightContain} would have returned
   * @throws FilterFullException if a limit set at creation or opening leaves no room; nothing has
   *     changed
   */
  boolean put(long hash);

  /** Returns false only if the hash is certainly absent. */
  @Override
  boolean mightContain(long hash);

  /**
   * Adds {@code hashes[from]} to {@code hashes[to - 1]} in order.
   *
   * @return how many were new
   * @throws FilterFullException if there is no room for one of them; those before it are in, none
   *     after, and the message says how many
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

  /** Returns what was asked for when this filter was created. */
  FilterSpec spec();

  /** Returns the limits that were set when this filter was created or opened, copies included. */
  FilterLimits limits();

  /** Returns the kind of filter, such as {@code "standard"}: its provider's name. */
  String variant();

  /**
   * Returns the numbers that, with the variant, fix where a hash's bits lie, by name, such as
   * {@code bits} and {@code probes}. They stay the same for the life of the filter.
   */
  FilterLayout layout();

  /** Measures the filter as it stands; takes time in proportion to its size. */
  @Override
  FilterStats stats();

  /**
   * Returns a filter with the same content, layout and thread mode that shares nothing with this.
   */
  Filter copy();

  /** Removes everything: the filter is then as it was created. No other call may run meanwhile. */
  void clear();

  /** Returns how many bytes {@link #writePayload} would write now. */
  long payloadSize();

  /**
   * Writes the content: first {@link PayloadOutput#begin} with its size, then as many bytes. Equal
   * content must give equal bytes. Users save a filter with {@link io.bloomery.BloomFilter#save} or
   * {@link io.bloomery.file.FilterFiles#save}.
   */
  void writePayload(PayloadOutput out) throws IOException;
}
