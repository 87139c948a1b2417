package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterTest {

  private static RedisCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void startACluster() {
    cluster = RedisCluster.start();
  }

  @AfterAll
  static void stopIt() {
    cluster.close();
  }

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
        List<?> keys = (List<?>) node.command("KEYS", "bloomery:{bytes-" + client + "/*");
        assertFalse(keys.isEmpty());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void nobodyMissesAKeyWhileSlotsMoveUnderLoad(Servers.Client client) throws Exception {
    String name = "moving-" + client;
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (RedisLink link = client.connect(cluster.uri())) {
      RedisFilter filter =
          RedisFilters.of(link, RedisOptions.defaults().chunks(6))
              .create(name, Servers.plan("blocked", 100_000, 0.01));
      BloomFilter<Long> keyed = Servers.keyed(filter);
      AtomicLong acknowledged = new AtomicLong();
      AtomicInteger checked = new AtomicInteger();
      AtomicBoolean done = new AtomicBoolean();
      List<Future<?>> running = new ArrayList<>();
      running.add(
          threads.submit(
              () -> {
                for (long key = 0; !done.get(); key += 10) {
                  keyed.putAll(Servers.keys(key, key + 10));
                  acknowledged.set(key + 10);
                }
              }));
      running.add(
          threads.submit(
              () -> {
                while (!done.get()) {
                  long to = acknowledged.get();
                  List<Long> last = Servers.keys(Math.max(0, to - 200), to);
                  assertEquals(last, keyed.select(last));
                  checked.addAndGet(last.size());
                }
              }));
      try {
        for (int round = 1; round <= 2; round++) {
          for (int chunk = 0; chunk < 6; chunk++) {
            int slot = cluster.slot("bloomery:{" + name + "/" + chunk + "}");
            int owner = cluster.nodes().indexOf(cluster.owner(slot));
            cluster.move(slot, cluster.nodes().get((owner + 1) % 3));
          }
        }
        int before = checked.get();
        RedisServer.await(
            "answers", () -> checked.get() > before || running.stream().anyMatch(Future::isDone));
      } finally {
        done.set(true);
      }
      for (Future<?> thread : running) {
        thread.get();
      }
      List<Long> all = Servers.keys(0, acknowledged.get());
      assertEquals(all, keyed.select(all));
    } finally {
      threads.shutdownNow();
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
      for (int chunk = 0; chunk < 6; chunk++) {
        int slot = cluster.slot("bloomery:{" + name + "/" + chunk + "}");
        int owner = cluster.nodes().indexOf(cluster.owner(slot));
        cluster.move(slot, cluster.nodes().get((owner + 1) % 3));
      }
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

  @Test
  void aChunkThatOneNodeLostIsAnException() {
    try (RedisLink link = LettuceLink.connect(cluster.uri())) {
      BloomFilter<Long> filter =
          Servers.keyed(
              RedisFilters.of(link).create("lost", Servers.plan("blocked", 50_000, 0.01)));
      filter.putAll(Servers.keys(0, 1000));
      cluster.owner(cluster.slot("bloomery:{lost/2}")).command("UNLINK", "bloomery:{lost/2}");
      int refused = 0;
      for (long key = 0; key < 1000; key++) {
        try {
          assertTrue(filter.mightContain(key));
        } catch (FilterUnavailableException e) {
          assertTrue(e.getMessage().contains("bloomery:{lost/2}"), e.getMessage());
          refused++;
        }
      }
      assertTrue(refused > 0);
      assertThrows(FilterUnavailableException.class, () -> filter.select(Servers.keys(0, 1000)));
    }
  }

  @Test
  @Tag("nightly")
  void aClusterStartsTwentyTimesOutOfTwenty() {
    for (int i = 0; i < 20; i++) {
      RedisCluster.start().close();
    }
  }
}
