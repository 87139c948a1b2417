package io.bloomery.filter;

/**
 * The puts into a filter that lives in its file, made by {@link FilterProvider#livePuts}; the view
 * that the same provider maps answers queries. It is thread-safe and keeps the promises of {@link
 * Filter#put}.
 */
public interface LivePuts {

  /**
   * Adds a hash, as {@link Filter#put} does.
   *
   * @return true if the hash was certainly absent before this call
   * @throws FilterUnavailableException if the file is closed
   */
  boolean put(long hash);

  /**
   * Adds {@code hashes[from]} to {@code hashes[to - 1]} in order.
   *
   * @return the number of hashes that were certainly absent before
   * @throws FilterUnavailableException if the file is closed; some hashes may have been added
   */
  int putAll(long[] hashes, int from, int to);
}
