package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that a key is the same key under every Java and in every locale. */
class KeyFormEverywhereTest {

  private static final Path RUNNING = Path.of(System.getProperty("java.home"));
  private static final List<String> SHORT_LIVED =
      List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
  private static final String CHECKSUM =
      "a1bae077b77989f15609240e99276edbfca4071d1df7f0d0ff8b5248c81707c1";

  @Test
  void theKeysAreWhatTheyWereUnderWhateverJavaRunsThis() throws Exception {
    assertEquals(CHECKSUM, KeyFormProcess.checksum());
  }

  /** Every Java beside the one that runs this, where packages put them, and one in Turkish. */
  static List<List<String>> others() throws IOException {
    Stream<List<String>> turkish =
        Stream.of(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Duser.language=tr",
                "-Dfile.encoding=ISO-8859-9"));
    try (Stream<Path> javas = Files.list(RUNNING.getParent())) {
      List<Path> found =
          javas.map(home -> home.resolve("bin/java")).filter(Files::isExecutable).toList();
      List<List<String>> commands =
          found.stream()
              .map(KeyFormEverywhereTest::real)
              .distinct()
              .filter(java -> !java.startsWith(real(RUNNING)))
              .map(java -> List.of(java.toString()))
              .toList();
      return Stream.concat(turkish, commands.stream()).toList();
    }
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("others")
  void theyAreTheSameUnderOthers(List<String> java) throws Exception {
    String path =
        Stream.of(KeyForm.class, KeyFormProcess.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .collect(Collectors.joining(":"));
    List<String> command =
        Stream.of(java, SHORT_LIVED, List.of("-cp", path, KeyFormProcess.class.getName()))
            .flatMap(List::stream)
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(CHECKSUM, said.strip());
    assertEquals(0, process.waitFor());
  }
}
