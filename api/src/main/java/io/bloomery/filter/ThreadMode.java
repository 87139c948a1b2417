package io.bloomery.filter;

/**
 * The number of threads that may use a filter: any, which makes it thread-safe, or one. It is
 * chosen at each creation and opening and never stored.
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
