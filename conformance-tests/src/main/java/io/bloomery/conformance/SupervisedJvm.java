package io.bloomery.conformance;

import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.internal.kit.Message;
import io.bloomery.conformance.internal.kit.OtherJvm;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** A JVM like this one that runs a {@link Task}, and the messages it sends. */
final class SupervisedJvm implements AutoCloseable {
  // decisions.md#providers-are-checked-in-a-child-jvm-and-who-makes-them-decides

  private static final int TOKEN_BYTES = 16;
  private static final long STEP_MILLIS = 500;

  /** The time that a JVM may take to exit after closing its output. */
  private static final long END_SECONDS = 10;

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

  private final Process process;
  private final BlockingQueue<Optional<Message>> messages = new LinkedBlockingQueue<>();
  private String end = "";

  private SupervisedJvm(Process process, String token, Consumer<String> log) {
    this.process = process;
    reader(process.getInputStream(), line -> Message.ofLine(token, line).ifPresent(this::said));
    reader(process.getErrorStream(), line -> forward(line, log));
  }

  /**
   * Starts a JVM.
   *
   * @param isFirst whether the suite itself is checked there
   */
  static SupervisedJvm start(Remade remade, Task task, boolean isFirst, Consumer<String> log)
      throws IOException {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    String token = HexFormat.of().formatHex(random);
    Process process = new ProcessBuilder(command(task.tier())).start();
    SupervisedJvm jvm = new SupervisedJvm(process, token, log);
    // The stream is left open: its end signals that this JVM has ended, and the other one exits.
    DataOutputStream in = new DataOutputStream(process.getOutputStream());
    try {
      Message.writeText(in, token);
      Message.writeText(in, remade.className());
      Message.writeList(in, remade.places(), Message::writeText);
      task.writeTo(in);
      in.writeBoolean(isFirst);
      in.flush();
      return jvm;
    } catch (IOException e) {
      jvm.close();
      throw e;
    }
  }

  private static List<String> command(Tier tier) throws IOException {
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
      command.add(OtherJvm.classPath(List.of(FilterProvider.class, SupervisedMain.class)));
    } catch (InconclusiveError e) {
      throw new IOException(e.getMessage(), e);
    }
    command.add(SupervisedMain.class.getName());
    return command;
  }

  private void said(Message message) {
    messages.add(Optional.of(message));
  }

  private static void forward(String line, Consumer<String> log) {
    if (KNOWN.stream().noneMatch(line::startsWith)) {
      log.accept(line);
    }
  }

  private void reader(InputStream stream, Consumer<String> action) {
    boolean isOutput = stream == process.getInputStream();
    Thread thread =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  action.accept(line);
                }
              } catch (IOException e) {
                // Equivalent to the end of the stream.
              }
              if (isOutput) {
                messages.add(Optional.empty());
              }
            },
            "conformance supervisor");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the next message, or empty if the JVM has ended or sends nothing for too long. */
  Optional<Message> next(Duration limit) {
    long start = System.nanoTime();
    try {
      while (System.nanoTime() - start < limit.toNanos()) {
        // Child processes may hold its output open.
        boolean isAlive = process.isAlive();
        Optional<Message> next = messages.poll(STEP_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null && next.isPresent()) {
          return next;
        }
        if (next != null || !isAlive) {
          end = ending();
          return Optional.empty();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a provider is checked", e);
    }
    end = "stood still for " + limit.toSeconds() + " seconds";
    return Optional.empty();
  }

  private String ending() throws InterruptedException {
    return process.waitFor(END_SECONDS, TimeUnit.SECONDS)
        ? "ended with exit code " + process.exitValue()
        : "closed its output";
  }

  /** Returns how the JVM ended, as a phrase that follows its name. */
  String end() {
    return end;
  }

  @Override
  public void close() {
    try {
      // A JVM that is done exits at once.
      process.waitFor(end.isEmpty() ? STEP_MILLIS : 1, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
