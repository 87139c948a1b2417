package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.session.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that make a file replace none that another makes meanwhile. */
class NewFilesTest {

  private static final int AT_THE_SAME_TIME = 4;

  @TempDir private Path folder;

  @BeforeEach
  void makeInputs() throws IOException {
    Files.writeString(folder.resolve("in"), "a\nb\n");
    Run.of("create", "-o", folder.resolve("own"), folder.resolve("in")).assertEnds(0);
    Run.command(
            "create --format bits-and-blooms --encoding utf-8 -o %s %s",
            folder.resolve("other"), folder.resolve("in"))
        .assertEnds(0);
  }

  private Object[] arguments(String line) {
    return Stream.of(line.split(" "))
        .map(word -> word.startsWith("./") ? folder.resolve(word.substring(2)) : word)
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "create -o ./new ./in",
        "create --format bits-and-blooms --encoding utf-8 -o ./new ./in",
        "merge -o ./new ./own ./own",
        "convert --format bits-and-blooms --to bits-and-blooms-json -o ./new ./other",
        "plot --keys 1000 -o ./new.svg"
      })
  void ofSeveralAtTheSameTimeOneSucceeds(String line) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(AT_THE_SAME_TIME);
    try {
      CyclicBarrier start = new CyclicBarrier(AT_THE_SAME_TIME);
      List<Future<Run>> runs = new ArrayList<>();
      for (int i = 0; i < AT_THE_SAME_TIME; i++) {
        runs.add(
            threads.submit(
                () -> {
                  start.await();
                  return Run.of(arguments(line));
                }));
      }
      int succeeded = 0;
      for (Future<Run> run : runs) {
        succeeded += run.get().exitCode() == ExitCode.OK ? 1 : 0;
        assertTrue(
            run.get().exitCode() == ExitCode.OK
                || (run.get().exitCode() == ExitCode.USAGE && run.get().err().contains("--force")),
            run.get().err());
      }
      assertEquals(1, succeeded);
    } finally {
      threads.shutdown();
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(4, files.count());
    }
  }

  @Test
  void aFileMadeWhileLinesAreReadIsKept() throws Exception {
    Path file = folder.resolve("new");
    byte[] precious = {1, 2, 3};
    for (String options : List.of("", " --format bits-and-blooms --encoding utf-8 --expected 10")) {
      for (boolean force : new boolean[] {false, true}) {
        Files.deleteIfExists(file);
        InputStream in =
            new InputStream() {
              @Override
              public int read() throws IOException {
                Files.write(file, precious);
                return -1;
              }
            };
        Run run =
            Run.reading(in, arguments("create -o ./new" + options + (force ? " --force" : "")));
        assertEquals(force ? ExitCode.OK : ExitCode.USAGE, run.exitCode(), run.err());
        if (!force) {
          assertArrayEquals(precious, Files.readAllBytes(file));
          assertTrue(run.err().contains("new was made by another meanwhile"), run.err());
        }
      }
    }
  }

  @Test
  void whatIsReadIsNotReplaced() throws IOException {
    Files.createSymbolicLink(folder.resolve("link"), Path.of("in"));
    Files.writeString(folder.resolve("key"), "0123456789abcdef");
    Files.copy(folder.resolve("own"), folder.resolve("own.svg"));
    for (String line :
        List.of(
            "create --force -o ./in ./in",
            "create --force -o ./in ./key ./link",
            "create --force --expected 9 -o ./link ./in",
            "create --force --format bits-and-blooms --encoding utf-8 -o ./in ./in",
            "create --force --secret-file ./key -o ./key ./in",
            "plot --force -o ./own.svg ./own.svg")) {
      Run run = Run.of(arguments(line));
      assertEquals(ExitCode.USAGE, run.exitCode(), line);
      assertTrue(run.err().contains(" must not be replaced, since it is read"), run.err());
    }
    assertEquals("a\nb\n", Files.readString(folder.resolve("in")));
    assertEquals("0123456789abcdef", Files.readString(folder.resolve("key")));
  }

  @Test
  void aNameThatEndsLikeAFolderIsNoFile() throws IOException {
    for (String line :
        List.of(
            "create -o %s/none/ ./in",
            "create -o %s/in/ --force ./in",
            "merge -o %s/none/ ./own",
            "convert --format bits-and-blooms --to bits-and-blooms-json -o %s/none/ ./other",
            "pull -o %s/none/ redis://localhost:1/0?filter=seen",
            "plot --keys 10 -o %s/none.svg/")) {
      Run.of(arguments(line.formatted(folder)))
          .assertEnds(ExitCode.USAGE, "/' must be a folder, but there is none; ");
    }
    assertEquals("a\nb\n", Files.readString(folder.resolve("in")));
  }
}
