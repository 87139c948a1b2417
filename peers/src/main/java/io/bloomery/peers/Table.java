package io.bloomery.peers;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A filter of a peer, as the peer itself does it. A default method says that the peer has nothing
 * of the kind; {@link PeerFilter} then bridges it.
 */
interface Table {

  /** Returns the real size, which need not be the planned one. */
  Shape shape();

  /** Puts a hash; true if the peer says that it was new. */
  boolean put(long hash);

  boolean mightContain(long hash);

  /** Returns the peer's own bytes. */
  byte[] bytes() throws IOException;

  long setBits();

  /** Returns the rate that the peer states for the bits as they are. */
  default double rate() {
    return Math.pow((double) setBits() / shape().bits(), shape().probes());
  }

  /** Returns the peer's estimate. */
  default OptionalLong keys() {
    long setBits = setBits();
    return setBits >= shape().bits()
        ? OptionalLong.empty()
        : OptionalLong.of(shape().keys(setBits));
  }

  /** Returns the peer's own copy. */
  default Optional<Table> copy() {
    return Optional.empty();
  }

  /** Clears the table and returns true, if the peer can. */
  default boolean clear() {
    return false;
  }

  /** Returns why the peer's own check of compatibility is against it. */
  default Optional<String> incompatibility(Table other) {
    return Optional.empty();
  }

  /** Merges by the peer's own method, which may throw. */
  default void merge(Table other) throws IOException {
    throw new UnsupportedOperationException("has no merge");
  }

  /** Removes a hash that might be contained. */
  default void remove(long hash) {
    throw new UnsupportedOperationException("has no remove");
  }

  /** Returns the peer's own count of a hash. */
  default long count(long hash) {
    throw new UnsupportedOperationException("has no counts");
  }
}
