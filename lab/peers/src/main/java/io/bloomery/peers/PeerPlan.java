package io.bloomery.peers;

import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;

/** The plan of an adapter. */
record PeerPlan(FilterSpec spec, Peer peer, Shape shape) implements FilterPlan {

  @Override
  public String variant() {
    return peer.variant();
  }

  @Override
  public long sizeInBits() {
    return (shape.bits() + Long.SIZE - 1) / Long.SIZE * Long.SIZE;
  }

  @Override
  public int probes() {
    return shape.probes();
  }

  @Override
  public double falsePositiveRate(long keys) {
    return peer.rate(spec, shape, keys);
  }
}
