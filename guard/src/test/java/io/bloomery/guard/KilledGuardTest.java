package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.Bloomery;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guards with a folder whose process is killed by the system. */
class KilledGuardTest {

  private static final int KILLS = 8;
  private static final int WRITERS = 3;

  @TempDir Path temporary;

  /** A table in a file: a line for each key, there before its action returns. */
  private static final class Table implements GuardSource<String, String> {

    private final Path file;
    private final Set<String> keys = ConcurrentHashMap.newKeySet();
    final AtomicInteger reads = new AtomicInteger();
    final CountDownLatch mayBeRead;

    Table(Path file, int locks) throws IOException {
      this.file = file;
      this.mayBeRead = new CountDownLatch(locks);
      if (Files.exists(file)) {
        String all = Files.readString(file, StandardCharsets.US_ASCII);
        all.substring(0, all.lastIndexOf('\n') + 1).lines().forEach(keys::add);
      }
    }

    Set<String> all() {
      return keys;
    }

    synchronized void insert(String key) throws IOException {
      Files.write(
          file,
          (key + "\n").getBytes(StandardCharsets.US_ASCII),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
      keys.add(key);
    }

    @Override
    public Stream<String> keys() {
      Guards.await(mayBeRead);
      reads.incrementAndGet();
      return List.copyOf(keys).stream();
    }

    @Override
    public Optional<String> load(String key) {
      reads.incrementAndGet();
      return keys.contains(key) ? Optional.of(key) : Optional.empty();
    }
  }

  private static GuardBuilder<String, String> builder(Table table, Path folder) {
    return Guard.builder(Bloomery.strings().expect(100_000).fpp(0.001), table)
        .pause(Duration.ofHours(1))
        .liveIn(folder);
  }

  /**
   * Writes keys while the filter is rebuilt all the time, and prints them, until it is killed or
   * nobody is left who reads them.
   */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    Table table = new Table(Path.of(arguments[1]), 0);
    Guard<String, String> guard = Guards.ready(builder(table, folder));
    for (int i = 0; i < WRITERS; i++) {
      String prefix = "key-" + arguments[2] + "-" + i + "-";
      Thread writer = new Thread(() -> write(guard, table, prefix));
      writer.setDaemon(true);
      writer.start();
    }
    while (!System.out.checkError()) {
      guard.rebuild().join();
    }
    Runtime.getRuntime().halt(1);
  }

  private static void write(Guard<String, String> guard, Table table, String prefix) {
    try {
      for (int i = 0; ; i++) {
        String key = prefix + i;
        guard.write(key, () -> table.insert(key));
        System.out.println(key);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process start(Path folder, Path table, int run) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            KilledGuardTest.class.getName(),
            folder.toString(),
            table.toString(),
            Integer.toString(run))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  @Test
  void itServesAtOnceWithoutItsSourceAndCallsNoKeyAbsentThatWasWritten() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/sys/kernel/random/boot_id")), "Linux only");
    Path folder = temporary.resolve("guard");
    Path file = temporary.resolve("table");
    SplittableRandom random = new SplittableRandom(11);
    int before = 0;
    for (int run = 0; run < KILLS; run++) {
      killOne(folder, file, run, random.nextInt(1, 400));
      Table table = new Table(file, 1);
      assertTrue(table.all().size() > before);
      before = table.all().size();
      Guard<String, String> guard = builder(table, folder).build();
      try {
        assertEquals(GuardState.REBUILDING, guard.state());
        assertTrue(guard.stats().isKept());
        assertEquals(
            Optional.empty(),
            table.all().stream().filter(key -> !guard.mightContain(key)).findAny());
        // A pipe holds back who prints more keys than are expected. At 0.001 more has a probability
        // below 1e-15.
        long maybe =
            Stream.iterate(0, i -> i + 1)
                .limit(1_000)
                .filter(i -> guard.mightContain("none-" + i))
                .count();
        assertTrue(maybe <= 20, maybe + " of 1000");
        assertEquals(0, table.reads.get());
      } finally {
        table.mayBeRead.countDown();
        if (random.nextBoolean()) {
          guard.rebuild().join();
        }
        guard.close();
      }
      assertEquals(Set.of("filter", "serving"), names(folder));
    }
  }

  private static void killOne(Path folder, Path file, int run, int lines) throws Exception {
    Process process = start(folder, file, run);
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      for (int i = 0; i < lines; i++) {
        assertTrue(out.readLine() != null);
      }
      // Not said while a filter is replaced by the next.
      Guards.await(
          "who has it open",
          () -> refusal(folder, file).contains(", in process " + process.pid() + " since "));
      process.toHandle().destroyForcibly(); // which leaves its output readable
      out.lines().forEach(line -> {});
    }
    process.waitFor();
  }

  private static String refusal(Path folder, Path file) {
    return String.valueOf(
        assertThrows(UncheckedIOException.class, () -> builder(new Table(file, 0), folder).build())
            .getMessage());
  }

  /** Returns the names of all that is in a folder, and fails if there are two filters. */
  private static Set<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .map(name -> name.replaceFirst("-.*", ""))
          .collect(Collectors.toSet());
    }
  }
}
