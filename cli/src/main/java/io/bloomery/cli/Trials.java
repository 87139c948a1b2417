package io.bloomery.cli;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How all variants did with the same keys.
 *
 * @param results of those that were tried
 * @param refusals what those said that cannot keep the rate, by their names
 */
record Trials(List<TrialResult> results, Map<String, String> refusals) {

  /** Tries one variant after the other. */
  static Trials run(Bloomery bloomery, DemoKeys keys, double rate) throws Failure, IOException {
    List<TrialResult> results = new ArrayList<>();
    Map<String, String> refusals = new LinkedHashMap<>();
    Path folder = makeFolder();
    Path saved = folder.resolve("trial.bloom");
    try {
      for (String variant : bloomery.variants()) {
        Trial trial;
        try {
          trial = new Trial(bloomery, variant, keys, rate);
        } catch (IllegalArgumentException e) {
          refusals.put(variant, e.getMessage());
          continue;
        }
        results.add(trial.run(saved));
      }
    } finally {
      Files.deleteIfExists(saved);
      Files.delete(folder);
    }
    return new Trials(results, refusals);
  }

  private static Path makeFolder() throws Failure {
    try {
      return Files.createTempDirectory("bloomery");
    } catch (IOException e) {
      throw Failure.saving(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }

  /** Returns the exit code: whether every promise was kept. */
  int exitCode() {
    boolean kept = results.stream().allMatch(result -> result.broken().isEmpty());
    return kept ? ExitCode.OK : ExitCode.NONE;
  }
}
