package io.bloomery.guard;

/**
 * What keys of the caches are told apart by. A report of a key drops what is cached for all keys
 * that the filter takes for the same one, such as ADA and ada in a filter that ignores case: to the
 * source they may be one key. Answers are given for equal keys only.
 *
 * @param <K> the type of keys
 */
@FunctionalInterface
interface KeyIdentity<K> {

  /**
   * Returns an object that is equal for equal keys, and for all that the filter does not tell
   * apart.
   *
   * @throws IllegalArgumentException if the key is not valid in the form of the filter's keys
   */
  Object of(K key);
}
