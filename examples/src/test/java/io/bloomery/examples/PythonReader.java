package io.bloomery.examples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The reader of docs/FORMAT.md in Python, as a program beside this one. */
final class PythonReader {

  private static final String SCRIPT = "python/bloomery.py";

  private static final boolean IS_THERE = starts();

  private PythonReader() {}

  static boolean isThere() {
    return IS_THERE;
  }

  private static boolean starts() {
    try {
      Process python = new ProcessBuilder("python3", "--version").start();
      return python.waitFor(600, TimeUnit.SECONDS) && python.exitValue() == 0;
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }

  /** Starts it with some arguments; its errors come with what it prints. */
  static Process start(String command, Collection<?> arguments) throws IOException {
    List<String> line = new ArrayList<>(List.of("python3", SCRIPT, command));
    arguments.forEach(argument -> line.add(argument.toString()));
    return new ProcessBuilder(line).redirectErrorStream(true).start();
  }

  /** Returns what a process that was started prints until it ends. */
  static String output(Process python) throws IOException {
    return new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Returns those of some files that it refuses. */
  static Set<Path> refused(Collection<Path> files) throws IOException, InterruptedException {
    Process python = start("verify", files);
    String said = output(python);
    python.waitFor();
    return said.lines()
        .map(line -> Path.of(line.substring(0, Math.max(0, line.indexOf(": ")))))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
