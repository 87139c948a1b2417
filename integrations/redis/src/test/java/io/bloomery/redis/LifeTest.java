package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertRefused;
import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.RedisServer.Release.SEVEN;
import static io.bloomery.redis.RedisServer.Release.SIX;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static io.bloomery.redis.Servers.Client.LETTUCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.redis.RedisFilterInfo.State;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter expires as a whole, and its record is the first to go. */
class LifeTest {

  private static final RedisServer SERVER = Servers.shared(SIX);
  private final RedisLink link = JEDIS.shared(SIX);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LEAST_LIFE = Duration.ofSeconds(2); // that can be asked for long
  private static final int CHUNKS = 3;
  private static final FilterPlan PLAN = Servers.plan("blocked", 10_000, 0.01);
  private static final long[] HASHES = Servers.hashes(0, 1000);

  private static final RedisOptions PLAIN = RedisOptions.defaults().chunks(CHUNKS);

  private static RedisFilters filters(RedisLink link, Duration life) {
    return RedisFilters.of(link, PLAIN.expireAfter(life));
  }

  private static RedisFilters renewing(RedisLink link) {
    return RedisFilters.of(link, PLAIN.expireAfterPut(HOUR));
  }

  private static List<Long> left(String name) {
    return SERVER.left(keys(name));
  }

  private static List<String> keys(String name) {
    List<String> keys = new ArrayList<>(List.of("bloomery:{" + name + "}"));
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      keys.add("bloomery:{" + name + "/" + chunk + "}");
    }
    return keys;
  }

  private static void assertRecordGoesFirst(String name) {
    List<Long> left = left(name);
    for (int i = 1; i < left.size(); i++) {
      assertTrue(left.get(0) >= 0 && left.get(i) > left.get(0), () -> name + ": " + left);
    }
  }

  /** Checks that chunks without a record are taken for expired ones once that is so, not before. */
  private static void assertEndsAsAWhole(String name) {
    assertRecordGoesFirst(name);
    List<Long> left = left(name);
    for (int i = 1; i < left.size(); i++) {
      assertTrue(left.get(i) - left.get(0) <= Life.GRACE_MILLIS + 5, () -> name + ": " + left);
    }
  }

  /** Returns a filter that has just begun to live for some seconds. */
  private static RedisFilter shortLived(RedisLink link, String name) {
    for (long seconds = LEAST_LIFE.toSeconds(); ; seconds *= 2) {
      try {
        return filters(link, Duration.ofSeconds(seconds)).create(name, PLAN);
      } catch (FilterUnavailableException e) {
        System.out.println("expired before it could be opened: " + e.getMessage());
      }
    }
  }

  /** Asks until the filter has expired, without a pause towards the end: it has all keys. */
  private static void assertEndsWhole(RedisFilter filter) {
    long begin = System.nanoTime();
    int answers = 0;
    try {
      filter.putAll(HASHES, 0, HASHES.length);
      while (true) {
        assertEquals(0, KillCampaign.missing(filter, HASHES));
        answers++;
        if (System.nanoTime() - begin < LEAST_LIFE.minusMillis(300).toNanos()) {
          RedisServer.pause();
        }
      }
    } catch (FilterUnavailableException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("its life has ended"), e::getMessage);
    }
    System.out.println(answers + " answers before the end");
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void thereIsAWholeFilterOrNone(Servers.Client client) {
    String name = "whole-" + client;
    RedisLink link = client.shared(SIX);
    RedisFilters filters = filters(link, HOUR);
    RedisFilter filter = shortLived(link, name);
    RedisSnapshot<Long> snapshot = RedisSnapshot.of(Servers.keyed(filter), Duration.ofNanos(1));
    assertEndsWhole(filter);
    for (Executable call :
        List.<Executable>of(
            () -> filter.mightContain(1),
            () -> filter.select(HASHES, 0, 1000, new int[1000]),
            () -> filter.put(1),
            filter::generation,
            filter::seal,
            filter::copy,
            filter::clear,
            () -> filters.open(name),
            () -> filters.accept(name))) {
      assertUnavailable("there is no filter", call);
    }
    assertTrue(snapshot.mightContain(-1L));
    assertFalse(filters.exists(name));
    assertEquals(Optional.empty(), filters.info(name));
    // What is left of it is nobody's loss.
    RedisFilter next = RedisFilters.of(link, PLAIN).openOrCreate(name, PLAN);
    assertEquals(HASHES.length, KillCampaign.missing(next, HASHES));
    assertEquals(List.of(-1L, -1L, -1L, -1L), left(name));
    assertThrows(FilterUnavailableException.class, () -> filter.put(1));
  }

  @Test
  void aRecordThatIsLostBeforeItsTimeIsNotTakenForExpired() {
    RedisFilters filters = filters(link, HOUR);
    RedisFilter filter = filters.create("early", PLAN);
    SERVER.command("DEL", "bloomery:{early}");
    assertRefused(
        IllegalStateException.class, "has lost its record", () -> filters.create("early", PLAN));
    assertEquals(State.LOST, filters.info("early").orElseThrow().state());
    assertTrue(filter.put(1)); // until it asks for the record
    assertUnavailable("there is no filter", () -> filters.open("early"));
    assertTrue(filters.delete("early"));
    assertFalse(filters.delete("early"));
  }

  @Test
  void onlyPutsRenewALifeAndOnlyIfAsked() {
    for (boolean renews : new boolean[] {false, true}) {
      String name = "renewed-" + renews;
      RedisFilters filters = renews ? renewing(link) : filters(link, HOUR);
      filters.create(name, PLAN);
      assertEndsAsAWhole(name);
      long begun = left(name).get(0);
      SERVER.pass(keys(name), Duration.ofMinutes(10));
      RedisFilter filter = filters.open(name);
      filter.put(1);
      assertTrue(left(name).get(0) <= begun - Duration.ofMinutes(10).toMillis());
      SERVER.pass(keys(name), Duration.ofMinutes(10));
      filter = filters.open(name);
      filter.mightContain(1);
      filter.stats();
      filters.accept(name);
      assertTrue(left(name).get(0) <= begun - Duration.ofMinutes(20).toMillis());
      filter.put(2);
      assertEquals(renews, left(name).get(0) > begun - Duration.ofMinutes(20).toMillis(), name);
      assertRecordGoesFirst(name);
      Duration told = filters.info(name).orElseThrow().left().orElseThrow();
      assertTrue(told.toMillis() >= left(name).get(0) && told.compareTo(HOUR) <= 0, told::toString);
      filter.seal();
      filter.clear();
      assertRecordGoesFirst(name);
    }
  }

  @Test
  void aRebuildBeginsTheLifeAnewAndKeepsItUnlessAnotherIsGiven() {
    RedisFilters filters = filters(link, HOUR);
    filters.create("rebuilt", PLAN);
    SERVER.pass(keys("rebuilt"), Duration.ofMinutes(30));
    rebuild(RedisFilters.of(link, PLAIN));
    assertEndsAsAWhole("rebuilt");
    assertTrue(left("rebuilt").get(0) > Duration.ofMinutes(30).toMillis());
    rebuild(filters(link, HOUR.multipliedBy(3)));
    assertEndsAsAWhole("rebuilt");
    assertTrue(left("rebuilt").get(0) > HOUR.toMillis());
    // It ends while the next one is filled.
    RedisRebuild late = filters.rebuild("rebuilt", PLAN);
    SERVER.command("DEL", "bloomery:{rebuilt}"); // as its end does
    assertUnavailable("life has ended", late::commit);
    rebuild(filters);
    assertEquals(1 + CHUNKS, SERVER.keysOf("rebuilt").size());
    assertEndsAsAWhole("rebuilt");
  }

  private static void rebuild(RedisFilters filters) {
    try (RedisRebuild rebuild = filters.rebuild("rebuilt", PLAN)) {
      rebuild.putAll(HASHES, 0, HASHES.length);
      rebuild.commit();
    }
    assertEquals(0, KillCampaign.missing(filters.open("rebuilt"), HASHES));
  }

  /** Wherever somebody is killed, the record never outlives a chunk. */
  @Test
  void aCommitOrARenewalThatIsBrokenOffLeavesTheRecordToGoFirst() throws IOException {
    Random draw = Servers.draw();
    int killed = 0;
    for (boolean commits : new boolean[] {false, true}) {
      for (int step = 1; ; step++) {
        String name = "killed-life-" + commits + "-" + step;
        RedisFilters filters = renewing(link);
        RedisFilter filter = filters.create(name, PLAN);
        filter.putAll(HASHES, 0, HASHES.length);
        SERVER.pass(keys(name), Duration.ofMinutes(20));
        MortalLink mortal = new MortalLink(link, step, draw.nextBoolean(), () -> {}, () -> {});
        try {
          if (commits) {
            try (RedisRebuild rebuild = renewing(mortal).rebuild(name, filter.copy())) {
              rebuild.load(filter.copy());
              rebuild.commit();
            }
          } else {
            renewing(mortal).open(name).put(-1);
          }
        } catch (RuntimeException e) {
          assertTrue(mortal.isDead(), e::toString);
        }
        if (!mortal.isDead()) {
          break;
        }
        killed++;
        assertRecordGoesFirst(name);
        RedisFilter after = filters.open(name);
        assertEquals(0, KillCampaign.missing(after, HASHES), name);
        after.put(-2);
        assertEndsAsAWhole(name);
        assertTrue(left(name).get(0) > Duration.ofMinutes(44).toMillis(), name);
      }
    }
    assertTrue(killed > 10, killed + " steps");
  }

  @Test
  void openOrCreateTellsAnotherLife() {
    filters(link, HOUR).openOrCreate("lives", PLAN);
    filters(link, HOUR).openOrCreate("lives", PLAN);
    for (RedisFilters other : List.of(RedisFilters.of(link, PLAIN), renewing(link))) {
      assertRefused(
          IllegalArgumentException.class,
          ": life PT1H, not ",
          () -> other.openOrCreate("lives", PLAN));
    }
  }

  @Test
  void aServerThatEvictsWhatExpiresIsRefused() {
    try (RedisServer server = RedisServer.start(SEVEN);
        RedisLink link = JEDIS.connect(server.uri())) {
      RedisFilters filters = filters(link, HOUR);
      for (String policy :
          List.of("volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl")) {
        server.command("CONFIG", "SET", "maxmemory-policy", policy);
        server.command("CONFIG", "SET", "maxmemory", "0");
        filters.create(policy, PLAN);
        server.command("CONFIG", "SET", "maxmemory", "100mb");
        for (Executable call :
            List.<Executable>of(
                () -> filters.create("evicted", PLAN),
                () -> filters.openOrCreate("evicted", PLAN),
                () -> filters.load("evicted", Work.CONTENT),
                () -> filters.rebuild(policy, PLAN))) {
          assertRefused(IllegalStateException.class, policy + "; set noeviction", call);
        }
        RedisFilters.of(link, PLAIN).create("endless-" + policy, PLAN);
        filters.open(policy).put(1);
      }
      for (String policy : List.of("noeviction", "allkeys-lru")) {
        server.command("CONFIG", "SET", "maxmemory-policy", policy);
        filters.create(policy, PLAN);
      }
    }
  }

  @Test
  void livesAreFromASecondTo36500Days() {
    for (Duration life :
        List.of(
            Duration.ofMillis(999),
            Duration.ZERO,
            Duration.ofHours(-1),
            Duration.ofDays(36_500).plusNanos(1),
            Duration.ofSeconds(Long.MAX_VALUE))) {
      assertThrows(IllegalArgumentException.class, () -> PLAIN.expireAfter(life));
      assertThrows(IllegalArgumentException.class, () -> PLAIN.expireAfterPut(life));
    }
    assertEquals(PLAIN.expireAfterPut(HOUR).life(), Life.parse("3600000 renewed"));
    assertEquals(PLAIN.expireAfter(HOUR).life(), Life.parse("3600000"));
  }

  @Test
  void aClusterExpiresAWholeFilterToo() throws Exception {
    try (RedisLink link = LETTUCE.connect(Servers.cluster().uri())) {
      RedisFilters filters = filters(link, HOUR);
      RedisFilter filter = shortLived(link, "cluster");
      assertEndsWhole(filter);
      assertUnavailable("there is no filter", () -> filter.mightContain(1));
      assertEquals(Optional.empty(), filters.info("cluster"));
      RedisFilter next = renewing(link).create("cluster", PLAN);
      assertTrue(next.put(1) && next.mightContain(1));
    }
  }
}
