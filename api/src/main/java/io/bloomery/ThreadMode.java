package io.bloomery;

/**
 * How many threads may use a filter. It is chosen at each creation and opening and never stored.
 */
public enum ThreadMode {
  /** Any number of threads, as {@link Filter} describes. */
  SHARED,

  /**
   * One thread, or several that take turns with proper hand-over, such as under a lock. Puts are
   * faster; queries cost the same.
   */
  CONFINED
}
