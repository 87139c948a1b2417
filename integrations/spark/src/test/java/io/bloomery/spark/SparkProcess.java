package io.bloomery.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A driver of Spark in a process of its own, and the executors that it starts: their {@code
 * SPARK_HOME} is a folder with links to the jars of this test.
 */
final class SparkProcess {

  private final Path folder;
  private final ProcessBuilder builder;

  /** Prepares a command that runs in a folder, which it may fill. */
  SparkProcess(Path folder, List<String> command) {
    this.folder = folder;
    this.builder = new ProcessBuilder(command).directory(folder.toFile());
  }

  /** Prepares a driver with the class path of this test, whose argument is a folder. */
  static SparkProcess of(Class<?> driver, Path folder) {
    List<String> command = java(System.getProperty("java.class.path"));
    command.addAll(List.of(driver.getName(), folder.toString()));
    return new SparkProcess(folder, command);
  }

  /** Returns the beginning of a command: a JVM that has what Spark needs opened, as this one. */
  static List<String> java(String classPath) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens") || argument.startsWith("-XX:"))
        .forEach(command::add);
    command.addAll(List.of("-Xmx1g", "-cp", classPath));
    return command;
  }

  static List<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(Files::exists)
        .toList();
  }

  /** Waits for its end; returns what it has printed. */
  String run(Duration limit) throws IOException, InterruptedException {
    Path out = folder.resolve("out.log");
    Path errors = folder.resolve("errors.log");
    List<Path> links = makeHome();
    Process process = builder.redirectOutput(out.toFile()).redirectError(errors.toFile()).start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    // Else JUnit warns of each that leads out of its folder.
    for (Path link : links) {
      Files.delete(link);
    }
    String printed = Files.readString(out);
    String log = printed + Files.readString(errors);
    assertTrue(ended, log);
    assertEquals(0, process.exitValue(), log);
    return printed;
  }

  private List<Path> makeHome() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    Files.writeString(home.resolve("RELEASE"), "Spark for a test\n");
    Path jars = Files.createDirectories(home.resolve("jars"));
    List<Path> links = new ArrayList<>();
    for (Path jar : classPath()) {
      if (jar.toString().endsWith(".jar")) {
        links.add(Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar));
      }
    }
    return links;
  }
}
