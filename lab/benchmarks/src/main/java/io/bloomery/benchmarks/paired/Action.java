package io.bloomery.benchmarks.paired;

/** An operation of a contender on some keys. */
public enum Action {
  /** Puts each key. */
  PUT,
  /** Puts all keys in the fastest way that the library offers, in one thread. */
  PUT_BATCH,
  /** Queries each key. */
  QUERY,
  /** Queries all keys in one batch, which returns those that might be contained. */
  SELECT,
  /** Puts each key and removes it immediately. */
  PUT_AND_REMOVE
}
