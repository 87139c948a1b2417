package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The current primaries, asked for what they say of themselves. */
final class Primaries {
  // decisions.md#run_id-and-master_replid2-not-master_replid-inside-each-script

  private static final List<byte[]> DBSIZE = List.of(Script.ascii("DBSIZE"));

  private final Calls calls;

  Primaries(Calls calls) {
    this.calls = calls;
  }

  private List<String> nodes() {
    RedisLink link = calls.link();
    try {
      link.refresh();
    } catch (RuntimeException e) {
      throw Faults.of(String.join(", ", link.primaries()), e);
    }
    List<String> nodes = link.primaries();
    if (nodes.isEmpty()) {
      throw new FilterUnavailableException(
          "cannot answer: the Redis Cluster must have primaries with slots, but names none; see"
              + " CLUSTER NODES there");
    }
    return nodes;
  }

  private List<Object> send(String node, List<List<byte[]>> commands) {
    try {
      return calls.link().send(node, commands, Runnable::run).join();
    } catch (RuntimeException e) {
      throw Faults.of(node, e);
    }
  }

  /** Returns what each primary says in some sections of INFO. */
  SortedMap<String, NodeInfo> info(String... sections) {
    List<List<byte[]>> commands =
        Stream.of(sections)
            .map(section -> List.of(Script.ascii("INFO"), Script.ascii(section)))
            .toList();
    SortedMap<String, NodeInfo> found = new TreeMap<>();
    for (String node : nodes()) {
      found.put(node, NodeInfo.of(node, send(node, commands)));
    }
    return found;
  }

  /** What a node says of itself, and the error with which it refused to. */
  record NodeInfo(String node, Map<String, String> properties, String error) {

    private static NodeInfo of(String node, List<Object> replies) {
      Map<String, String> properties = new HashMap<>();
      String error = "";
      for (Object reply : replies) {
        if (reply instanceof byte[] bytes) {
          for (String line : new String(bytes, StandardCharsets.UTF_8).lines().toList()) {
            int colon = line.indexOf(':');
            if (colon > 0) {
              properties.put(line.substring(0, colon), line.substring(colon + 1));
            }
          }
        } else {
          error = reply instanceof RedisErrorReply refused ? refused.message() : "no text";
        }
      }
      return new NodeInfo(node, properties, error);
    }

    /** Returns a number that is stated, or -1. */
    long number(String property) {
      String text = properties.getOrDefault(property, "");
      return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }

    private String needed(String property) {
      String value = properties.get(property);
      if (value == null || !value.matches("[0-9a-f]+")) {
        if (!error.isEmpty()) {
          throw Faults.of(node, "INFO", new RedisErrorReply(error));
        }
        throw new FilterUnavailableException(
            "Redis node "
                + node
                + " must say its "
                + property
                + " in INFO, but does not; connect to a server that does");
      }
      return value;
    }
  }

  /**
   * Returns for each primary the id of its run and the replication history that it was promoted
   * from, as they stand in a record.
   */
  String identities() {
    Set<String> identities = new TreeSet<>();
    for (NodeInfo node : info("server", "replication").values()) {
      if (node.properties().getOrDefault("role", "").equals("slave")) {
        throw Faults.replica(node.node());
      }
      identities.add(node.needed("run_id") + "/" + node.needed("master_replid2"));
    }
    return String.join(" ", identities);
  }

  /** Returns whether the primaries certainly have no keys at all. */
  boolean areEmpty() {
    for (String node : nodes()) {
      if (!Long.valueOf(0).equals(send(node, List.of(DBSIZE)).get(0))) {
        return false;
      }
    }
    return true;
  }

  /** Passes the names of all keys that match a pattern. */
  void scan(String pattern, Consumer<String> keys) {
    for (String node : nodes()) {
      byte[] cursor = Script.ascii("0");
      do {
        List<byte[]> command = new ArrayList<>(List.of(Script.ascii("SCAN"), cursor));
        for (String word : List.of("MATCH", pattern, "COUNT", "1000")) {
          command.add(Script.ascii(word));
        }
        Object found = send(node, List.of(command)).get(0);
        if (found instanceof RedisErrorReply error) {
          throw Faults.of(node, "SCAN", error);
        }
        List<?> reply = (List<?>) found;
        cursor = (byte[]) reply.get(0);
        for (Object key : (List<?>) reply.get(1)) {
          keys.accept(new String((byte[]) key, StandardCharsets.US_ASCII));
        }
      } while (cursor.length != 1 || cursor[0] != '0');
    }
  }
}
