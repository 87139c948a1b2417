package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertRefused;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OpenOrCreateTest {

  private static final RedisServer SERVER = Servers.shared(RedisServer.Release.SEVEN);
  private final RedisLink link = JEDIS.shared(RedisServer.Release.SEVEN);
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
  void aProcessOfEachClientAtOnceGetOneFilter() throws IOException {
    openAtOnce(2, 15);
  }

  @Test
  @Tag("nightly")
  void sixProcessesAtOnceGetOneFilter() throws IOException {
    openAtOnce(6, 25);
  }

  private void openAtOnce(int count, int rounds) throws IOException {
    List<Process> processes = new ArrayList<>();
    try {
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
        assertEquals(4, SERVER.keysOf(name + round).size());
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  /** Runs something by several links at once, and returns the filters. */
  private static List<RedisFilter> atOnce(
      List<RedisLink> links, Function<RedisFilters, RedisFilter> call) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(links.size());
    try {
      List<Future<RedisFilter>> running = new ArrayList<>();
      for (RedisLink link : links) {
        running.add(threads.submit(() -> call.apply(filters(link))));
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
    assertEquals(4, SERVER.keysOf(name).size(), name);
  }

  /** A link whose commands take longer, so that others find what is not yet made. */
  private static RedisLink slow(RedisLink link, long millis) {
    return ForwardingLink.before(
        link, () -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis)));
  }

  @Test
  void ofManyWhoCreateOneFilterOneDoesAndTheOthersOpenIt() throws Exception {
    for (int round = 0; round < 5; round++) {
      String name = "created-" + round;
      AtomicInteger created = new AtomicInteger();
      Function<RedisFilters, RedisFilter> create =
          filters -> {
            try {
              RedisFilter filter = filters.create(name, PLAN);
              created.incrementAndGet();
              return filter;
            } catch (FilterUnavailableException e) {
              throw e;
            } catch (IllegalStateException e) {
              return filters.open(name);
            }
          };
      assertOne(atOnce(Collections.nCopies(6, link), create), name);
      assertEquals(1, created.get());
    }
  }

  @Test
  void makersThatAreSlowerThanOthersWaitMakeOneInTheEnd() throws Exception {
    Random draw = Servers.draw();
    List<RedisLink> links = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      links.add(slow(link, 80 + draw.nextInt(80)));
    }
    assertOne(atOnce(links, filters -> filters.openOrCreate("slow", PLAN)), "slow");
  }

  @Test
  void theRestsOfAMakerThatWasKilledAreTakenOver() throws Exception {
    Random draw = Servers.draw();
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
      assertOne(
          atOnce(Collections.nCopies(3, link), filters -> filters.openOrCreate(name, PLAN)), name);
    }
    assertTrue(killed > 4, killed + " steps");
  }

  @Test
  void whoeverPlansAnotherIsToldWhatDiffers() {
    FilterBuilder<String> builder = Bloomery.strings().expect(1000).fpp(0.01).variant("blocked");
    Map<String, FilterPlan> others =
        Map.of(
            "expected keys 1000, not 2000",
            builder.expect(2000).plan(),
            "false-positive rate 0.01, not 0.02",
            builder.fpp(0.02).plan(),
            "variant blocked, not standard",
            builder.variant("standard").plan(),
            "hash xxh3-64/utf8, not splitmix64/i64",
            Bloomery.longs().expect(1000).fpp(0.01).variant("blocked").plan(),
            "attribute " + KeyForm.ATTRIBUTE + " none, not ",
            Bloomery.<String>of(KeyHasher.strings().withForm(KeyForm.TRIM))
                .expect(1000)
                .fpp(0.01)
                .variant("blocked")
                .plan(),
            "attribute made-by none, not us",
            builder.attribute("made-by", "us").plan());
    RedisFilters filters = filters(link);
    FilterPlan plan = builder.plan();
    RedisFilter filter = filters.openOrCreate("other", plan);
    filter.put(1);
    others.forEach(
        (difference, other) -> {
          String message =
              assertRefused(
                  IllegalArgumentException.class,
                  ": " + difference,
                  () -> filters.openOrCreate("other", other));
          assertEquals(message.indexOf(", not "), message.lastIndexOf(", not "), message);
        });
    assertTrue(filters.openOrCreate("other", plan).mightContain(1));
    assertEquals(1, filter.generation());
  }

  /** Between looking for the record and for chunks, another makes the filter: nothing was lost. */
  @Test
  void aFilterThatAnotherJustMadeHasLostNothing() {
    int[] sent = {0};
    RedisLink late =
        ForwardingLink.before(
            link,
            () -> {
              if (++sent[0] == 2) {
                filters(link).create("just", PLAN).put(1);
              }
            });
    assertRefused(
        IllegalStateException.class,
        "there is a filter 'just' already",
        () -> filters(late).create("just", PLAN));
    filters(link).delete("just");
    sent[0] = 0;
    assertTrue(filters(late).openOrCreate("just", PLAN).mightContain(1));
    filters(link).delete("just");
    sent[0] = 0;
    assertEquals(RedisFilterInfo.State.SERVING, filters(late).info("just").orElseThrow().state());
  }
}
