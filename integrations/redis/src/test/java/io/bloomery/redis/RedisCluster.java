package io.bloomery.redis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A Cluster of three primaries, each with a third of the slots. */
final class RedisCluster implements AutoCloseable {

  private static final int SLOTS = 16_384;

  private final List<RedisServer> nodes = new ArrayList<>();
  private final List<Integer> busPorts = new ArrayList<>();

  static RedisCluster start() {
    RedisCluster cluster = new RedisCluster();
    try {
      cluster.join(3);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void join(int count) {
    for (int i = 0; i < count; i++) {
      busPorts.add(RedisServer.freePort());
      nodes.add(
          RedisServer.start(
              RedisServer.Release.SEVEN,
              "--cluster-enabled",
              "yes",
              "--cluster-port",
              Integer.toString(busPorts.get(i)),
              "--cluster-node-timeout",
              "20000"));
    }
    for (int i = 0; i < count; i++) {
      RedisServer node = nodes.get(i);
      node.command(
          "CLUSTER",
          "ADDSLOTSRANGE",
          Integer.toString(SLOTS * i / count),
          Integer.toString(SLOTS * (i + 1) / count - 1));
      // Before they meet, or two with one epoch quarrel about it.
      node.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    for (RedisServer node : nodes.subList(1, count)) {
      node.command(
          "CLUSTER",
          "MEET",
          "127.0.0.1",
          Integer.toString(nodes.get(0).port()),
          Integer.toString(busPorts.get(0)));
    }
    for (RedisServer node : nodes) {
      RedisServer.await(
          "a Cluster of " + count,
          () -> {
            Object info = node.command("CLUSTER", "INFO");
            return RedisServer.property(info, "cluster_state").equals("ok")
                && RedisServer.property(info, "cluster_size").equals(Integer.toString(count))
                && RedisServer.property(info, "cluster_known_nodes")
                    .equals(Integer.toString(count));
          });
    }
  }

  List<RedisServer> nodes() {
    return nodes;
  }

  String uri() {
    return "redis-cluster://127.0.0.1:" + nodes.get(0).port() + ",127.0.0.1:" + nodes.get(1).port();
  }

  int slot(String key) {
    return ((Long) nodes.get(0).command("CLUSTER", "KEYSLOT", key)).intValue();
  }

  RedisServer owner(int slot) {
    for (int i = 0; i < nodes.size(); i++) {
      for (Object range : (List<?>) nodes.get(0).command("CLUSTER", "SLOTS")) {
        List<?> parts = (List<?>) range;
        long port = (Long) ((List<?>) parts.get(2)).get(1);
        if ((Long) parts.get(0) <= slot
            && slot <= (Long) parts.get(1)
            && port == nodes.get(i).port()) {
          return nodes.get(i);
        }
      }
    }
    throw new IllegalStateException("nobody has slot " + slot);
  }

  /** Moves a slot with its keys to another node, as resharding does, while it is in use. */
  void move(int slot, RedisServer to) {
    // A node that has not heard of the last epoch takes the slot in an older one, and never gets it
    // from a node that has; before, clients saw two nodes that sent them to each other.
    RedisServer.await(
        "one view of all slots",
        () -> nodes.stream().map(RedisCluster::view).distinct().count() == 1);
    RedisServer from = owner(slot);
    String number = Integer.toString(slot);
    to.command("CLUSTER", "SETSLOT", number, "IMPORTING", id(from));
    from.command("CLUSTER", "SETSLOT", number, "MIGRATING", id(to));
    while (true) {
      List<?> keys = (List<?>) from.command("CLUSTER", "GETKEYSINSLOT", number, "1");
      if (keys.isEmpty()) {
        break;
      }
      from.command(
          "MIGRATE",
          "127.0.0.1",
          Integer.toString(to.port()),
          RedisServer.text(keys.get(0)),
          "0",
          "20000");
    }
    to.command("CLUSTER", "SETSLOT", number, "NODE", id(to));
    from.command("CLUSTER", "SETSLOT", number, "NODE", id(to));
    for (RedisServer node : nodes) {
      if (node != to && node != from) {
        node.command("CLUSTER", "SETSLOT", number, "NODE", id(to));
      }
    }
  }

  /** What a node knows: each node with its epoch and its slots. */
  private static Set<List<String>> view(RedisServer node) {
    Set<List<String>> view = new HashSet<>();
    for (String line : RedisServer.text(node.command("CLUSTER", "NODES")).split("\n", -1)) {
      // <id> <address> <flags> <primary> <ping> <pong> <epoch> <link> <slot> ... [<slot that
      // moves>]
      List<String> words = List.of(line.split(" ", -1));
      if (words.size() > 8) {
        List<String> known = new ArrayList<>(List.of(words.get(0), words.get(6)));
        words.stream().skip(8).filter(word -> !word.startsWith("[")).forEach(known::add);
        view.add(known);
      }
    }
    return view;
  }

  private static String id(RedisServer node) {
    return RedisServer.text(node.command("CLUSTER", "MYID"));
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }
}
