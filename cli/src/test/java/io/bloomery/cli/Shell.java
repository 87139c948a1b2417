package io.bloomery.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** A POSIX shell in a folder, in which commands run as a user would type them. */
public final class Shell {

  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  // decisions.md#jvms-that-live-for-seconds-have-the-serial-collector-and-compile-little
  static final String COMMON_OPTIONS =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
          + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote";

  private static final String JAVA_OPTIONS = COMMON_OPTIONS + archive();

  private static final long PATIENCE_SECONDS = 600;

  private final Path folder;
  private final Map<String, String> variables = new LinkedHashMap<>();

  public Shell(Path folder) {
    this.folder = folder;
    variables.put("JAVA_OPTS", JAVA_OPTIONS);
    variables.put("BLOOMERY_CACHE", "off");
  }

  /**
   * Returns the words that run the finished jar; the variable OPTS may have further options for
   * Java.
   */
  public static String jar() {
    return java() + " ${OPTS:-} -jar '" + System.getProperty("bloomery.jar") + "'";
  }

  /** Returns the words that start the Java of the tests, in the way that takes the least time. */
  static String java() {
    return "'" + JAVA + "' " + JAVA_OPTIONS;
  }

  /**
   * Returns options by which the finished jar, if there is one, finds its classes in the form of
   * the JVM. Without a word, a JVM goes on without them if it runs anything else.
   */
  private static String archive() {
    String jar = System.getProperty("bloomery.jar");
    if (jar == null) {
      return "";
    }
    try {
      Path folder = Files.createTempDirectory("bloomery");
      Path archive = folder.resolve("classes.jsa");
      Path filter = folder.resolve("filter");
      List.of(folder, archive, filter).forEach(path -> path.toFile().deleteOnExit());
      String line =
          String.format(
              "echo a | '%s' %s -XX:ArchiveClassesAtExit=%s -Xlog:disable -jar '%s' create -q -o %s",
              JAVA, COMMON_OPTIONS, archive, jar, filter);
      new ProcessBuilder("sh", "-c", line).start().waitFor();
      return " -XX:SharedArchiveFile=" + archive + " -Xlog:cds=off,cds+dynamic=off";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns what draws a part of the cases for a build, by a seed that it prints. */
  public static Random draw() {
    long seed = Long.getLong("bloomery.draw", System.nanoTime());
    System.out.println("drawn by -Dbloomery.draw=" + seed);
    return new Random(seed);
  }

  /** Sets an environment variable for all later lines; null removes it. */
  public Shell with(String name, String value) {
    variables.put(name, value);
    return this;
  }

  /** Starts a line and does not wait for its end. */
  public Process start(String line) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", line).directory(folder.toFile());
    variables.forEach(
        (name, value) -> {
          if (value == null) {
            builder.environment().remove(name);
          } else {
            builder.environment().put(name, value);
          }
        });
    return builder.start();
  }

  /** Runs a line to its end, in which {@code bloomery} is the finished jar. */
  public Run runWithJar(String line) throws IOException, InterruptedException {
    return run("bloomery() { " + jar() + " \"$@\"; }; " + line);
  }

  /** Runs a line to its end, with an empty standard input. */
  public Run run(String line) throws IOException, InterruptedException {
    Path out = Files.createTempFile("shell", ".out");
    Path err = Files.createTempFile("shell", ".err");
    try {
      Process process = start("{ " + line + "\n} </dev/null >" + out + " 2>" + err);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running: " + line);
      }
      return new Run(
          process.exitValue(),
          Files.readString(out, StandardCharsets.UTF_8),
          Files.readString(err, StandardCharsets.UTF_8));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
