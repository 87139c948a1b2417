package io.bloomery.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own that runs a class of these tests. */
public final class JavaProcess {

  private JavaProcess() {}

  /** Prepares a JVM that another command starts, if there is one. Its errors are printed here. */
  public static ProcessBuilder of(List<String> starter, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(starter);
    String classPath =
        String.join(
            File.pathSeparator,
            Path.of("target/test-classes").toAbsolutePath().toString(),
            Path.of("target/classes").toAbsolutePath().toString(),
            System.getProperty("java.class.path", ""),
            System.getProperty("jdk.module.path", ""));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.addAll(List.of(Shell.COMMON_OPTIONS.split(" ")));
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
  }
}
