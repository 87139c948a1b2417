package io.bloomery.peers;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.hash.KeyForm;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/** A filter of a peer that supports merging. */
final class MergingPeerFilter extends PeerFilter implements MergeableFilter {

  MergingPeerFilter(Peer peer, FilterSpec spec, FilterLimits limits, Table table) {
    super(peer, spec, limits, table);
  }

  @Override
  public void putAll(Filter other) {
    Optional<String> foreign = foreign(other);
    if (foreign.isPresent()) {
      throw new IllegalArgumentException(foreign.get());
    }
    merge(table(), other);
  }

  /**
   * Calls the check of the peer, and then merges into a copy: an exception thrown by the peer is a
   * reason as well.
   */
  @Override
  public Optional<String> incompatibility(Filter other) {
    Optional<String> foreign = foreign(other);
    if (foreign.isPresent()) {
      return foreign;
    }
    Optional<String> mismatch = table().incompatibility(((PeerFilter) other).table());
    if (mismatch.isPresent()) {
      return mismatch;
    }
    PeerFilter copy = copy();
    try {
      merge(copy.table(), other == this ? copy : other);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static void merge(Table into, Filter from) {
    try {
      into.merge(((PeerFilter) from).table());
    } catch (IOException e) {
      throw new IllegalArgumentException("the peer refuses to merge: " + e, e);
    }
  }

  // Users of the peer distinguish these by static types.
  private Optional<String> foreign(Filter other) {
    Objects.requireNonNull(other, "other");
    if (!(other instanceof PeerFilter) || !other.variant().equals(variant())) {
      return Optional.of("only a filter of the same library can be merged, but was " + other);
    }
    if (!other.spec().hashId().equals(spec().hashId())) {
      return Optional.of("hash ids differ: " + other.spec().hashId());
    }
    String here = keyForm(this);
    String there = keyForm(other);
    return here.equals(there)
        ? Optional.empty()
        : Optional.of("key forms differ: " + here + " here and " + there + " there");
  }

  private static String keyForm(Filter filter) {
    return filter.spec().attributes().getOrDefault(KeyForm.ATTRIBUTE, "plain");
  }
}
