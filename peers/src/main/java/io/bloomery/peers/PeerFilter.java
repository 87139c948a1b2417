package io.bloomery.peers;

import io.bloomery.Filter;
import io.bloomery.FilterLimits;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.PayloadOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A filter of a peer. This class, with {@link Remembered}, is where everything is bridged that a
 * peer does not have; {@link Promises} says of each peer what that is.
 */
class PeerFilter implements Filter {

  private final Peer peer;
  private final FilterSpec spec;
  private final FilterLimits limits;
  private Table table;

  PeerFilter(Peer peer, FilterSpec spec, FilterLimits limits, Table table) {
    this.peer = peer;
    this.spec = spec;
    this.limits = limits;
    this.table = table;
  }

  final Table table() {
    return table;
  }

  @Override
  public final boolean put(long hash) {
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
  public final Map<String, Long> layout() {
    // Sorted, so that it is always printed alike.
    return Collections.unmodifiableMap(
        new TreeMap<>(
            Map.of("bits", table.shape().bits(), "probes", (long) table.shape().probes())));
  }

  @Override
  public final FilterStats stats() {
    return new FilterStats(table.shape().bits(), table.setBits(), table.rate(), table.keys());
  }

  /** Copies by the peer's own method, or else by its own bytes. */
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

  /** Clears by the peer's own method, or else makes another table. */
  @Override
  public final void clear() {
    if (!table.clear()) {
      table = peer.table(spec);
    }
  }

  @Override
  public final long payloadSize() {
    try {
      return Frame.size(table.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public final void writePayload(PayloadOutput out) throws IOException {
    Frame.pack(table.bytes(), out);
  }

  @Override
  public final String toString() {
    return variant() + " " + layout();
  }
}
