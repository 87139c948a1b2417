package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.JavaProcess;
import io.bloomery.cli.filter.UpdateCampaignProcess.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes change the same files, each in several threads and with readers beside them. */
class UpdateCampaignTest {

  private static final List<String> PROCESSES = List.of("a", "b");
  private static final int THREADS = 3;

  @TempDir private Path folder;

  private void campaign(int changes, int pauseMillis) throws Exception {
    for (Kind kind : Kind.values()) {
      kind.create(folder);
    }
    List<String> starter = plainUser();
    List<Process> processes = new ArrayList<>();
    for (String process : PROCESSES) {
      processes.add(start(starter, process, changes, pauseMillis));
    }
    long reads = 0;
    try {
      for (Process process : processes) {
        try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
          reads += out.lines().mapToLong(Long::parseLong).sum();
        }
        assertEquals(0, process.waitFor());
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
    List<String> lost = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      lost.addAll(lost(kind, changes));
    }
    System.out.printf(
        "%,d changes of each of %d files by two processes, %,d readings beside them, %d lost%n",
        PROCESSES.size() * THREADS * changes, Kind.values().length, reads, lost.size());
    assertEquals(List.of(), lost);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of(),
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> Arrays.stream(Kind.values()).noneMatch(k -> k.name().equals(name)))
              .toList());
    }
    assertTrue(reads > 0);
  }

  private List<String> lost(Kind kind, int changes) throws IOException {
    List<String> lost = new ArrayList<>();
    for (String process : PROCESSES) {
      for (int thread = 0; thread < THREADS; thread++) {
        for (int i = 0; i < changes; i++) {
          String key = UpdateCampaignProcess.key(process, thread, i);
          if (!kind.has(folder, key)) {
            lost.add(kind + " " + key);
          }
        }
      }
    }
    return lost;
  }

  private Process start(List<String> starter, String process, int changes, int pauseMillis)
      throws IOException {
    return JavaProcess.of(
            starter,
            UpdateCampaignProcess.class,
            folder.toString(),
            process,
            Integer.toString(THREADS),
            Integer.toString(changes),
            Integer.toString(pauseMillis))
        .start();
  }

  /**
   * Returns what starts a process of a user who may do only what permissions say, which root is
   * not, or nothing if only root could start it.
   */
  private static List<String> plainUser() throws InterruptedException {
    List<String> starter = List.of("setpriv", "--bounding-set", "-dac_override,-dac_read_search");
    List<String> trial = new ArrayList<>(starter);
    trial.add("true");
    try {
      return new ProcessBuilder(trial).start().waitFor() == 0 ? starter : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }

  @Test
  void nothingIsLost() throws Exception {
    campaign(2, 10);
  }

  @Test
  @Tag("nightly")
  void nothingOfTenThousandUpdatesIsLost() throws Exception {
    campaign(1_700, 0);
  }
}
