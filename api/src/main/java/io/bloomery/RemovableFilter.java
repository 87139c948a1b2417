package io.bloomery;

/**
 * A {@link Filter} that counts how often each hash was put, so that hashes can be removed.
 *
 * <p>Remove only what was put. A hash that was never put but is a false positive cannot be told
 * from one that was: removing it takes counts away from others, which may then be missed.
 */
public interface RemovableFilter extends Filter {

  /**
   * Takes back one put of a hash.
   *
   * @return false if the hash is certainly absent; nothing has changed
   */
  boolean remove(long hash);

  /** Returns how often the hash was put and not removed, or more; zero if certainly absent. */
  long approximateCount(long hash);
}
