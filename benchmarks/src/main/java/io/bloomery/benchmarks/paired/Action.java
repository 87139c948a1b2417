package io.bloomery.benchmarks.paired;

/** What a contender does with each of some keys. */
public enum Action {
  /** Puts each key. */
  PUT,
  /** Puts all keys in the fastest way that the library offers, from one thread. */
  PUT_BATCH,
  /** Asks for each key. */
  QUERY,
  /** Asks for all keys at once, and gets to know which may be contained. */
  SELECT,
  /** Puts each key and removes it at once. */
  PUT_AND_REMOVE
}
