package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.Subject;
import io.bloomery.benchmarks.paired.Subject.Role;
import io.bloomery.benchmarks.paired.WarmUp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of an order that one JVM measures: variants of one role and some of their peers, with
 * one number of keys, after one kind of warm-up. Large filters, which take long to fill, are
 * measured with two peers at a time, so that no part takes more than four minutes.
 *
 * @param number the index of the part within its group, if its peers are divided
 */
record OrderPart(
    Java java, WarmUp warmUp, long keys, Role role, List<String> subjects, int number) {

  private static final long MANY_KEYS = 100_000_000;
  private static final int PEERS_WITH_MANY_KEYS = 2;

  /** A Java installation and its feature version. */
  record Java(Path home, int feature) {

    /** Reads the version of the Java installation in a folder. */
    static Java of(Path home) {
      try (Stream<String> lines = Files.lines(home.resolve("release"))) {
        String version =
            lines
                .filter(line -> line.startsWith("JAVA_VERSION="))
                .map(line -> line.replaceAll("[^\\d.]", ""))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(home + " must name its version"));
        return new Java(home.toRealPath(), Integer.parseInt(version.split("\\.", -1)[0]));
      } catch (IOException e) {
        throw new UncheckedIOException("a Java must be readable: " + home, e);
      }
    }

    /**
     * Returns one installation of each version where packages install them: in the same folder as
     * the running one.
     */
    static List<Java> besideThisOne() throws IOException {
      Path running = Path.of(System.getProperty("java.home"));
      TreeMap<Integer, Java> found = new TreeMap<>();
      found.put(Runtime.version().feature(), of(running));
      try (Stream<Path> homes = Files.list(running.getParent())) {
        homes
            .filter(home -> Files.isExecutable(home.resolve("bin/java")))
            .filter(home -> Files.isReadable(home.resolve("release")))
            .map(Java::of)
            .filter(java -> java.feature >= 17)
            .sorted(Comparator.comparing(Java::home))
            .forEach(java -> found.putIfAbsent(java.feature, java));
      }
      return List.copyOf(found.values());
    }
  }

  /** Returns all parts, in ascending order of time. */
  static List<OrderPart> all(
      Collection<Java> javas,
      Collection<WarmUp> warmUps,
      Collection<Long> sizes,
      Collection<Role> roles) {
    List<OrderPart> parts = new ArrayList<>();
    for (long keys : sizes) {
      for (WarmUp warmUp : warmUps) {
        for (Java java : javas) {
          for (Role role : roles) {
            // Mapped filters have no boxed form.
            if (warmUp != WarmUp.FACE || role != Role.MAPPED) {
              add(parts, java, warmUp, keys, role);
            }
          }
        }
      }
    }
    return parts;
  }

  private static void add(List<OrderPart> parts, Java java, WarmUp warmUp, long keys, Role role) {
    List<String> ours = new ArrayList<>();
    List<String> peers = new ArrayList<>();
    for (Subject subject : Subject.all()) {
      boolean boxed = subject.name().endsWith("-boxed");
      if (subject.ours() ? subject.role() == role && !boxed : subject.role() == role) {
        (subject.ours() ? ours : peers).add(subject.name());
      }
    }
    if (!peers.contains(Subject.REFERENCE)) {
      peers.add(0, Subject.REFERENCE);
    }
    int most = keys >= MANY_KEYS ? PEERS_WITH_MANY_KEYS : peers.size();
    for (int from = 0; from < peers.size(); from += most) {
      List<String> subjects = new ArrayList<>(ours);
      subjects.addAll(peers.subList(from, Math.min(peers.size(), from + most)));
      parts.add(new OrderPart(java, warmUp, keys, role, List.copyOf(subjects), from / most));
    }
  }

  /** Returns the file of its figures. */
  Path file(Path folder) {
    return folder.resolve(
        "%d-%s-%d-%s-%d.json"
            .formatted(java.feature, OptionNames.of(warmUp), keys, OptionNames.of(role), number));
  }

  /** Measures the part in a separate JVM. */
  void measure(Path file, int rounds) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
    List<String> command = new ArrayList<>();
    command.add(java.home.resolve("bin/java").toString());
    String heap = keys >= MANY_KEYS ? "5g" : "3g";
    command.addAll(List.of("-Xms" + heap, "-Xmx" + heap, "-Xmn64m", "-XX:+AlwaysPreTouch"));
    command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    command.addAll(List.of("-cp", ManagementFactory.getRuntimeMXBean().getClassPath()));
    command.add(Main.class.getName());
    command.addAll(List.of("--keys", "long", "--n", Long.toString(keys)));
    command.addAll(List.of("--warm-up", OptionNames.of(warmUp)));
    command.addAll(
        List.of(
            "--operations",
            Stream.of(Operation.values())
                .filter(warmUp.timed()::contains)
                .map(OptionNames::of)
                .collect(Collectors.joining(","))));
    command.addAll(List.of("--subjects", String.join(",", subjects)));
    command.addAll(List.of("--rounds", Integer.toString(rounds), "-o", unfinished.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(file.resolveSibling("log.txt").toFile())
            .start();
    // Ends the process together with this JVM, or it would take processor time from the next run.
    Thread end = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(end);
    try {
      int exit = process.waitFor();
      if (exit != 0) {
        throw new IOException(
            "a part must end with 0, but ended with %d: %s; its log is %s"
                .formatted(exit, this, file.resolveSibling("log.txt")));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("must not be interrupted", e);
    } finally {
      process.destroy();
      Runtime.getRuntime().removeShutdownHook(end);
    }
    Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Java %d, after %s, %s keys, %s: %s",
        java.feature,
        warmUp.label(),
        Numbers.keys(keys),
        OptionNames.of(role),
        String.join(", ", subjects));
  }
}
