package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static io.bloomery.redis.Servers.Client.LETTUCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RebuildTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);
  private final RedisLink link = JEDIS.shared(RedisServer.Release.SEVEN);

  // Small numbers would be no hashes: all of them have the same bits.
  private static final long[] HASHES = Servers.hashes(0, 10);

  private static RedisFilter create(RedisLink link, String name, int chunks) {
    return RedisFilters.of(link, RedisOptions.defaults().chunks(chunks))
        .create(name, Servers.plan("blocked", 1000, 0.01));
  }

  @Test
  void nobodyMissesAKeyWhileGenerationsAreSwappedUnderLoad() throws Exception {
    load(SERVER.uri(), 3);
  }

  /**
   * Lets writers put fresh keys and readers ask for those that were put, while the filter is
   * rebuilt again and again, in another size each time. Fails if an answer was "absent".
   */
  static void load(String uri, int rebuilds) throws Exception {
    Load load = new Load(1000);
    try (RedisLink one = JEDIS.connect(uri);
        RedisLink two = LETTUCE.connect(uri)) {
      RedisFilters filters = RedisFilters.of(one, RedisOptions.defaults().chunks(6));
      filters.delete("load");
      RedisFilter created = filters.create("load", Servers.plan("blocked", 1000, 0.01));
      Servers.keyed(created).putAll(Servers.keys(0, 1000));
      try (load) {
        load.put(1, Servers.keyed(RedisFilters.of(two).open("load"))::putAll);
        for (RedisLink link : List.of(one, two)) {
          load.ask(100, Servers.keyed(RedisFilters.of(link).open("load"))::select);
        }
        for (int i = 1; i <= rebuilds; i++) {
          try (RedisRebuild rebuild =
              filters.rebuild("load", Servers.plan("blocked", 1000L * (i + 1), 0.01))) {
            long source = load.acknowledged() + 1; // one put may have begun before the rebuild
            rebuild.putAll(Servers.hashes(0, source), 0, (int) source);
            rebuild.commit();
          }
          assertEquals(i + 1, created.generation());
          load.awaitAnswers();
        }
      }
      List<Long> all = Servers.keys(0, load.acknowledged());
      assertEquals(all, Servers.keyed(created).select(all));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void severalGenerationsMayFollowWhileOneCallIsUnderWay(int every) {
    String name = "steps-" + every;
    RedisRebuild[] open = new RedisRebuild[1];
    int[] acknowledged = {1}; // the hashes below are in the source
    RedisFilters filters = RedisFilters.of(link);
    RedisFilter created = create(link, name, 2);
    created.putAll(HASHES, 0, acknowledged[0]);
    Runnable nextGeneration =
        () -> {
          if (open[0] != null) {
            open[0].putAll(HASHES, 0, acknowledged[0]);
            open[0].commit();
          }
          open[0] = filters.rebuild(name, Servers.plan("blocked", 1000, 0.01));
        };
    int[] sends = {Integer.MAX_VALUE};
    RedisLink steps =
        ForwardingLink.before(
            link,
            () -> {
              if (sends[0] < 6 * every && sends[0]++ % every == 0) {
                nextGeneration.run();
              }
            });
    RedisFilter filter = RedisFilters.of(steps).open(name);
    for (int hash = acknowledged[0]; hash < HASHES.length; hash++) {
      sends[0] = 0;
      assertTrue(filter.put(HASHES[hash]));
      acknowledged[0]++;
      sends[0] = 0;
      assertTrue(filter.mightContain(HASHES[hash]));
      sends[0] = 0;
      long generation = filter.generation();
      assertEquals(created.generation(), generation);
    }
    nextGeneration.run();
    assertEquals(HASHES.length, count(created, HASHES));
    open[0].close();
  }

  @Test
  void aCallThatNeedsOneGenerationWaitsForTheEndOfAChange() {
    RedisFilter created = create(link, "changing", 4);
    created.putAll(HASHES, 0, HASHES.length);
    RedisRebuild rebuild =
        RedisFilters.of(link).rebuild("changing", Servers.plan("blocked", 9000, 0.01));
    rebuild.putAll(HASHES, 0, HASHES.length);
    List<Runnable> steps = new ArrayList<>();
    RedisLink changing =
        ForwardingLink.before(
            link,
            () -> {
              if (!steps.isEmpty()) {
                steps.remove(0).run();
              }
            });
    RedisFilter filter = RedisFilters.of(changing).open("changing");
    steps.add(
        () -> SERVER.command("RENAME", "bloomery:{changing/2}:next", "bloomery:{changing/2}"));
    steps.add(() -> {}); // the record is read
    steps.add(() -> {}); // chunk 2 is asked again
    steps.add(rebuild::commit);
    assertEquals(HASHES.length, filter.stats().approximateKeys().orElse(0));
    assertEquals(List.of(), steps);
    assertEquals(2, filter.generation());
  }

  @Test
  void puttersAreToldOnceWhileTwoGenerationsTakeTheirKeys() {
    RedisFilter filter = create(link, "once", 4);
    assertTrue(filter.put(HASHES[1]));
    try (RedisRebuild rebuild =
        RedisFilters.of(link).rebuild("once", Servers.plan("blocked", 5000, 0.01))) {
      assertFalse(filter.put(HASHES[1])); // in the old one; now in the next, too
      assertTrue(filter.put(HASHES[2]));
      assertFalse(filter.put(HASHES[2]));
      rebuild.commit();
    }
    assertFalse(filter.put(HASHES[1]));
    assertFalse(filter.put(HASHES[2]));
    assertTrue(filter.put(HASHES[3]));
    assertEquals(2, filter.generation());
    assertEquals(5000, filter.spec().expectedKeys());
    assertEquals(List.of(), SERVER.keys("bloomery:{once/*:next"));
  }

  @Test
  void aRebuildThatIsClosedOrSupersededChangesNothing() {
    RedisFilters filters = RedisFilters.of(link);
    RedisFilter filter = create(link, "dropped", 4);
    filter.put(HASHES[1]);
    RedisRebuild first = filters.rebuild("dropped", Servers.plan("blocked", 50, 0.01));
    RedisRebuild second = filters.rebuild("dropped", Servers.plan("blocked", 60, 0.01));
    assertNotEquals(first.generation(), second.generation());
    assertTrue(filter.put(HASHES[2]));
    assertThrows(FilterUnavailableException.class, () -> first.putAll(new long[10], 0, 10));
    assertThrows(FilterUnavailableException.class, first::commit);
    first.close();
    assertTrue(filter.put(HASHES[3]));
    second.close();
    assertThrows(IllegalStateException.class, second::commit);
    assertTrue(filter.put(HASHES[4]));
    for (int hash = 1; hash <= 4; hash++) {
      assertTrue(filter.mightContain(HASHES[hash]));
    }
    assertEquals(1, filter.generation());
    assertEquals(List.of(), SERVER.keys("bloomery:{dropped/*:next"));
  }

  @Test
  void aNextGenerationThatLostAKeyIsNotSwappedIn() {
    RedisFilter filter = create(link, "half", 4);
    long[] hashes = Servers.hashes(0, 500);
    filter.putAll(hashes, 0, 500);
    try (RedisRebuild rebuild =
        RedisFilters.of(link).rebuild("half", Servers.plan("blocked", 900, 0.01))) {
      rebuild.putAll(hashes, 0, 500);
      SERVER.command("DEL", "bloomery:{half/2}:next");
      assertUnavailable("bloomery:{half/2}:next", rebuild::commit);
      assertEquals(500, count(filter, hashes));
      // Puts go on, though the one that was to follow is gone.
      assertEquals(100, count(filter, putAll(filter, Servers.hashes(1000, 1100))));
    }
    assertEquals(500, count(filter, hashes));
  }

  @Test
  void chunksOfTwoGenerationsAnswerEachForItself() {
    RedisFilter filter = create(link, "mixed", 4);
    long[] hashes = Servers.hashes(0, 800);
    filter.putAll(hashes, 0, 800);
    RedisRebuild rebuild =
        RedisFilters.of(link).rebuild("mixed", Servers.plan("blocked", 9000, 0.01));
    rebuild.putAll(hashes, 0, 800);
    // As if the process had ended in the midst of commit.
    SERVER.command("RENAME", "bloomery:{mixed/1}:next", "bloomery:{mixed/1}");
    assertEquals(800, count(filter, hashes));
    assertEquals(100, count(filter, putAll(filter, Servers.hashes(1000, 1100))));
    // Whoever needs one generation of all chunks completes the change.
    assertEquals(2, RedisFilters.of(link).open("mixed").generation());
    assertEquals(List.of(), SERVER.keys("bloomery:{mixed/*:next"));
    rebuild.commit();
    assertEquals(2, filter.generation());
    assertEquals(800, count(filter, hashes));
    assertEquals(100, count(filter, Servers.hashes(1000, 1100)));
  }

  private static long[] putAll(RedisFilter filter, long[] hashes) {
    filter.putAll(hashes, 0, hashes.length);
    return hashes;
  }

  private static int count(RedisFilter filter, long[] hashes) {
    return filter.select(hashes, 0, hashes.length, new int[hashes.length]);
  }

  @Test
  void aRebuildForOtherKeysOrBlocksIsRefused() {
    RedisFilters filters = RedisFilters.of(link);
    create(link, "kept", 4);
    assertThrows(
        IllegalArgumentException.class,
        () -> filters.rebuild("kept", Bloomery.strings().expect(10).plan()));
    assertThrows(
        IllegalArgumentException.class,
        () -> filters.rebuild("kept", Servers.plan("blocked", 1000, 1e-4)));
    assertThrows(
        IllegalArgumentException.class,
        () -> filters.rebuild("kept", Servers.plan("standard", 1000, 0.01)));
    // In one chunk any variant can follow any other.
    RedisFilter one = create(link, "one", 1);
    one.put(HASHES[1]);
    try (RedisRebuild rebuild = filters.rebuild("one", Servers.plan("standard", 1000, 1e-4))) {
      one.put(HASHES[2]);
      rebuild.putAll(HASHES, 1, 2);
      rebuild.commit();
    }
    assertTrue(one.mightContain(HASHES[1]));
    assertTrue(one.mightContain(HASHES[2]));
    assertEquals("standard", one.variant());
  }

  @Test
  void aSealedFilterTakesNothingAndItsSnapshotSaysAbsent() throws IOException {
    try (RedisLink link = JEDIS.connect(SERVER.uri());
        RedisLink other = LETTUCE.connect(SERVER.uri())) {
      RedisFilter filter = create(link, "sealed", 4);
      BloomFilter<Long> keyed = Servers.keyed(filter);
      BloomFilter<Long> writer = Servers.keyed(RedisFilters.of(other).open("sealed"));
      writer.putAll(Servers.keys(0, 1000));
      RedisSnapshot<Long> early = RedisSnapshot.of(keyed, Duration.ofNanos(1));
      assertTrue(early.mightContain(123_456L)); // maybe: somebody may just put it
      assertEquals(0, early.generation());
      filter.seal();
      assertThrows(IllegalStateException.class, () -> writer.put(7L));
      assertThrows(IllegalStateException.class, () -> keyed.put(7L));
      assertTrue(filter.isSealed());
      RedisSnapshot<Long> snapshot = RedisSnapshot.of(keyed, Duration.ofHours(1));
      RedisSnapshot<Long> fresh = RedisSnapshot.of(keyed, Duration.ofNanos(1));
      assertEquals(1000, snapshot.select(Servers.keys(0, 1000)).size());
      int maybe = snapshot.select(Servers.keys(10_000, 20_000)).size();
      assertTrue(maybe < 300, () -> maybe + " of 10,000");
      assertTrue(early.select(Servers.keys(10_000, 20_000)).size() < 300);

      try (RedisRebuild rebuild =
          RedisFilters.of(link).rebuild("sealed", Servers.plan("blocked", 1000, 0.01))) {
        rebuild.putAll(Servers.hashes(50_000, 51_000), 0, 1000);
        rebuild.commit();
      }
      assertEquals(1000, fresh.select(Servers.keys(50_000, 51_000)).size());
      assertEquals(10_000, fresh.select(Servers.keys(10_000, 20_000)).size()); // not sealed
      assertEquals(1, snapshot.generation()); // as of less than an hour ago
      filter.seal();
      assertEquals(2, fresh.generation());
      assertEquals(1000, fresh.select(Servers.keys(50_000, 51_000)).size());
      assertTrue(fresh.select(Servers.keys(10_000, 20_000)).size() < 300);
      SERVER.command("DEL", "bloomery:{sealed/0}");
      assertEquals(10_000, fresh.select(Servers.keys(10_000, 20_000)).size());
      assertThrows(FilterUnavailableException.class, fresh::stats);
    }
  }
}
