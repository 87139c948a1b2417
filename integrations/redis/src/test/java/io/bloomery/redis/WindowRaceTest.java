package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Puts of many threads and processes, while the window forgets. */
class WindowRaceTest {

  private static final int THREADS = 3;
  private static final int BATCH = 50;

  @ParameterizedTest
  @CsvSource({"JEDIS, false", "LETTUCE, true"})
  void ofRacingPutsOfTwoProcessesAtMostOneIsNewAlsoWhileAGenerationIsClosed(
      Servers.Client client, boolean isIfAbsent) throws Exception {
    race(client, isIfAbsent, 8000);
  }

  @ParameterizedTest
  @CsvSource({"JEDIS, false", "LETTUCE, true"})
  @Tag("nightly")
  void ofRacingPutsOfMoreKeysAtMostOneIsNew(Servers.Client client, boolean isIfAbsent)
      throws Exception {
    race(client, isIfAbsent, 20_000);
  }

  private static void race(Servers.Client client, boolean isIfAbsent, int count) throws Exception {
    RedisServer server = Servers.shared(RedisServer.Release.SEVEN);
    String name = "race-" + client + "-" + count;
    try (RedisLink link = client.connect(server.uri())) {
      RedisWindows windows = RedisWindows.of(link, RedisOptions.defaults().chunks(3));
      RedisSlidingBloomFilter<Long> window =
          windows.create(name, RedisWindowsTest.builder("blocked", count));
      Process other =
          Servers.process(
              Racer.class,
              client.name(),
              server.uri(),
              name,
              Boolean.toString(isIfAbsent),
              Integer.toString(count));
      int[] winners;
      try (DataInputStream in = new DataInputStream(other.getInputStream())) {
        assertEquals('r', in.read()); // it is ready
        other.getOutputStream().write('g');
        other.getOutputStream().flush();
        winners = race(window, isIfAbsent, count);
        for (int i = 0; i < count; i++) {
          winners[i] += in.readInt();
        }
      } finally {
        other.destroy();
      }
      int none = 0;
      for (int i = 0; i < count; i++) {
        int key = i;
        assertTrue(winners[i] <= 1, () -> winners[key] + " were first with key " + key);
        none += 1 - winners[i];
      }
      // At a rate of 10^-4 two false positives are expected of 20,000, and 30 are met in fewer than
      // one of 10^20 runs; of 8,000 one, and 12 in fewer than one of 10^10.
      assertTrue(none < 3 * count / 2000, none + " keys were new to nobody");
      assertEquals(Servers.keys(0, count), window.select(Servers.keys(0, count)));
      List<Long> keys = windows.info(name).orElseThrow().keys();
      assertTrue(keys.get(1) >= count / 2, keys::toString);
    }
  }

  /** Puts all keys in three threads, half of them one by one, and counts who was first. */
  private static int[] race(RedisSlidingBloomFilter<Long> window, boolean isIfAbsent, int count)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<int[]>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(thread);
        running.add(threads.submit(() -> put(window, isIfAbsent, count, random)));
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

  private static int[] put(
      RedisSlidingBloomFilter<Long> window, boolean isIfAbsent, int count, Random random) {
    int[] first = new int[count];
    for (int from = 0; from < count; from += BATCH) {
      List<Long> batch = new ArrayList<>(Servers.keys(from, from + BATCH));
      Collections.shuffle(batch, random);
      // One by one around the middle, where a generation is closed.
      boolean isSingle = Math.abs(from - count / 2) < 10 * BATCH;
      boolean[] isNew = new boolean[BATCH];
      if (isSingle) {
        for (int i = 0; i < BATCH; i++) {
          long key = batch.get(i);
          isNew[i] = isIfAbsent ? window.putIfAbsent(key) : window.put(key);
        }
      } else {
        isNew = isIfAbsent ? window.putAllIfAbsent(batch) : window.putAll(batch);
      }
      for (int i = 0; i < BATCH; i++) {
        first[(int) (long) batch.get(i)] += isNew[i] ? 1 : 0;
      }
    }
    return first;
  }

  /** The other process: says that it is ready, races, and says how often it was first. */
  static final class Racer {

    private Racer() {}

    public static void main(String[] arguments) throws Exception {
      try (RedisLink link = Servers.Client.valueOf(arguments[0]).connect(arguments[1])) {
        RedisSlidingBloomFilter<Long> window =
            RedisWindows.of(link).open(arguments[2], Bloomery.longs());
        System.out.write('r');
        System.out.flush();
        if (System.in.read() != 'g') {
          throw new IOException("must be told to go");
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream ints = new DataOutputStream(all);
        boolean isIfAbsent = Boolean.parseBoolean(arguments[3]);
        for (int first : race(window, isIfAbsent, Integer.parseInt(arguments[4]))) {
          ints.writeInt(first);
        }
        all.writeTo(System.out);
        System.out.flush();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void noReaderMissesAKeyWhileGenerationsAreForgotten(Servers.Client client) throws Exception {
    int size = 300;
    String name = "beside-" + client;
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (RedisLink link = client.connect(Servers.shared(RedisServer.Release.SEVEN).uri())) {
      RedisSlidingBloomFilter<Long> window =
          RedisWindows.of(link, RedisOptions.defaults().chunks(2))
              .create(name, RedisWindowsTest.builder("blocked", size));
      AtomicLong begun = new AtomicLong();
      AtomicLong done = new AtomicLong();
      AtomicLong asked = new AtomicLong();
      AtomicBoolean isOver = new AtomicBoolean();
      List<Future<?>> readers = new ArrayList<>();
      for (int thread = 0; thread < THREADS - 1; thread++) {
        Random random = new Random(thread);
        readers.add(
            threads.submit(
                () -> {
                  while (!isOver.get()) {
                    long last = done.get();
                    long key = last - random.nextInt(size);
                    boolean found = window.mightContain(key);
                    if (key > 0 && key > begun.get() - size) {
                      assertTrue(found, () -> key + " was called absent");
                      asked.incrementAndGet();
                    }
                  }
                }));
      }
      // Of the last N distinct keys when the query was answered: none is asked for that may be
      // forgotten by then.
      while (done.get() < 20L * size || asked.get() < 1000) {
        long from = done.get() + 1;
        long to = from + 1 + from % 7;
        begun.set(to - 1);
        window.putAll(Servers.keys(from, to));
        done.set(to - 1);
      }
      isOver.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
