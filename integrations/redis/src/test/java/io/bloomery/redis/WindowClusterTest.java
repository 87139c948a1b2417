package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WindowClusterTest {

  private static final long SECOND = 1_000_000;
  private static final long NOW = 1_795_000_000 * SECOND;

  private static RedisCluster cluster;

  @BeforeAll
  static void startACluster() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stopIt() {
    cluster.close();
  }

  /** The nodes' clocks differ by hours. */
  private static long clock(String node, long now) {
    int port = Integer.parseInt(node.substring(node.lastIndexOf(':') + 1));
    for (int i = 0; i < 3; i++) {
      if (cluster.nodes().get(i).port() == port) {
        return now + i * 3600L * SECOND;
      }
    }
    throw new IllegalArgumentException(node);
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void itForgetsNothingEarlyWhileItsSlotIsMovedToNodesWithOtherClocks(Servers.Client client)
      throws Exception {
    String name = "moved-" + client;
    AtomicLong now = new AtomicLong(NOW);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (RedisLink link = client.connect(cluster.uri())) {
      RedisWindows windows =
          RedisWindows.of(
              new ClockLink(link, node -> clock(node, now.get())),
              RedisOptions.defaults().chunks(3));
      RedisSlidingBloomFilter<Long> window =
          windows.create(
              name, RedisWindowsTest.builder("blocked", 10_000).lasting(Duration.ofMinutes(1)));
      AtomicLong put = new AtomicLong();
      AtomicLong asked = new AtomicLong();
      AtomicBoolean isOver = new AtomicBoolean();
      List<Future<?>> users = new ArrayList<>();
      users.add(
          threads.submit(
              () -> {
                while (!isOver.get() && put.get() < 10_000) {
                  long from = put.get();
                  int isNew = 0;
                  for (boolean each : window.putAll(Servers.keys(from, from + 10))) {
                    isNew += each ? 1 : 0;
                  }
                  assertTrue(isNew > 5, isNew + " new");
                  put.set(from + 10);
                }
              }));
      users.add(
          threads.submit(
              () -> {
                while (!isOver.get()) {
                  List<Long> keys = Servers.keys(0, put.get());
                  assertEquals(keys, window.select(keys));
                  asked.incrementAndGet();
                }
              }));
      try {
        int slot = cluster.slot("bloomery:window:{" + name + "}");
        for (int i = 0; i < 5; i++) {
          long before = asked.get();
          RedisServer.await(
              "answers", () -> asked.get() > before + 1 || users.stream().anyMatch(Future::isDone));
          int owner = cluster.nodes().indexOf(cluster.owner(slot));
          cluster.move(slot, cluster.nodes().get((owner + 1 + i % 2) % 3));
        }
      } finally {
        isOver.set(true);
      }
      for (Future<?> user : users) {
        user.get();
      }
      List<Long> all = Servers.keys(0, put.get());
      assertTrue(all.size() > 10);
      now.addAndGet(31 * SECOND);
      assertEquals(all, windows.open(name, Bloomery.longs()).select(all));
      now.addAndGet(60 * SECOND);
      assertFalse(window.mightContain(1L));
      assertTrue(windows.names().contains(name));
      assertTrue(windows.delete(name));
    } finally {
      threads.shutdownNow();
    }
  }
}
