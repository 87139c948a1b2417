package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.hash.KeyHasher;
import io.bloomery.window.SlidingBloomFilter;
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
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Puts of many threads and processes, also while a window forgets. */
class RaceTest {

  private static final int THREADS = 4;
  private static final int BATCH = 100;
  private static final double OF_FILTER = 1e-4; // false positives

  /** A call that puts. */
  private enum Call {
    FILTER,
    WINDOW_PUT,
    WINDOW_PUT_IF_ABSENT
  }

  /** What all put into: whether a key was new, and whether each of some was. */
  private record Entry(Predicate<Long> put, Function<List<Long>, boolean[]> putAll) {

    static Entry create(RedisLink link, Call call, String name, int count) {
      if (call == Call.FILTER) {
        RedisFilters.of(link, RedisOptions.defaults().chunks(5))
            .create(name, Servers.plan("blocked", count, OF_FILTER));
      } else {
        RedisWindows.of(link, RedisOptions.defaults().chunks(3))
            .create(
                name,
                SlidingBloomFilter.builder(
                    Bloomery.longs().expect(count).fpp(1e-5).variant("blocked")));
      }
      return open(link, call, name);
    }

    static Entry open(RedisLink link, Call call, String name) {
      if (call == Call.FILTER) {
        RedisFilter filter = RedisFilters.of(link).open(name);
        return new Entry(
            Servers.keyed(filter)::put, keys -> filter.putAllAsync(hashes(keys)).join());
      }
      RedisSlidingBloomFilter<Long> window = RedisWindows.of(link).open(name, Bloomery.longs());
      return call == Call.WINDOW_PUT
          ? new Entry(window::put, window::putAll)
          : new Entry(window::putIfAbsent, window::putAllIfAbsent);
    }
  }

  private static long[] hashes(List<Long> keys) {
    return keys.stream().mapToLong(KeyHasher.longs()::hash).toArray();
  }

  /** One of a client beside one of the other: by night of each beside itself, too. */
  @Test
  void ofRacingPutsOfTwoProcessesOneIsNewAlsoWhileAGenerationIsClosed() throws Exception {
    Servers.Client[] clients = Servers.Client.values();
    int drawn = Servers.draw().nextInt(clients.length);
    race(clients[drawn], clients[1 - drawn], 8000, 4000);
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  @Tag("nightly")
  void ofMoreRacingPutsOneIsNew(Servers.Client client) throws Exception {
    race(client, client, 100_000, 20_000);
  }

  private static void race(
      Servers.Client client, Servers.Client ofOther, int ofFilter, int ofWindow) throws Exception {
    String uri = Servers.shared(RedisServer.Release.SEVEN).uri();
    Process other = Servers.process(Racer.class, ofOther.name(), uri);
    try (DataOutputStream out = new DataOutputStream(other.getOutputStream());
        DataInputStream in = new DataInputStream(other.getInputStream())) {
      for (Call call : Call.values()) {
        int count = call == Call.FILTER ? ofFilter : ofWindow;
        String name = "race-" + client + "-" + call + "-" + count;
        RedisLink link = client.shared(RedisServer.Release.SEVEN);
        Entry entry = Entry.create(link, call, name, count);
        out.writeUTF(call.name());
        out.writeUTF(name);
        out.writeInt(count);
        out.flush();
        assertEquals('r', in.read()); // it is ready
        out.write('g');
        out.flush();
        int[] winners = race(entry, count);
        for (int i = 0; i < count; i++) {
          winners[i] += in.readInt();
        }
        check(link, call, name, winners);
      }
    } finally {
      other.destroy();
    }
  }

  private static void check(RedisLink link, Call call, String name, int[] winners) {
    int count = winners.length;
    List<Long> orphans = new ArrayList<>(); // that were new to nobody
    for (int i = 0; i < count; i++) {
      int key = i;
      assertTrue(winners[i] <= 1, () -> name + ": " + winners[key] + " were first with " + key);
      if (winners[i] == 0) {
        orphans.add((long) i);
      }
    }
    List<Long> all = Servers.keys(0, count);
    if (call == Call.FILTER) {
      orphans.forEach(key -> assertTrue(isCovered(all, key), () -> key + " was new to nobody"));
      // At a rate of at most 10^-4 fewer than one false positive is expected of 8,000, and 8 are
      // met
      // in fewer than one of 10^5 runs.
      assertTrue(orphans.size() < count / 1000, orphans::toString);
      assertEquals(all, Servers.keyed(RedisFilters.of(link).open(name)).select(all));
    } else {
      // At a rate of 10^-5 fewer than one is expected of 20,000, and 30 are met in fewer than one
      // of
      // 10^20 runs; of 4,000 as well, and 6 in fewer than one of 10^11.
      assertTrue(orphans.size() < 3 * count / 2000, orphans::toString);
      RedisWindows windows = RedisWindows.of(link);
      assertEquals(all, windows.open(name, Bloomery.longs()).select(all));
      List<Long> keys = windows.info(name).orElseThrow().keys();
      assertTrue(keys.get(1) >= count / 2, keys::toString);
    }
  }

  private static boolean isCovered(List<Long> keys, long key) {
    BloomFilter<Long> others =
        Bloomery.longs().expect(keys.size()).fpp(OF_FILTER).variant("blocked").confined().create();
    keys.stream().filter(each -> each != key).forEach(others::put);
    return others.mightContain(key);
  }

  /** Puts all keys in several threads, each in an order of its own, and counts who was first. */
  private static int[] race(Entry entry, int count) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<int[]>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(thread);
        running.add(threads.submit(() -> put(entry, count, random)));
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

  private static int[] put(Entry entry, int count, Random random) {
    int[] first = new int[count];
    for (int from = 0; from < count; from += BATCH) {
      // Equal batches, so that threads meet, each in another order within.
      List<Long> batch = new ArrayList<>(Servers.keys(from, from + BATCH));
      Collections.shuffle(batch, random);
      // One by one around the middle, where a window closes a generation.
      boolean isSingle = Math.abs(from - count / 2) < 5 * BATCH;
      boolean[] isNew = isSingle ? new boolean[BATCH] : entry.putAll().apply(batch);
      for (int i = 0; i < BATCH; i++) {
        isNew[i] = isSingle ? entry.put().test(batch.get(i)) : isNew[i];
        first[(int) (long) batch.get(i)] += isNew[i] ? 1 : 0;
      }
    }
    return first;
  }

  /** The other process: for each call says that it is ready, races, says how often it was first. */
  static final class Racer {

    private Racer() {}

    public static void main(String[] arguments) throws Exception {
      DataInputStream in = new DataInputStream(System.in);
      try (RedisLink link = Servers.Client.valueOf(arguments[0]).connect(arguments[1])) {
        for (int left = Call.values().length; left > 0; left--) {
          Entry entry = Entry.open(link, Call.valueOf(in.readUTF()), in.readUTF());
          int count = in.readInt();
          System.out.write('r');
          System.out.flush();
          if (in.read() != 'g') {
            throw new IOException("must be told to go");
          }
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          DataOutputStream ints = new DataOutputStream(all);
          for (int first : race(entry, count)) {
            ints.writeInt(first);
          }
          all.writeTo(System.out);
          System.out.flush();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void noReaderMissesAKeyWhileGenerationsAreForgotten(Servers.Client client) throws Exception {
    int size = 300;
    String name = "beside-" + client;
    ExecutorService threads = Executors.newFixedThreadPool(2);
    RedisLink link = client.shared(RedisServer.Release.SEVEN);
    try {
      RedisSlidingBloomFilter<Long> window =
          RedisWindows.of(link, RedisOptions.defaults().chunks(2))
              .create(name, RedisWindowsTest.builder("blocked", size));
      AtomicLong begun = new AtomicLong();
      AtomicLong done = new AtomicLong();
      AtomicLong asked = new AtomicLong();
      AtomicBoolean isOver = new AtomicBoolean();
      List<Future<?>> readers = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
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
