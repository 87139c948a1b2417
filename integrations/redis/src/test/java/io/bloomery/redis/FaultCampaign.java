package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.redis.History.Answer;
import io.bloomery.redis.History.Call;
import io.bloomery.redis.History.Event;
import io.bloomery.redis.History.Findings;
import io.bloomery.redis.History.Standstill;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets threads put and query by several links while faults happen to the servers, and checks the
 * histories of what they were answered. Whoever finds that what it had open is gone opens or
 * creates it again, as applications do.
 */
final class FaultCampaign {

  /** What happened while a fault was there, or while there was none. */
  private static final class Row {
    private final AtomicLong times = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong threw = new AtomicLong();
    private final AtomicLong begunAnew = new AtomicLong();
  }

  private static final String NO_FAULT = "none";
  private static final int THREADS_OF_A_LINK = 2;
  private static final int LEAST_FAULTS = 3;
  private static final long LEAST_CALLS = 200;
  private static final int PATIENCE = 500;

  private final Random draw;
  private final Map<String, Row> rows =
      Collections.synchronizedMap(new TreeMap<>()); // by the names of faults
  private final Map<String, AtomicLong> exceptions = new ConcurrentHashMap<>();
  private final Map<Shared, AtomicLong> newest = new EnumMap<>(Shared.class);
  private final List<String> broken = Collections.synchronizedList(new ArrayList<>());
  private final List<String> wrongAbsences = new ArrayList<>();
  private Findings findings = new Findings(0, 0, 0, 0, 0, 0);
  private long histories;

  // Of the servers of the moment.
  private final Map<Shared, Map<String, Queue<Event>>> events = new EnumMap<>(Shared.class);
  private final List<Standstill> standstills = new ArrayList<>();
  private volatile Row row = new Row();
  private volatile boolean isOver;

  FaultCampaign(Random draw) {
    this.draw = draw;
    for (Shared shared : Shared.values()) {
      newest.put(shared, new AtomicLong());
      events.put(shared, new ConcurrentHashMap<>());
    }
  }

  private Row row(String fault) {
    return rows.computeIfAbsent(fault, name -> new Row());
  }

  /**
   * Runs drawn faults for a time, and until enough has been asked.
   *
   * @param links those of the threads
   * @param control the link of whoever looks after the servers
   */
  void run(List<Shared.Links> links, Shared.Links control, List<Fault> faults, long millis)
      throws Exception {
    isOver = false;
    row = row(NO_FAULT);
    ExecutorService threads = Executors.newCachedThreadPool();
    List<Future<?>> running = new ArrayList<>();
    try {
      for (Shared.Links link : links) {
        for (int i = 0; i < THREADS_OF_A_LINK; i++) {
          Random random = new Random(draw.nextLong());
          running.add(threads.submit(() -> work(link, random)));
        }
      }
      long begin = System.nanoTime();
      Row none = row(NO_FAULT);
      long callsBefore = none.calls.get();
      for (int done = 0;
          done < LEAST_FAULTS
              || none.calls.get() - callsBefore < LEAST_CALLS
              || System.nanoTime() - begin < TimeUnit.MILLISECONDS.toNanos(millis);
          done++) {
        if (done % faults.size() == 0) {
          Collections.shuffle(faults, draw);
        }
        Map<Shared, String> before = restored(control, false, none);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        Fault fault = faults.get(done % faults.size());
        long from = System.nanoTime();
        row = row(fault.name());
        row.times.incrementAndGet();
        fault.action().run();
        Map<Shared, String> after = restored(control, fault.keepsAll(), row);
        if (fault.keepsAll() && !after.equals(before)) {
          broken.add(fault.name() + ": " + before + " began anew: " + after);
        }
        row = none;
        standstills.add(new Standstill(from, System.nanoTime(), fault.setsClock()));
        for (Future<?> thread : running) {
          if (thread.isDone()) {
            thread.get();
          }
        }
      }
    } finally {
      isOver = true;
      threads.shutdown();
      for (Future<?> thread : running) {
        thread.get();
      }
    }
    check();
  }

  /** Waits until all can be asked; what cannot is accepted if nothing was lost, or begun anew. */
  private Map<Shared, String> restored(Shared.Links control, boolean isAccepted, Row of) {
    List<Long> keys = Servers.keys(-100, 0); // of all parts
    Map<Shared, String> ids = new EnumMap<>(Shared.class);
    for (Shared shared : Shared.values()) {
      for (int attempt = 0; !ids.containsKey(shared); attempt++) {
        try {
          Shared.Open open = shared.openOrCreate(control);
          open.found(Call.QUERY, keys);
          ids.put(shared, open.id());
        } catch (IllegalStateException e) {
          String reason = String.valueOf(e.getMessage());
          boolean isDeleted = attempt % 5 == 4; // others may be making it just now
          if (reason.contains("Redis at") && attempt < PATIENCE) {
            RedisServer.pause();
          } else if (isAccepted && reason.contains("restarted or promoted")) {
            shared.accept(control);
          } else if (!isDeleted) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
          } else {
            assertTrue(attempt < 2 * PATIENCE, reason);
            of.begunAnew.incrementAndGet();
            if (isAccepted) {
              broken.add(shared + " had to be deleted: " + reason);
            }
            shared.delete(control);
          }
        }
      }
    }
    return ids;
  }

  /** Puts and queries until the campaign is over. */
  private void work(Shared.Links link, Random random) {
    Map<Shared, Shared.Open> known = new HashMap<>();
    while (!isOver) {
      Shared shared = Shared.values()[random.nextInt(Shared.values().length)];
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(8)));
      Shared.Open open = known.get(shared);
      Row begun = row;
      if (open == null || random.nextInt(30) == 0) {
        known.remove(shared);
        try {
          known.put(shared, shared.openOrCreate(link));
        } catch (RuntimeException e) {
          threw(begun, e);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(200)));
        }
        continue;
      }
      Call call = shared.calls().get(random.nextInt(shared.calls().size()));
      List<Long> keys = keys(shared, random);
      Queue<Event> history =
          events.get(shared).computeIfAbsent(open.id(), id -> new ConcurrentLinkedQueue<>());
      long begin = System.nanoTime();
      try {
        boolean[] found = open.found(call, keys);
        long end = System.nanoTime();
        for (int i = 0; i < found.length; i++) {
          history.add(
              new Event(call, keys.get(i), begin, end, found[i] ? Answer.FOUND : Answer.ABSENT));
        }
        begun.calls.incrementAndGet();
      } catch (RuntimeException e) {
        keys.forEach(key -> history.add(Event.thrown(call, key, begin)));
        begun.calls.incrementAndGet();
        threw(begun, e);
        if (random.nextBoolean()) { // others go on with what they have open
          known.remove(shared);
        }
      }
    }
  }

  private List<Long> keys(Shared shared, Random random) {
    int size = random.nextBoolean() ? 1 : 1 + random.nextInt(12);
    AtomicLong last = newest.get(shared);
    Set<Long> keys = new LinkedHashSet<>();
    while (keys.size() < size) {
      // The youngest keys often, for which others race.
      int range = random.nextBoolean() ? 10 : shared.range;
      keys.add(
          random.nextInt(4) == 0 ? last.incrementAndGet() : last.get() - random.nextInt(range));
    }
    return new ArrayList<>(keys);
  }

  private void threw(Row of, RuntimeException e) {
    of.threw.incrementAndGet();
    if (!(e instanceof IllegalStateException)) {
      broken.add("an exception of another kind: " + e);
    }
    exceptions.computeIfAbsent(kind(e), kind -> new AtomicLong()).incrementAndGet();
  }

  /** Returns a message without names and numbers, up to what is to be done. */
  private static String kind(RuntimeException e) {
    String kind =
        String.valueOf(e.getMessage())
            .replace("cannot answer: ", "")
            .replaceAll("Redis at \\S+", "Redis")
            .replaceAll("bloomery:\\S+\\}\\S*", "KEY")
            .replaceAll("'[^']*'", "NAME")
            .replaceAll("(?s)[;:(].*", "")
            .replaceAll("[0-9a-f]{40}", "ID")
            .replaceAll("[0-9][0-9.,]*", "n")
            .strip();
    return kind.substring(0, Math.min(90, kind.length()));
  }

  private void check() {
    events.forEach(
        (shared, all) ->
            all.values()
                .forEach(
                    history -> {
                      histories++;
                      findings =
                          findings.plus(
                              History.check(
                                  shared.promise,
                                  new ArrayList<>(history),
                                  standstills,
                                  (wrong, ofItsKey) ->
                                      wrongAbsences.add(
                                          shared + ": " + wrong + " of " + ofItsKey)));
                    }));
    events.values().forEach(Map::clear);
    standstills.clear();
  }

  /** Prints what happened, and fails if anything was wrong. */
  void report() {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            "%-36s %7s %9s %9s %11s%n", "fault", "times", "calls", "threw", "begun anew"));
    rows.forEach(
        (fault, of) ->
            table.append(
                String.format(
                    "%-36s %,7d %,9d %,9d %,11d%n",
                    fault, of.times.get(), of.calls.get(), of.threw.get(), of.begunAnew.get())));
    table.append(
        String.format(
            "%,d histories; of %,d answers about acknowledged keys, wrong absences: %,d;"
                + " acknowledged keys lost: %,d; new to two: %,d; found though forgotten: %,d;"
                + " found though never put: %,d%n",
            histories,
            findings.checked(),
            findings.absent(),
            findings.lost(),
            findings.twice(),
            findings.late(),
            findings.unknown()));
    exceptions.entrySet().stream()
        .sorted((a, b) -> Long.compare(b.getValue().get(), a.getValue().get()))
        .forEach(
            kind -> table.append(String.format("%,9d %s%n", kind.getValue().get(), kind.getKey())));
    System.out.print(table);
    assertEquals(List.of(), broken);
    assertTrue(findings.checked() > 1000, findings::toString);
    assertEquals(
        new Findings(0, 0, 0, 0, 0, findings.checked()),
        findings,
        () -> String.join("\n", wrongAbsences));
  }
}
