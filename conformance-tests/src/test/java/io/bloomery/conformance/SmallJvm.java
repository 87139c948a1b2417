package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Another JVM with a heap of 64 MB and the class path of this one. */
public final class SmallJvm {

  private SmallJvm() {}

  /** Returns what starts one that runs a main class. */
  public static ProcessBuilder of(List<String> options, Class<?> main, String... arguments) {
    ProcessBuilder builder = new ProcessBuilder();
    builder.command().add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    builder.command().add("-Xmx64m");
    builder.command().addAll(options);
    builder.command().addAll(List.of("-cp", System.getProperty("java.class.path")));
    builder.command().add(main.getName());
    builder.command().addAll(List.of(arguments));
    return builder;
  }

  /** Returns all that it printed, once it has ended well. */
  public static String output(ProcessBuilder builder) throws IOException, InterruptedException {
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }
}
