package io.bloomery.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * What befalls servers for a while.
 *
 * @param keepsAll whether nothing is lost by it, so that all goes on afterwards
 * @param setsClock whether a clock is set back by it, and then right again
 */
record Fault(String name, boolean keepsAll, boolean setsClock, Action action) {

  Fault(String name, boolean keepsAll, Action action) {
    this(name, keepsAll, false, action);
  }

  /** Lets it happen, and puts an end to it. */
  interface Action {
    void run() throws Exception;
  }

  /** A user of a server whose permissions a fault may change. */
  static final String USER = "worker";

  static final String PASSWORD = "word";

  /** What scripts and those who run them need. */
  private static final List<String> COMMANDS =
      List.of(
          ("eval evalsha script info time exists hmget hgetall hset getrange setrange getbit setbit"
                  + " strlen pttl pexpire unlink rename")
              .split(" "));

  /** The policies by which a server that is full deletes keys. */
  static final List<String> EVICTIONS =
      List.of(
          "allkeys-lru",
          "allkeys-lfu",
          "allkeys-random",
          "volatile-lru",
          "volatile-lfu",
          "volatile-random",
          "volatile-ttl");

  /** Returns the options of a server that knows the user. */
  static String[] options(String... others) {
    List<String> options = new ArrayList<>(List.of("--user", USER, "on", ">" + PASSWORD, "~*"));
    options.add("+@all");
    options.addAll(Arrays.asList(others));
    return options.toArray(String[]::new);
  }

  /** Waits a while that is drawn. */
  private static void hold(Random draw, long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis / 2 + draw.nextLong(millis)));
  }

  /**
   * Returns the faults of a server.
   *
   * @param other a server that can be its replica
   * @param isSynced whether it saves each write before it answers
   * @param setBack is told the microseconds by which its clock is late
   */
  static List<Fault> of(
      RedisServer server, RedisServer other, boolean isSynced, LongConsumer setBack, Random draw) {
    List<Fault> faults = new ArrayList<>();
    faults.add(
        new Fault(
            isSynced ? "kill -9 with AOF" : "kill -9 without AOF",
            isSynced,
            () -> {
              server.kill();
              hold(draw, 100);
              server.startAgain();
            }));
    if (!isSynced) {
      faults.add(
          new Fault(
              "kill -9, an older snapshot",
              false,
              () -> {
                server.command("SAVE");
                hold(draw, 200);
                server.kill();
                server.startAgain();
              }));
    }
    faults.add(
        new Fault("promotion of a stale replica", false, () -> promote(server, other, draw)));
    faults.add(new Fault("FLUSHALL", false, () -> server.command("FLUSHALL")));
    List<String> policies = new ArrayList<>(EVICTIONS);
    policies.add("noeviction");
    for (String policy : policies) {
      faults.add(new Fault("maxmemory, " + policy, false, () -> fill(server, policy, draw)));
    }
    faults.add(
        new Fault(
            "a command not permitted",
            false,
            () -> {
              String command = COMMANDS.get(draw.nextInt(COMMANDS.size()));
              server.command("ACL", "SETUSER", USER, "-" + command);
              hold(draw, 300);
              server.command("ACL", "SETUSER", USER, "+@all");
            }));
    faults.add(
        new Fault(
            "clock set back, up to an hour",
            true,
            true,
            () -> {
              setBack.accept(draw.nextLong(TimeUnit.HOURS.toMicros(1)));
              hold(draw, 700);
              setBack.accept(0);
            }));
    faults.add(
        new Fault(
            "a key of another type",
            false,
            () -> {
              String key = key(server, draw);
              server.command("RENAME", key, "aside");
              server.command("LPUSH", key, "x");
              hold(draw, 300);
              try {
                server.command("RENAME", "aside", key);
              } catch (JedisDataException e) {
                // It has expired meanwhile.
              }
            }));
    faults.addAll(ofAny(List.of(server), draw));
    return faults;
  }

  /** Returns the faults of a Cluster. */
  static List<Fault> of(RedisCluster cluster, Random draw) {
    List<Fault> faults = new ArrayList<>();
    for (Shared shared : Shared.values()) {
      faults.add(
          new Fault(
              "a slot moved",
              true,
              () -> {
                String key = shared.record();
                if (shared == Shared.FILTER && draw.nextBoolean()) {
                  key = "bloomery:{" + shared + "/1}";
                }
                int slot = cluster.slot(key);
                List<RedisServer> others = new ArrayList<>(cluster.nodes());
                others.remove(cluster.owner(slot));
                cluster.move(slot, others.get(draw.nextInt(2)));
              }));
    }
    faults.addAll(ofAny(cluster.nodes(), draw));
    return faults;
  }

  private static List<Fault> ofAny(List<RedisServer> servers, Random draw) {
    return List.of(
        new Fault(
            "SIGSTOP",
            true,
            () -> {
              RedisServer server = drawn(servers, draw);
              server.signal("STOP");
              hold(draw, 1200);
              server.signal("CONT");
            }),
        new Fault(
            "SCRIPT FLUSH",
            true,
            () -> {
              for (int i = 0; i < 5; i++) {
                drawn(servers, draw).command("SCRIPT", "FLUSH");
                hold(draw, 50);
              }
            }),
        new Fault(
            "a key deleted",
            false,
            () -> {
              RedisServer server = drawn(servers, draw);
              List<String> keys = server.keys("bloomery:*");
              if (!keys.isEmpty()) { // a node of a Cluster refuses the names of others
                server.command("DEL", keys.get(draw.nextInt(keys.size())));
              }
            }),
        new Fault("a record of another format", true, () -> write(servers, draw)),
        new Fault("all expired", false, () -> expire(servers)));
  }

  private static RedisServer drawn(List<RedisServer> servers, Random draw) {
    return servers.get(draw.nextInt(servers.size()));
  }

  /** Returns one of the keys of a server, or any name if it has none. */
  private static String key(RedisServer server, Random draw) {
    List<String> keys = server.keys("bloomery:*");
    return keys.isEmpty() ? "none" : keys.get(draw.nextInt(keys.size()));
  }

  /** Lets a server get the older history of a replica that was promoted in its place. */
  private static void promote(RedisServer server, RedisServer other, Random draw) {
    other.follow(server);
    other.promote();
    hold(draw, 200);
    server.follow(other);
    server.promote();
  }

  private static void fill(RedisServer server, String policy, Random draw) {
    server.command("CONFIG", "SET", "maxmemory-policy", policy);
    long limit = Math.max(1, server.usedMemory() - draw.nextInt(400_000));
    server.command("CONFIG", "SET", "maxmemory", Long.toString(limit));
    hold(draw, 300);
    server.command("CONFIG", "SET", "maxmemory", "0");
    server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
  }

  /** Lets records be such as another version of the client may write, and takes that back. */
  private static void write(List<RedisServer> servers, Random draw) {
    setFormats(servers, "3", "3");
    hold(draw, 300);
    setFormats(servers, "1", "2");
  }

  private static void setFormats(List<RedisServer> servers, String ofFilters, String ofWindows) {
    for (RedisServer server : servers) {
      for (String key : server.keys("bloomery:*")) {
        if (isRecord(key)) {
          boolean isWindow = key.startsWith("bloomery:window:");
          server.command("HSET", key, "format", isWindow ? ofWindows : ofFilters);
        }
      }
    }
  }

  private static boolean isRecord(String key) {
    return Arrays.stream(Shared.values()).anyMatch(shared -> shared.record().equals(key));
  }

  private static void expire(List<RedisServer> servers) {
    for (boolean isRecord : new boolean[] {false, true}) {
      for (RedisServer server : servers) {
        for (String key : server.keys("bloomery:*")) {
          if (isRecord(key) == isRecord) {
            server.command("PEXPIRE", key, isRecord ? "1" : "1000");
          }
        }
      }
    }
  }
}
