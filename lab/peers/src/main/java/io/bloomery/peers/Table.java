package io.bloomery.peers;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A filter of a peer with the operations of the peer itself. Default methods mean that the peer
 * does not support the operation; {@link PeerFilter} then emulates it.
 */
interface Table {

  /** Returns the actual size, which may differ from the planned one. */
  Shape shape();

  /** Puts a hash; returns true if the peer reports that it was new. */
  boolean put(long hash);

  boolean mightContain(long hash);

  /** Returns the serialised form of the peer. */
  byte[] bytes();

  long setBits();

  /** Returns the rate that the peer reports for the current bits. */
  default double rate() {
    return Math.pow((double) setBits() / shape().bits(), shape().probes());
  }

  /** Returns the peer's estimate of the number of keys. */
  default OptionalLong keys() {
    long setBits = setBits();
    return setBits >= shape().bits()
        ? OptionalLong.empty()
        : OptionalLong.of(shape().keys(setBits));
  }

  /** Returns a copy made by the peer. */
  default Optional<Table> copy() {
    return Optional.empty();
  }

  /** Clears the table and returns true, if the peer supports it. */
  default boolean clear() {
    return false;
  }

  /** Returns the reason of the compatibility check of the peer, if it fails. */
  default Optional<String> incompatibility(Table other) {
    return Optional.empty();
  }

  /** Merges with the method of the peer, which may throw. */
  default void merge(Table other) throws IOException {
    throw new UnsupportedOperationException("has no merge");
  }

  /** Removes a hash that might be contained. */
  default void remove(long hash) {
    throw new UnsupportedOperationException("has no remove");
  }

  /** Returns the count of a hash reported by the peer. */
  default long count(long hash) {
    throw new UnsupportedOperationException("has no counts");
  }
}
