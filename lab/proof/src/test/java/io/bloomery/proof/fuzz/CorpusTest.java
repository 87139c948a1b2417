package io.bloomery.proof.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No kept input breaks a promise: what a fuzzer found once, is found again without one. */
final class CorpusTest {

  private static final List<Class<?>> TARGETS =
      List.of(
          ReadFilter.class,
          MapFilter.class,
          OpenLive.class,
          OpenWindow.class,
          OpenLiveWindow.class,
          OpenShards.class,
          ReadTable.class,
          ReadColumns.class,
          RunCommand.class,
          ReadForeign.class);

  /** In a process, as commands run in its folder. */
  @Test
  void noKeptInputBreaksAPromise() throws IOException, InterruptedException {
    Path folder = Files.createDirectories(Path.of("target", "corpus").toAbsolutePath());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            CorpusTest.class.getName()));
    int inputs = 0;
    for (Class<?> target : TARGETS) {
      for (byte[] input : Corpus.of(target)) {
        Path file = folder.resolve(target.getSimpleName() + "-" + inputs++);
        Files.write(file, input);
        command.add(file.toString());
      }
    }
    Path log = folder.resolve("log.txt");
    int exitCode =
        new ProcessBuilder(command)
            .directory(Files.createDirectories(folder.resolve("work")).toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()))
            .start()
            .waitFor();
    assertTrue(inputs > 0, "some inputs are kept");
    assertEquals(0, exitCode, () -> read(log));
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Runs the target that each file is named after. */
  public static void main(String... files) throws Exception {
    for (String file : files) {
      String name = String.valueOf(Path.of(file).getFileName());
      String target =
          CorpusTest.class.getPackageName() + "." + name.substring(0, name.indexOf('-'));
      System.out.println(name);
      Class.forName(target)
          .getMethod("fuzzerTestOneInput", byte[].class)
          .invoke(null, (Object) Files.readAllBytes(Path.of(file)));
    }
  }
}
