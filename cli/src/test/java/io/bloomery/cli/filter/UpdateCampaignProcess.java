package io.bloomery.cli.filter;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.file.FilterUpdate;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ForeignUpdate;
import io.bloomery.interop.ItemEncoding;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A JVM of its own that changes files of every kind in several threads each, while other threads of
 * it read them.
 */
final class UpdateCampaignProcess {

  /** A way to change a file by one key, and to read it. */
  enum Kind {
    FILTER,
    /** A filter in a file that nobody may write to. */
    READ_ONLY,
    MERGED,
    COMMAND,
    FOREIGN,
    FOREIGN_COMMAND,
    /** A filter that is updated, and replaced by one thread without reading it. */
    SAVED,
    /** A window, which is only ever replaced. */
    WINDOW;

    Path file(Path folder) {
      return folder.resolve(name());
    }

    void create(Path folder) throws IOException {
      Path file = file(folder);
      switch (this) {
        case FOREIGN, FOREIGN_COMMAND -> GUAVA.create(KEYS, RATE).write(file);
        case WINDOW -> window().save(file);
        default -> filter().save(file);
      }
      if (this == READ_ONLY) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
      }
    }

    private void change(Path folder, String key) throws IOException {
      Path file = file(folder);
      switch (this) {
        case FILTER, READ_ONLY -> update(file, key);
        case MERGED -> {
          Path more = folder.resolve(key);
          BloomFilter<String> other = filter();
          other.put(key);
          other.save(more);
          Bloomery.installed().files().merge(file, List.of(more, file), PATIENCE);
          Files.delete(more);
        }
        case COMMAND -> run(key, "add -q --wait 600 %s", file);
        case FOREIGN -> {
          try (ForeignUpdate update = GUAVA.update(file, PATIENCE)) {
            update.filter().put(key, ItemEncoding.utf8());
            update.save();
          }
        }
        case FOREIGN_COMMAND ->
            run(key, "add -q --wait 600 --format guava --encoding utf-8 %s", file);
        case SAVED -> {
          while (!updateUnlessOvertaken(file, key)) {
            Thread.yield();
          }
        }
        case WINDOW -> {
          SlidingBloomFilter<String> window = window();
          window.put(key);
          window.save(file);
        }
      }
    }

    private void read(Path folder) throws IOException {
      Path file = file(folder);
      switch (this) {
        case FOREIGN, FOREIGN_COMMAND -> GUAVA.read(file);
        case WINDOW -> {
          SlidingBloomFilter<String> unused = SlidingBloomFilter.open(FILTERS, file);
        }
        default -> {
          BloomFilter<String> unused = FILTERS.open(file);
          FILTERS.map(file).close();
          Bloomery.installed().files().verify(file);
        }
      }
    }

    /** Returns whether the file has a key for which {@link #change} returned. */
    boolean has(Path folder, String key) throws IOException {
      Path file = file(folder);
      return switch (this) {
        case FOREIGN, FOREIGN_COMMAND ->
            GUAVA.read(file).view(ItemEncoding.utf8()).mightContain(key);
        // Others have replaced it since.
        case SAVED, WINDOW -> true;
        default -> FILTERS.open(file).mightContain(key);
      };
    }
  }

  private static final int KEYS = 20_000;
  private static final double RATE = 1e-9;
  private static final Filters<String> FILTERS = Bloomery.strings();
  private static final ForeignFormat GUAVA = ForeignFormat.named("guava");
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final Path folder;
  private final String process;
  private final int threads;
  private final int changes;
  private final int pauseMillis;
  private final AtomicInteger running;
  private final AtomicLong reads = new AtomicLong();

  private UpdateCampaignProcess(
      Path folder, String process, int threads, int changes, int pauseMillis) {
    this.folder = folder;
    this.process = process;
    this.threads = threads;
    this.changes = changes;
    this.pauseMillis = pauseMillis;
    this.running = new AtomicInteger(threads * Kind.values().length);
  }

  /**
   * Changes all files and prints the number of readings.
   *
   * <p>Arguments: the folder, the name of this process, the threads that change each file, how
   * often each of them does, and the milliseconds from one reading of a file to the next.
   */
  public static void main(String[] arguments) throws Exception {
    System.out.println(
        new UpdateCampaignProcess(
                Path.of(arguments[0]),
                arguments[1],
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]))
            .run());
  }

  static String key(String process, int thread, int change) {
    return process + "-" + thread + "-" + change;
  }

  private long run() throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    List<Future<Void>> ends = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        ends.add(pool.submit(counted(() -> change(kind, number))));
      }
      ends.add(pool.submit(() -> read(kind)));
    }
    if (process.equals("a")) {
      ends.add(pool.submit(this::save));
    }
    try {
      for (Future<Void> end : ends) {
        end.get();
      }
    } finally {
      pool.shutdownNow();
    }
    return reads.get();
  }

  private Callable<Void> counted(Callable<Void> work) {
    return () -> {
      try {
        return work.call();
      } finally {
        running.decrementAndGet();
      }
    };
  }

  private Void change(Kind kind, int thread) throws IOException {
    for (int i = 0; i < changes; i++) {
      kind.change(folder, key(process, thread, i));
    }
    return null;
  }

  private Void read(Kind kind) throws IOException, InterruptedException {
    while (running.get() > 0) {
      kind.read(folder);
      reads.incrementAndGet();
      Thread.sleep(pauseMillis);
    }
    return null;
  }

  /** Replaces a filter, and checks that no update brings back what was replaced. */
  private Void save() throws IOException {
    Path file = Kind.SAVED.file(folder);
    for (int i = 0; running.get() > 0; i++) {
      String key = "saved-" + i;
      BloomFilter<String> filter = filter();
      filter.put(key);
      filter.save(file);
      if (!FILTERS.open(file).mightContain(key)) {
        throw new AssertionError("save " + i + " was taken back");
      }
    }
    return null;
  }

  private static BloomFilter<String> filter() {
    return Bloomery.strings().expect(KEYS).fpp(RATE).create();
  }

  private static SlidingBloomFilter<String> window() {
    return SlidingBloomFilter.builder(Bloomery.strings().expect(KEYS).fpp(RATE)).create();
  }

  private static void update(Path file, String key) throws IOException {
    try (FilterUpdate<BloomFilter<String>> update = FILTERS.update(file, PATIENCE)) {
      update.filter().put(key);
      update.save();
    }
  }

  private static boolean updateUnlessOvertaken(Path file, String key) throws IOException {
    try (FilterUpdate<BloomFilter<String>> update = FILTERS.update(file, PATIENCE)) {
      update.filter().put(key);
      try {
        update.save();
        return true;
      } catch (FileSystemException e) {
        return false;
      }
    }
  }

  private static void run(String key, String line, Path file) {
    Run.piped(key + "\n", line, file).assertEnds(ExitCode.OK);
  }
}
