package io.bloomery.peers;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * A filter of a peer. This class and {@link Remembered} emulate the operations that a peer lacks;
 * {@link Promises} lists these for each peer.
 */
class PeerFilter implements Filter {

  private final Peer peer;
  private final FilterSpec spec;
  private final FilterLimits limits;
  private final boolean threadSafe;
  private Table table;

  PeerFilter(Peer peer, FilterSpec spec, FilterLimits limits, Table table) {
    this.peer = peer;
    this.spec = spec;
    this.limits = limits;
    this.threadSafe = peer.promises().threadSafe();
    this.table = table;
  }

  final Table table() {
    return table;
  }

  @Override
  public final boolean put(long hash) {
    return threadSafe ? table.put(hash) : putAlone(hash);
  }

  // R49, which is judged without threads too, also puts from two of them: what a peer that promises
  // nothing about threads loses then must not count.
  private synchronized boolean putAlone(long hash) {
    return table.put(hash);
  }

  @Override
  public final boolean mightContain(long hash) {
    return table.mightContain(hash);
  }

  @Override
  public final FilterSpec spec() {
    return spec;
  }

  @Override
  public final FilterLimits limits() {
    return limits;
  }

  @Override
  public final String variant() {
    return peer.variant();
  }

  @Override
  public final FilterLayout layout() {
    return FilterLayout.of("bits", table.shape().bits()).with("probes", table.shape().probes());
  }

  @Override
  public final FilterStats stats() {
    return FilterStats.of(spec())
        .sizeInBits(table.shape().bits())
        .setBits(table.setBits())
        .falsePositiveRate(table.rate())
        .approximateKeys(table.keys())
        .build();
  }

  /** Copies with the method of the peer, or through its bytes if it has none. */
  @Override
  public final PeerFilter copy() {
    Optional<Table> copy = table.copy();
    try {
      return peer.filter(
          spec, limits, copy.isPresent() ? copy.get() : peer.table(spec, table.bytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Clears with the method of the peer, or creates a new table if it has none. */
  @Override
  public final void clear() {
    if (!table.clear()) {
      table = peer.table(spec);
    }
  }

  @Override
  public final long payloadSize() {
    return FramedBytes.size(table.bytes());
  }

  @Override
  public final void writePayload(PayloadOutput out) throws IOException {
    FramedBytes.pack(table.bytes(), out);
  }

  @Override
  public final String toString() {
    return variant() + " " + layout();
  }
}
