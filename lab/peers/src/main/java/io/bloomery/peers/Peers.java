package io.bloomery.peers;

import java.util.List;
import java.util.NoSuchElementException;

/** All peers, in the order of the page. */
final class Peers {

  private Peers() {}

  static List<Peer> all() {
    return List.of(
        new GuavaPeer(),
        new CollectionsPeer(),
        new DataSketchesPeer(),
        new SparkPeer(),
        new ParquetPeer(),
        FastFilterPeer.bloom(),
        FastFilterPeer.blocked(),
        FastFilterPeer.counting(),
        FastFilterPeer.succinct(),
        new HivePeer(),
        new HiveBlockedPeer(),
        new OrcPeer(),
        new LucenePeer(),
        HadoopPeer.bloom(),
        HadoopPeer.counting(),
        HadoopPeer.dynamic(),
        new StreamPeer(),
        new HutoolPeer());
  }

  static Peer named(String name) {
    return all().stream()
        .filter(peer -> peer.card().name().equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new NoSuchElementException(
                    "no peer is named '"
                        + name
                        + "'; there are "
                        + all().stream().map(peer -> peer.card().name()).toList()));
  }
}
