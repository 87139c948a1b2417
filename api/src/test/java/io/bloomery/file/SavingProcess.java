package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MiscountingFilter;
import io.bloomery.fixture.PlainProvider;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A JVM of its own that saves one filter after another under one name. */
public final class SavingProcess {

  static final int FOR_EVER = Integer.MAX_VALUE;
  static final String WAITING = "waiting";

  private static final int MAX = 100_000;
  private static final int SIZES = 7;
  private static final long PATIENCE_SECONDS = 600;

  private SavingProcess() {}

  /**
   * Saves filters and prints the number of each that is saved.
   *
   * <p>Arguments: the file, the number of the first filter, the step to the next, how many, and
   * what happens meanwhile: {@code nothing}, {@code halt-after:NANOS} of the first save, {@code
   * halt-at-word:W} of the second filter, or {@code wait-at-word:W} of each for a line of input.
   */
  public static void main(String[] arguments) throws IOException {
    Path path = Path.of(arguments[0]);
    int first = Integer.parseInt(arguments[1]);
    int step = Integer.parseInt(arguments[2]);
    int count = Integer.parseInt(arguments[3]);
    String[] event = arguments[4].split(":");
    for (int i = 0; i < count; i++) {
      int number = first + i * step;
      Filter filter = filter(number);
      if (event[0].equals("halt-at-word") && i == 1) {
        filter = pausing(filter, at(event), () -> Runtime.getRuntime().halt(1));
      } else if (event[0].equals("wait-at-word")) {
        filter = pausing(filter, at(event), SavingProcess::waitForLine);
      }
      FilterFiles.save(filter, path);
      System.out.println(number);
      if (event[0].equals("halt-after") && i == 0) {
        haltAfter(at(event));
      }
    }
  }

  private static long at(String[] event) {
    return Long.parseLong(event[1]);
  }

  private static void waitForLine() throws IOException {
    System.out.println(WAITING);
    int c = System.in.read();
    while (c >= 0 && c != '\n') {
      c = System.in.read();
    }
  }

  /** What to do in the middle of writing. */
  interface Pause {
    void run() throws IOException;
  }

  /** Returns the same filter that does something else at one word of what it writes. */
  static Filter pausing(Filter filter, long at, Pause pause) {
    MiscountingFilter.Content content =
        out ->
            filter.writePayload(
                new PayloadOutput() {
                  private long written;

                  @Override
                  public void begin(long size) {
                    // Whoever pauses has begun already.
                  }

                  @Override
                  public void writeLong(long word) throws IOException {
                    if (written++ == at) {
                      pause.run();
                    }
                    out.writeLong(word);
                  }
                });
    return new MiscountingFilter(filter, filter.payloadSize(), content);
  }

  private static void haltAfter(long nanos) {
    long end = System.nanoTime() + nanos;
    new Thread(
            () -> {
              for (long left = nanos; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
              }
              Runtime.getRuntime().halt(1);
            })
        .start();
  }

  /** Returns the filter of a number: always the same, of 120 to 840 KB. */
  static Filter filter(int number) {
    long keys = (number % SIZES + 1L) * MAX + number;
    Filter filter = new PlainProvider().create(FilterSpec.of(keys, 0.01), ThreadMode.CONFINED);
    new SplittableRandom(number).longs(1_000).forEach(filter::put);
    return filter;
  }

  /** Returns the number of a filter that {@link #filter} made. */
  static int number(Filter filter) {
    return (int) (filter.spec().expectedKeys() % MAX);
  }

  static Process start(Path path, int first, int step, int count, String event) throws IOException {
    return java(
            List.of(),
            SavingProcess.class,
            path.toString(),
            Integer.toString(first),
            Integer.toString(step),
            Integer.toString(count),
            event)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** Prepares another JVM that runs a class of these tests, started by way of another command. */
  public static ProcessBuilder java(List<String> starter, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(starter);
    String classPath =
        String.join(
            File.pathSeparator,
            Path.of("target/test-classes").toAbsolutePath().toString(),
            Path.of("target/classes").toAbsolutePath().toString(),
            System.getProperty("java.class.path", ""),
            System.getProperty("jdk.module.path", ""));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  /** Waits for the end of a process and returns the numbers of what it has saved. */
  static List<Integer> numbers(Process process) throws IOException, InterruptedException {
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      List<Integer> numbers =
          out.lines().filter(line -> !line.equals(WAITING)).map(Integer::valueOf).toList();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("a process that has closed its output does not end");
      }
      return numbers;
    }
  }
}
