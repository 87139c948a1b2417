package io.bloomery.conformance;

import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.internal.kit.OtherJvm;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.SecretKey;

/**
 * JVMs like this one, in which providers are loaded.
 *
 * @param places the places of providers that are not on the class path
 * @param tier the amount of testing, by which options are chosen
 * @param limit how long nothing may be written to the progress file
 * @param log receives the lines that the JVM prints
 */
record ChildJvm(List<URL> places, Tier tier, Duration limit, Consumer<String> log) {
  // decisions.md#no-code-of-a-provider-runs-in-the-jvm-that-gives-the-verdict

  /** How the end of a JVM begins that was killed. */
  static final String STOOD_STILL = "stood still";

  private static final long STEP_MILLIS = 200;

  /** The time to wait for output that a child process of the JVM may still hold open. */
  private static final long OUTPUT_MILLIS = 10_000;

  /** Options that two JVMs cannot share, or that do not concern the provider. */
  private static final List<String> NOT_PASSED_ON =
      List.of(
          "-agentlib:jdwp",
          "-Xrunjdwp",
          "-Dcom.sun.management.jmxremote",
          "-XX:ArchiveClassesAtExit",
          "-XX:+AutoCreateSharedArchive",
          "-XX:StartFlightRecording");

  /** An option that selects a garbage collector, of which a JVM accepts only one. */
  private static final Pattern COLLECTOR = Pattern.compile("-XX:[+-]Use\\w+GC");

  /**
   * Options for short runs, in which the optimising compiler would take as much time as the rules,
   * and a core from the threads that race: it compiles only what is called twenty times as often as
   * usual.
   */
  private static final List<String> FEWER_COMPILATIONS =
      List.of(
          "-XX:Tier4InvocationThreshold=100000",
          "-XX:Tier4MinInvocationThreshold=12000",
          "-XX:Tier4CompileThreshold=300000",
          "-XX:Tier4BackEdgeThreshold=400000");

  /** Messages of the JVM about its options, which this JVM has already printed. */
  private static final List<String> KNOWN =
      List.of("Picked up ", "WARNING: Using incubator modules");

  /**
   * Performs a task in a new JVM and waits for its end.
   *
   * @param records receives the records of the task in order
   * @return how the JVM ended, as a phrase that follows its name
   * @throws IOException if it cannot be started
   */
  String run(ChildTask task, Consumer<Object> records) throws IOException {
    SecretKey key = ProgressFile.newKey();
    File progress = Files.createTempFile("bloomery-conformance", ".progress").toFile();
    progress.deleteOnExit();
    try {
      Process process = new ProcessBuilder(command()).redirectErrorStream(true).start();
      try {
        Thread output = ChildMain.startDaemon(() -> forward(process));
        // The stream is left open: its end signals that this JVM has ended, and the child exits.
        ObjectOutputStream in = new ObjectOutputStream(process.getOutputStream());
        in.writeObject(new ChildMain.Instructions(progress, key, properties(), places, task));
        in.flush();
        String end = await(process, progress);
        output.join(OUTPUT_MILLIS);
        ProgressFile.read(progress, key, records);
        return end;
      } finally {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a provider is checked", e);
    } finally {
      Files.deleteIfExists(progress.toPath());
    }
  }

  private static Map<String, String> properties() {
    return System.getProperties().stringPropertyNames().stream()
        .collect(Collectors.toMap(name -> name, System::getProperty));
  }

  private String await(Process process, File progress) throws InterruptedException {
    long size = 0;
    long since = System.nanoTime();
    while (!process.waitFor(STEP_MILLIS, TimeUnit.MILLISECONDS)) {
      if (progress.length() != size) {
        size = progress.length();
        since = System.nanoTime();
      } else if (System.nanoTime() - since > limit.toNanos()) {
        process.destroyForcibly().waitFor();
        return STOOD_STILL + " for " + limit.toSeconds() + " seconds";
      }
    }
    return "ended with exit code " + process.exitValue();
  }

  private List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (!tier.isAtLeast(Tier.FULL)) {
      command.addAll(FEWER_COMPILATIONS); // first, so that options given to this JVM override them
    }
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (NOT_PASSED_ON.stream().noneMatch(option::startsWith)) {
        command.add(option);
      }
    }
    if (command.stream().noneMatch(option -> COLLECTOR.matcher(option).matches())) {
      // A collector without threads of its own, which would occupy the cores of racing threads.
      command.add("-XX:+UseSerialGC");
    }
    // Without this option, an exception that is thrown repeatedly loses its stack trace.
    command.add("-XX:-OmitStackTraceInFastThrow");
    command.add("-cp");
    try {
      command.add(OtherJvm.classPath(List.of(FilterProvider.class, ChildMain.class)));
    } catch (InconclusiveError e) {
      throw new IOException(e.getMessage(), e);
    }
    command.add(ChildMain.class.getName());
    return command;
  }

  private void forward(Process process) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().filter(line -> KNOWN.stream().noneMatch(line::startsWith)).forEach(log);
    } catch (IOException | UncheckedIOException e) {
      // Equivalent to the end of the stream.
    }
  }
}
