package io.bloomery.peers;

import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;

/** A filter of a peer that supports removal. */
final class CountingPeerFilter extends PeerFilter implements RemovableFilter {

  CountingPeerFilter(Peer peer, FilterSpec spec, FilterLimits limits, Table table) {
    super(peer, spec, limits, table);
  }

  /** Queries first, because no peer method returns whether the hash was present. */
  @Override
  public boolean remove(long hash) {
    if (!mightContain(hash)) {
      return false;
    }
    table().remove(hash);
    return true;
  }

  @Override
  public long approximateCount(long hash) {
    return table().count(hash);
  }
}
