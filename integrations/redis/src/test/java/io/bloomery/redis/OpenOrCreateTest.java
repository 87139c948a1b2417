package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OpenOrCreateTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);
  private static final FilterPlan PLAN = Servers.plan("blocked", 10_000, 0.01);

  private static RedisFilters filters(RedisLink link) {
    return RedisFilters.of(link, RedisOptions.defaults().chunks(3));
  }

  /** A process: in each round opens or makes a filter, puts a key that all put, and its own. */
  static final class Opener {

    private Opener() {}

    public static void main(String[] arguments) throws IOException {
      int number = Integer.parseInt(arguments[2]);
      Servers.Client client = Servers.Client.values()[number % 2];
      try (RedisLink link = client.connect(arguments[0])) {
        for (int round = 0; System.in.read() == 'g'; round++) {
          // Of its own: the test's class would start a server in this process, too.
          RedisFilter filter =
              RedisFilters.of(link, RedisOptions.defaults().chunks(3))
                  .openOrCreate(
                      arguments[1] + round,
                      Bloomery.longs().expect(10_000).fpp(0.01).variant("blocked").plan());
          boolean first = filter.put(-1);
          filter.put(number);
          System.out.write(first ? 'f' : 'o');
          System.out.flush();
        }
      }
    }
  }

  @Test
  void threeProcessesAtOnceGetOneFilter() throws IOException {
    openAtOnce(3, 15);
  }

  @Test
  @Tag("nightly")
  void sixProcessesAtOnceGetOneFilter() throws IOException {
    openAtOnce(6, 25);
  }

  private static void openAtOnce(int count, int rounds) throws IOException {
    List<Process> processes = new ArrayList<>();
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      String name = "of-" + count + "-";
      for (int i = 0; i < count; i++) {
        processes.add(Servers.process(Opener.class, SERVER.uri(), name, Integer.toString(i)));
      }
      for (int round = 0; round < rounds; round++) {
        for (Process process : processes) {
          process.getOutputStream().write('g');
          process.getOutputStream().flush();
        }
        int first = 0;
        for (Process process : processes) {
          int said = process.getInputStream().read();
          assertTrue(said == 'f' || said == 'o', "round " + round + ": it said " + said);
          first += said == 'f' ? 1 : 0;
        }
        assertEquals(1, first, "round " + round);
        RedisFilter filter = filters(link).open(name + round);
        for (int i = 0; i < count; i++) {
          assertTrue(filter.mightContain(i), "round " + round + ", process " + i);
        }
        assertEquals(4, KillCampaign.keys(List.of(SERVER), name + round).size());
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  /** Runs openOrCreate by several links at once, and returns the filters. */
  private static List<RedisFilter> atOnce(List<RedisLink> links, String name) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(links.size());
    try {
      List<Future<RedisFilter>> running = new ArrayList<>();
      for (RedisLink link : links) {
        running.add(threads.submit(() -> filters(link).openOrCreate(name, PLAN)));
      }
      List<RedisFilter> filters = new ArrayList<>();
      for (Future<RedisFilter> each : running) {
        filters.add(each.get());
      }
      return filters;
    } finally {
      threads.shutdownNow();
    }
  }

  private static void assertOne(List<RedisFilter> filters, String name) {
    int first = 0;
    for (RedisFilter filter : filters) {
      first += filter.put(7) ? 1 : 0;
    }
    assertEquals(1, first, name);
    assertEquals(4, KillCampaign.keys(List.of(SERVER), name).size(), name);
  }

  /** A link whose commands take longer, so that others find what is not yet made. */
  private static RedisLink slow(RedisLink link, long millis) {
    return new ForwardingLink(link) {
      @Override
      public CompletableFuture<List<Object>> send(
          String node, List<List<byte[]>> commands, java.util.concurrent.Executor executor) {
        try {
          Thread.sleep(millis);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        return super.send(node, commands, executor);
      }
    };
  }

  @Test
  void makersThatAreSlowerThanOthersWaitMakeOneInTheEnd() throws Exception {
    Random draw = Servers.draw();
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      List<RedisLink> links = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        links.add(slow(link, 80 + draw.nextInt(80)));
      }
      assertOne(atOnce(links, "slow"), "slow");
    }
  }

  @Test
  void theRestsOfAMakerThatWasKilledAreTakenOver() throws Exception {
    Random draw = Servers.draw();
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      int killed = 0;
      for (int step = 1 + draw.nextInt(2); ; step += 2) {
        String name = "rests-" + step;
        MortalLink mortal = new MortalLink(link, step, draw.nextBoolean(), () -> {}, () -> {});
        try {
          filters(mortal).openOrCreate(name, PLAN);
        } catch (RuntimeException e) {
          assertTrue(mortal.isDead(), e::toString);
        }
        if (!mortal.isDead()) {
          break;
        }
        killed++;
        assertOne(atOnce(List.of(link, link, link), name), name);
      }
      assertTrue(killed > 4, killed + " steps");
    }
  }

  @Test
  void whoeverPlansAnotherIsToldWhatDiffers() {
    Map<String, FilterPlan> others =
        Map.of(
            "expected keys 1000, not 2000",
            Bloomery.strings().expect(2000).fpp(0.01).variant("blocked").plan(),
            "false-positive rate 0.01, not 0.02",
            Bloomery.strings().expect(1000).fpp(0.02).variant("blocked").plan(),
            "variant blocked, not standard",
            Bloomery.strings().expect(1000).fpp(0.01).variant("standard").plan(),
            "hash xxh3-64/utf8, not splitmix64/i64",
            Bloomery.longs().expect(1000).fpp(0.01).variant("blocked").plan(),
            "attribute " + KeyForm.ATTRIBUTE + " none, not ",
            Bloomery.<String>of(KeyHasher.strings().withForm(KeyForm.TRIM))
                .expect(1000)
                .fpp(0.01)
                .variant("blocked")
                .plan(),
            "attribute made-by none, not us",
            Bloomery.strings()
                .expect(1000)
                .fpp(0.01)
                .variant("blocked")
                .attribute("made-by", "us")
                .plan());
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilters filters = filters(link);
      FilterPlan plan = Bloomery.strings().expect(1000).fpp(0.01).variant("blocked").plan();
      RedisFilter filter = filters.openOrCreate("other", plan);
      filter.put(1);
      others.forEach(
          (difference, other) -> {
            String message =
                String.valueOf(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> filters.openOrCreate("other", other))
                        .getMessage());
            assertTrue(message.contains(": " + difference), message);
            assertEquals(message.indexOf(", not "), message.lastIndexOf(", not "), message);
          });
      assertTrue(filters.openOrCreate("other", plan).mightContain(1));
      assertEquals(1, filter.generation());
    }
  }

  @Test
  void aFilterThatIsBeingLoadedIsNotThereYet() throws IOException {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilters filters = filters(link);
      try (RedisRebuild loading = filters.rebuild("loaded", PLAN)) {
        loading.putAll(Work.HASHES, 0, 10);
        String message =
            String.valueOf(
                assertThrows(
                        FilterUnavailableException.class,
                        () -> filters.openOrCreate("loaded", PLAN))
                    .getMessage());
        assertTrue(message.contains("not there yet"), message);
        loading.commit();
      }
      assertEquals(0, KillCampaign.missing(filters.openOrCreate("loaded", PLAN), hashes(10)));
    }
  }

  private static long[] hashes(int count) {
    return java.util.Arrays.copyOf(Work.HASHES, count);
  }

  @Test
  void aLostRecordIsRefusedAsCreateDoes() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      RedisFilters filters = filters(link);
      filters.openOrCreate("lost", PLAN).put(1);
      SERVER.command("DEL", "bloomery:{lost}");
      String message =
          String.valueOf(
              assertThrows(IllegalStateException.class, () -> filters.openOrCreate("lost", PLAN))
                  .getMessage());
      assertTrue(message.contains("has lost its record"), message);
      RedisFilters replacing =
          RedisFilters.of(link, RedisOptions.defaults().chunks(3).replaceLost());
      assertFalse(replacing.openOrCreate("lost", PLAN).mightContain(1));
      SERVER.command("DEL", "bloomery:{lost/1}");
      assertThrows(FilterUnavailableException.class, () -> filters.openOrCreate("lost", PLAN));
    }
  }

  /** Between looking for the record and for chunks, another makes the filter: nothing was lost. */
  @Test
  void aFilterThatAnotherJustMadeHasLostNothing() {
    try (RedisLink link = JedisLink.connect(SERVER.uri())) {
      int[] sent = {0};
      RedisLink late =
          new ForwardingLink(link) {
            @Override
            public CompletableFuture<List<Object>> send(
                String node, List<List<byte[]>> commands, java.util.concurrent.Executor executor) {
              if (++sent[0] == 2) {
                filters(link).create("just", PLAN).put(1);
              }
              return super.send(node, commands, executor);
            }
          };
      String message =
          String.valueOf(
              assertThrows(IllegalStateException.class, () -> filters(late).create("just", PLAN))
                  .getMessage());
      assertTrue(message.contains("there is a filter 'just' already"), message);
      filters(link).delete("just");
      sent[0] = 0;
      assertTrue(filters(late).openOrCreate("just", PLAN).mightContain(1));
      filters(link).delete("just");
      sent[0] = 0;
      assertEquals(RedisFilterInfo.State.SERVING, filters(late).info("just").orElseThrow().state());
    }
  }
}
