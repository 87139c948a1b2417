package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProviders;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RaceTest {

  private static final int SINGLES = 500; // of them, put one by one before the batches
  private static final int BATCH = 500;
  private static final int THREADS = 4;

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void ofRacingEqualPutsOfTwoProcessesExactlyOneIsFirst(Servers.Client client) throws Exception {
    race(client, 30_000);
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  @Tag("nightly")
  void ofMoreRacingPutsExactlyOneIsFirst(Servers.Client client) throws Exception {
    race(client, 100_000);
  }

  private static void race(Servers.Client client, int count) throws Exception {
    RedisServer server = Servers.shared(RedisServer.Release.SEVEN);
    String name = "race-" + client + "-" + count;
    try (RedisLink link = client.connect(server.uri())) {
      RedisFilter filter =
          RedisFilters.of(link, RedisOptions.defaults().chunks(5))
              .create(name, Servers.plan("blocked", count, 0.001));
      Process other =
          Servers.process(Racer.class, client.name(), server.uri(), name, Integer.toString(count));
      int[] winners;
      try (DataInputStream in = new DataInputStream(other.getInputStream())) {
        assertEquals('r', in.read()); // it is ready
        other.getOutputStream().write('g');
        other.getOutputStream().flush();
        winners = race(filter, count);
        for (int i = 0; i < count; i++) {
          winners[i] += in.readInt();
        }
      } finally {
        other.destroy();
      }
      assertWinners(winners);
      long[] hashes = Servers.hashes(0, count);
      assertEquals(count, filter.select(hashes, 0, count, new int[count]));
    }
  }

  private static void assertWinners(int[] winners) {
    long[] hashes = Servers.hashes(0, winners.length);
    int none = 0;
    for (int i = 0; i < winners.length; i++) {
      int index = i;
      assertTrue(winners[i] <= 1, () -> winners[index] + " were first with hash " + index);
      if (winners[i] == 0) {
        assertTrue(isCovered(hashes, i), () -> "nobody was first with hash " + index);
        none++;
      }
    }
    // A thousandth is what a filter has of false positives once it is full.
    int covered = none;
    assertTrue(none < winners.length / 1000, () -> covered + " hashes were covered by others");
  }

  private static boolean isCovered(long[] hashes, int index) {
    Filter others =
        FilterProviders.installed()
            .get("blocked")
            .create(
                Servers.plan("blocked", hashes.length, 0.001).spec(),
                io.bloomery.filter.ThreadMode.CONFINED);
    for (int i = 0; i < hashes.length; i++) {
      if (i != index) {
        others.put(hashes[i]);
      }
    }
    return others.mightContain(hashes[index]);
  }

  @Test
  void aHashThatTwoWereFirstWithIsSeen() {
    int[] winners = new int[30_000];
    java.util.Arrays.fill(winners, 1);
    assertWinners(winners);
    winners[7] = 2;
    org.junit.jupiter.api.Assertions.assertThrows(
        AssertionError.class, () -> assertWinners(winners));
    winners[7] = 0;
    org.junit.jupiter.api.Assertions.assertThrows(
        AssertionError.class, () -> assertWinners(winners));
  }

  /** Puts all hashes in four threads, each in an order of its own, and counts who was first. */
  private static int[] race(RedisFilter filter, int count) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<int[]>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        long seed = thread;
        running.add(threads.submit(() -> put(filter, count, new Random(seed))));
      }
      int[] winners = new int[count];
      for (Future<int[]> thread : running) {
        int[] first = thread.get();
        for (int i = 0; i < count; i++) {
          winners[i] += first[i];
        }
      }
      return winners;
    } finally {
      threads.shutdownNow();
    }
  }

  private static int[] put(RedisFilter filter, int count, Random random) {
    long[] hashes = Servers.hashes(0, count);
    int[] first = new int[count];
    for (int i = 0; i < SINGLES; i++) {
      first[i] += filter.put(hashes[i]) ? 1 : 0;
    }
    // Equal batches, so that threads meet, each in another order within.
    for (int from = SINGLES; from < count; from += BATCH) {
      int[] order = new int[BATCH];
      for (int i = 0; i < BATCH; i++) {
        int at = random.nextInt(i + 1);
        order[i] = order[at];
        order[at] = from + i;
      }
      long[] batch = new long[BATCH];
      for (int i = 0; i < BATCH; i++) {
        batch[i] = hashes[order[i]];
      }
      boolean[] isNew = filter.putAllAsync(batch).join();
      for (int i = 0; i < BATCH; i++) {
        first[order[i]] += isNew[i] ? 1 : 0;
      }
    }
    return first;
  }

  /** The other process: says that it is ready, races, and says how often it was first. */
  static final class Racer {

    private Racer() {}

    public static void main(String[] arguments) throws Exception {
      OutputStream out = System.out;
      try (RedisLink link = Servers.Client.valueOf(arguments[0]).connect(arguments[1])) {
        RedisFilter filter = RedisFilters.of(link).open(arguments[2]);
        out.write('r');
        out.flush();
        if (System.in.read() != 'g') {
          throw new IOException("must be told to go");
        }
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        DataOutputStream ints = new DataOutputStream(all);
        for (int first : race(filter, Integer.parseInt(arguments[3]))) {
          ints.writeInt(first);
        }
        all.writeTo(out);
        out.flush();
      }
    }
  }
}
