package io.bloomery.redis;

import io.bloomery.redis.History.Call;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A process that puts and queries by a link of its own while faults happen to the servers, and
 * writes what it asks and is answered into a file for each of its threads. Whoever finds that what
 * it had open is gone opens or creates it again, as applications do.
 *
 * <p>A line is the beginning of a call, written before it: what is asked, its id, the call, {@link
 * System#nanoTime}, which the processes of a machine have in common, and the keys; then its end:
 * the time, and for each key whether it was found, or {@code !} and the exception if it is of a
 * kind that it must not be. A process that is killed leaves beginnings without an end.
 */
final class FaultProcess {

  /** The call of a line that says that nothing could be opened. */
  static final String OPEN = "OPEN";

  static final String OTHER = "an exception of another kind: ";

  private static final Duration TIME_OUT = Duration.ofSeconds(1);
  private static final int ATTEMPTS = 100;
  private static final int THREADS = 2;
  private static final long EPOCH_MICROS = 1_795_000_000_000_000L;

  private final SharedNumbers numbers;
  private final Shared.Links links;
  private volatile boolean isOver;

  private FaultProcess(SharedNumbers numbers, Shared.Links links) {
    this.numbers = numbers;
    this.links = links;
  }

  /**
   * Returns a link, and one by which the clocks of servers are hours apart, and as late as the
   * numbers say.
   */
  static Shared.Links links(RedisLink link, SharedNumbers numbers, List<String> ports) {
    return new Shared.Links(
        link,
        new ClockLink(
            link,
            node -> {
              int hours = ports.indexOf(node.substring(node.lastIndexOf(':') + 1));
              if (hours < 0) {
                throw new IllegalArgumentException(node + " has none of the ports " + ports);
              }
              return EPOCH_MICROS
                  + System.nanoTime() / 1000
                  + TimeUnit.HOURS.toMicros(hours)
                  - numbers.get(SharedNumbers.SET_BACK);
            }));
  }

  /** Starts one whose link is there when this returns. */
  static Process start(
      Servers.Client client, String uri, List<String> ports, Path numbers, Path out, long seed)
      throws IOException {
    Process process =
        Servers.process(
            FaultProcess.class,
            client.name(),
            uri,
            String.join(",", ports),
            numbers.toString(),
            out.toString(),
            Long.toString(seed));
    if (process.getInputStream().read() != 'r') {
      throw new IOException("a process could not begin");
    }
    return process;
  }

  public static void main(String[] arguments) throws Exception {
    SharedNumbers numbers = new SharedNumbers(Path.of(arguments[3]));
    Random random = new Random(Long.parseLong(arguments[5]));
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (RedisLink link = connect(Servers.Client.valueOf(arguments[0]), arguments[1])) {
      FaultProcess process =
          new FaultProcess(numbers, links(link, numbers, List.of(arguments[2].split(",", -1))));
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Path file = Path.of(arguments[4] + i);
        Random own = new Random(random.nextLong());
        running.add(
            threads.submit(
                () -> {
                  try (OutputStream out = Files.newOutputStream(file)) {
                    process.work(out, own);
                  }
                  return null;
                }));
      }
      System.out.write('r');
      System.out.flush();
      while (System.in.read() >= 0) {
        // Its input ends with the campaign, or with the process that has begun it.
      }
      process.isOver = true;
      for (Future<?> thread : running) {
        thread.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Connects, however late a busy machine lets the servers answer. */
  private static RedisLink connect(Servers.Client client, String uri) {
    for (int attempt = 0; ; attempt++) {
      try {
        return client.connect(uri, TIME_OUT);
      } catch (RuntimeException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /** Puts and queries until the campaign is over. */
  private void work(OutputStream out, Random random) throws IOException {
    Map<Shared, Shared.Open> known = new HashMap<>();
    while (!isOver) {
      Shared shared = Shared.values()[random.nextInt(Shared.values().length)];
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(8)));
      Shared.Open open = known.get(shared);
      long begin = System.nanoTime();
      if (open == null || random.nextInt(30) == 0) {
        known.remove(shared);
        try {
          known.put(shared, shared.openOrCreate(links));
        } catch (RuntimeException e) {
          write(out, shared + " - " + OPEN + ' ' + begin + " - " + end(kind(e)));
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(200)));
        }
        continue;
      }
      Call call = shared.calls().get(random.nextInt(shared.calls().size()));
      List<Long> keys = keys(shared, random);
      String all = keys.stream().map(String::valueOf).collect(Collectors.joining(","));
      write(out, shared + " " + open.id() + ' ' + call + ' ' + begin + ' ' + all + ' ');
      try {
        StringBuilder answers = new StringBuilder();
        for (boolean isFound : open.found(call, keys)) {
          answers.append(isFound ? '1' : '0');
        }
        write(out, end(answers.toString()));
        numbers.incrementAndGet(SharedNumbers.ANSWERED);
      } catch (RuntimeException e) {
        write(out, end(kind(e)));
        if (random.nextBoolean()) { // others go on with what they have open
          known.remove(shared);
        }
      }
    }
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8)); // at once: no buffer is lost with the process
  }

  private static String end(String answer) {
    return System.nanoTime() + " " + answer + '\n';
  }

  private List<Long> keys(Shared shared, Random random) {
    int size = random.nextBoolean() ? 1 : 1 + random.nextInt(12);
    int newest = SharedNumbers.NEWEST + shared.ordinal();
    Set<Long> keys = new LinkedHashSet<>();
    while (keys.size() < size) {
      // The youngest keys often, for which others race.
      int range = random.nextBoolean() ? 10 : shared.range;
      keys.add(
          random.nextInt(4) == 0
              ? numbers.incrementAndGet(newest)
              : numbers.get(newest) - random.nextInt(range));
    }
    return new ArrayList<>(keys);
  }

  private static String kind(RuntimeException e) {
    return e instanceof IllegalStateException
        ? "!"
        : '!' + OTHER + e.toString().replaceAll("\\s+", " ");
  }
}
