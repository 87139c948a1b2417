package io.bloomery.filter;

/**
 * The thread safety of a filter: any number of threads, or one. It is chosen at each creation and
 * opening and never stored.
 */
public enum ThreadMode {
  /** Any number of threads, as {@link Filter} describes. */
  SHARED,

  /**
   * One thread, or several whose calls are ordered by a happens-before relation, for example by a
   * lock. Puts are faster; queries cost the same.
   */
  CONFINED
}
