package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertRefused;
import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemoryTest {

  /** What a server takes for its clients and their commands, far more than these tests need. */
  private static final long MARGIN = 16 << 20;

  private static final Filter CONTENT =
      Bloomery.longs().expect(16_000_000).fpp(0.01).variant("blocked").create().filter();

  private RedisServer server;
  private RedisLink link;
  private RedisFilters filters;

  @BeforeEach
  void startAServer() {
    server = RedisServer.start(RedisServer.Release.SEVEN);
    link = JEDIS.connect(server.uri());
    filters = KillCampaign.filters(link);
  }

  @AfterEach
  void stopIt() {
    link.close();
    server.close();
  }

  private RedisMemory needed() {
    List<RedisMemory> memory = filters.memory("a", CONTENT);
    assertEquals(1, memory.size());
    return memory.get(0);
  }

  @ParameterizedTest
  @EnumSource(RedisServer.Release.class) // of two allocators
  void whatIsNeededIsWhatTheServerTakes(RedisServer.Release release) throws IOException {
    try (RedisServer other = RedisServer.start(release);
        RedisLink toOther = JEDIS.connect(other.uri())) {
      RedisFilters ofOther = KillCampaign.filters(toOther);
      RedisMemory needed = ofOther.memory("a", CONTENT).get(0);
      assertEquals(OptionalLong.empty(), needed.free());
      assertTrue(needed.toString().endsWith("has no maxmemory"), needed.toString());
      ofOther.load("a", CONTENT);
      long taken = 0;
      for (String key : other.keys("bloomery:{a/*")) {
        taken += (Long) other.command("MEMORY", "USAGE", key);
      }
      // The rest is for the commands.
      assertNear(taken, needed.needed() - (3 << 20));
      RedisMemory again = ofOther.memory("a", CONTENT).get(0);
      assertEquals(needed.needed(), again.needed());
      assertNear(taken, again.serving());
      assertTrue(again.toString().contains(" beside the "), again.toString());
    }
  }

  private static void assertNear(long expected, long actual) {
    assertTrue(Math.abs(expected - actual) < 1000, () -> actual + " instead of " + expected);
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeItBegins() throws IOException {
    server.leave(needed().needed() / 2);
    IllegalStateException first =
        assertThrows(IllegalStateException.class, () -> filters.load("a", CONTENT));
    assertTrue(first.getMessage().contains("does not fit"), first.getMessage());
    assertEquals(List.of(), server.keys("*"));
    server.leave(needed().needed() + MARGIN);
    filters.load("a", CONTENT).put(7);
    // There is room for one, but not for two.
    server.leave(needed().needed() / 2);
    IllegalStateException second =
        assertThrows(IllegalStateException.class, () -> filters.rebuild("a", CONTENT));
    assertFalse(second instanceof FilterUnavailableException);
    assertTrue(second.getMessage().contains("delete the filter first and load it then"));
    assertTrue(filters.open("a").mightContain(7));
    assertEquals(4, server.keys("*").size());
    assertTrue(filters.delete("a"));
    RedisServer.await("free memory", () -> !needed().isTooMuch());
    filters.load("a", CONTENT);
    server.leave(needed().needed() + MARGIN);
    try (RedisRebuild rebuild = filters.rebuild("a", CONTENT)) {
      rebuild.load(CONTENT);
      rebuild.commit();
    }
  }

  @Test
  void whatWasBrokenOffMakesRoom() throws IOException {
    long needed = needed().needed();
    RedisRebuild open = filters.rebuild("a", CONTENT);
    long rest = needed().needed();
    assertTrue(needed - rest > CONTENT.payloadSize(), () -> needed + " and then " + rest);
    server.leave(needed / 2);
    filters.load("a", CONTENT);
    assertThrows(FilterUnavailableException.class, open::commit);
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aServerThatDoesNotSayIsSaidToBeOne(Servers.Client client) throws IOException {
    server.command("ACL", "SETUSER", "quiet", "on", ">word", "~bloomery:*", "+@all", "-info");
    String uri = server.uri().replace("://", "://quiet:word@");
    try (RedisLink quiet = client.connect(uri)) {
      RedisFilters synced = RedisFilters.of(quiet, RedisOptions.defaults().everyWriteIsSynced());
      RedisMemory memory = synced.memory("quiet", Work.CONTENT).get(0);
      assertTrue(memory.toString().contains("does not say whether it has them: NOPERM"));
      assertFalse(memory.isTooMuch());
      synced.load("quiet", Work.CONTENT).put(7);
      assertUnavailable(
          "does not permit it", () -> RedisFilters.of(quiet).load("other", Work.CONTENT));
    }
  }

  @Test
  void eachPrimaryOfAClusterMustHaveRoom() throws IOException {
    try (RedisCluster cluster = RedisCluster.start();
        RedisLink toAll = JEDIS.connect(cluster.uri())) {
      RedisFilters ofCluster = RedisFilters.of(toAll);
      List<RedisMemory> memory = ofCluster.memory("a", CONTENT);
      assertEquals(3, memory.size());
      long needed = memory.stream().mapToLong(RedisMemory::needed).sum();
      assertTrue(needed >= CONTENT.payloadSize() && needed < CONTENT.payloadSize() * 2);
      RedisServer small = cluster.nodes().get(1);
      small.leave(1_000_000);
      assertRefused(
          IllegalStateException.class,
          "127.0.0.1:" + small.port(),
          () -> ofCluster.load("a", CONTENT));
      for (RedisServer node : cluster.nodes()) {
        assertEquals(0L, node.command("DBSIZE"));
      }
      small.leave(needed);
      ofCluster.load("a", CONTENT);
    }
  }
}
