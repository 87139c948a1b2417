package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterTest {

  private static final long SECOND = 1_000_000;
  private static final long NOW = 1_795_000_000 * SECOND;

  private final RedisCluster cluster = Servers.cluster();

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aFilterOfManyNodesHasTheBytesOfALocalOne(Servers.Client client) throws IOException {
    try (RedisLink link = client.connect(cluster.uri())) {
      assertEquals(3, link.primaries().size());
      RedisFilter filter =
          RedisFilters.of(link).create("bytes-" + client, Servers.plan("blocked", 50_000, 0.01));
      assertTrue(filter.served().count() > 3);
      BloomFilter<Long> local =
          io.bloomery.Bloomery.longs().expect(50_000).variant("blocked").create();
      Servers.keyed(filter).putAll(Servers.keys(0, 50_000));
      local.putAll(Servers.keys(0, 50_000));
      Path here = folder.resolve("local");
      Path there = folder.resolve("remote");
      local.save(here);
      Servers.keyed(filter).save(there);
      assertEquals(-1, Files.mismatch(here, there));
      for (RedisServer node : cluster.nodes()) {
        assertFalse(node.keys("bloomery:{bytes-" + client + "/*").isEmpty());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void nobodyMissesAKeyWhileSlotsMoveUnderLoad(Servers.Client client) throws Exception {
    String name = "moving-" + client;
    Load load = new Load(0);
    try (RedisLink link = client.connect(cluster.uri())) {
      BloomFilter<Long> filter =
          Servers.keyed(
              RedisFilters.of(link, RedisOptions.defaults().chunks(6))
                  .create(name, Servers.plan("blocked", 100_000, 0.01)));
      try (load) {
        load.put(10, filter::putAll);
        load.ask(200, filter::select);
        moveAll(name);
        moveAll(name);
        load.awaitAnswers();
      }
      List<Long> all = Servers.keys(0, load.acknowledged());
      assertEquals(all, filter.select(all));
    }
  }

  /** Moves each of six chunks of a filter to the next node. */
  private void moveAll(String name) {
    for (int chunk = 0; chunk < 6; chunk++) {
      int slot = cluster.slot("bloomery:{" + name + "/" + chunk + "}");
      int owner = cluster.nodes().indexOf(cluster.owner(slot));
      cluster.move(slot, cluster.nodes().get((owner + 1) % 3));
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aRedirectionIsFollowedWhateverTheSlotsOfALinkSay(Servers.Client client) {
    try (RedisLink link = client.connect(cluster.uri());
        RedisLink outdated = new OutdatedLink(link)) {
      String name = "outdated-" + client;
      RedisFilter filter =
          RedisFilters.of(outdated, RedisOptions.defaults().chunks(6))
              .create(name, Servers.plan("blocked", 10_000, 0.01));
      moveAll(name);
      BloomFilter<Long> keyed = Servers.keyed(filter);
      List<Long> keys = Servers.keys(0, 1000);
      keyed.putAll(keys);
      assertEquals(keys, keyed.select(keys));
    }
  }

  /** A link that keeps for ever where it first saw a key. */
  private static final class OutdatedLink extends ForwardingLink {

    private final Map<String, String> seen = new ConcurrentHashMap<>();

    OutdatedLink(RedisLink link) {
      super(link);
    }

    @Override
    public String node(byte[] key) {
      return seen.computeIfAbsent(
          new String(key, StandardCharsets.US_ASCII), any -> super.node(key));
    }

    @Override
    public void refresh() {
      // It hears nothing.
    }
  }

  @Test
  void nobodyMissesAKeyWhileGenerationsAreSwappedUnderLoad() throws Exception {
    RebuildTest.load(cluster.uri(), 3);
  }

  /** The nodes' clocks differ by hours. */
  private long clock(String node, long now) {
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
    Load load = new Load(0);
    try (RedisLink link = client.connect(cluster.uri())) {
      RedisWindows windows =
          RedisWindows.of(
              new ClockLink(link, node -> clock(node, now.get())),
              RedisOptions.defaults().chunks(3));
      RedisSlidingBloomFilter<Long> window =
          windows.create(
              name, RedisWindowsTest.builder("blocked", 1_000_000).lasting(Duration.ofMinutes(1)));
      try (load) {
        load.put(
            10,
            keys -> {
              int isNew = 0;
              for (boolean each : window.putAll(keys)) {
                isNew += each ? 1 : 0;
              }
              assertTrue(isNew > 5, isNew + " new");
            });
        load.ask(2000, window::select);
        int slot = cluster.slot("bloomery:window:{" + name + "}");
        for (int i = 0; i < 5; i++) {
          load.awaitAnswers();
          int owner = cluster.nodes().indexOf(cluster.owner(slot));
          cluster.move(slot, cluster.nodes().get((owner + 1 + i % 2) % 3));
        }
      }
      List<Long> all = Servers.keys(0, load.acknowledged());
      assertTrue(all.size() > 10);
      now.addAndGet(31 * SECOND);
      assertEquals(all, windows.open(name, Bloomery.longs()).select(all));
      now.addAndGet(60 * SECOND);
      assertFalse(window.mightContain(1L));
      assertTrue(windows.names().contains(name));
      assertTrue(windows.delete(name));
    }
  }
}
