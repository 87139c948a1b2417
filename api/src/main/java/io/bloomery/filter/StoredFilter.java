package io.bloomery.filter;

import java.io.IOException;

/**
 * A filter of any variant: a {@link Filter}, which accepts puts, or one that a {@link
 * StaticFilterProvider} builds once from all its hashes. It is queried, measured and written to a
 * file, from which its provider reads it again.
 *
 * <p>It is thread-safe unless it was created or opened with {@link ThreadMode#CONFINED}. Equality
 * is identity; two filters have the same content if they are serialised to the same bytes. {@code
 * toString} has at most 500 characters. Neither it nor the description nor an exception, with its
 * causes and suppressed exceptions, shows a hash, in whatever notation. No filter is {@link
 * java.io.Serializable}.
 *
 * <p>Answers depend on the content alone, not on earlier queries. A call by an interrupted thread
 * does the same as any other, and leaves the thread interrupted.
 *
 * <p>Methods added in later versions will have default implementations.
 */
public interface StoredFilter extends FilterView {
  // decisions.md#a-filter-that-is-built-once-is-a-storedfilter-not-a-filter-that-refuses-puts

  /** Returns the specification that this filter was made for. */
  FilterSpec spec();

  /** Returns the name of the variant, for example {@code "standard"}. */
  String variant();

  /**
   * Returns the layout: the named numbers, {@code bits} and {@code probes} for example, that
   * together with the variant determine how a query reads the content. It never changes.
   */
  FilterLayout layout();

  /**
   * Returns the number of bytes that {@link #writePayload} would write now, a multiple of 8 and not
   * 0.
   */
  long payloadSize();

  /**
   * Writes the content: calls {@link PayloadOutput#begin} with its size and then writes that many
   * bytes. Equal content must be written as equal bytes. Users save a filter with {@link
   * io.bloomery.BloomFilter#save} or {@link io.bloomery.file.FilterFiles#save}.
   *
   * @throws IOException if {@code out} throws it; the filter is unchanged
   */
  void writePayload(PayloadOutput out) throws IOException;
}
