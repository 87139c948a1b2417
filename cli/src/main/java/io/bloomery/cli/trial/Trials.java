package io.bloomery.cli.trial;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Progress;
import io.bloomery.cli.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of all variants with the same keys.
 *
 * @param results the results of the variants that were tried
 * @param refusals the messages of the variants that cannot keep the rate, by name
 */
record Trials(List<TrialResult> results, Map<String, String> refusals) {

  /** Tries one variant after the other. */
  static Trials run(Session session, DemoKeys keys, double rate) throws Failure, IOException {
    Bloomery bloomery = session.bloomery();
    List<TrialResult> results = new ArrayList<>();
    Map<String, String> refusals = new LinkedHashMap<>();
    Path folder = makeFolder();
    Path saved = folder.resolve("trial.bloom");
    try {
      int number = 0;
      for (String variant : bloomery.providers().variants()) {
        number++;
        Optional<Trial> trial = trial(bloomery, variant, keys, rate, refusals);
        if (trial.isPresent()) {
          results.add(
              Progress.during(
                  session,
                  "trying " + variant,
                  number,
                  bloomery.providers().variants().size(),
                  () -> trial.get().run(saved)));
        }
      }
    } finally {
      Files.deleteIfExists(saved);
      Files.delete(folder);
    }
    return new Trials(results, refusals);
  }

  private static Optional<Trial> trial(
      Bloomery bloomery, String variant, DemoKeys keys, double rate, Map<String, String> refusals) {
    try {
      return Optional.of(new Trial(bloomery, variant, keys, rate));
    } catch (IllegalArgumentException e) {
      refusals.put(variant, e.getMessage());
      return Optional.empty();
    }
  }

  private static Path makeFolder() throws Failure {
    try {
      return Files.createTempDirectory("bloomery");
    } catch (IOException e) {
      throw Failure.saving(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }

  /** Returns the exit code: {@link ExitCode#OK} if every guarantee was kept. */
  int exitCode() {
    boolean kept = results.stream().allMatch(result -> result.broken().isEmpty());
    return kept ? ExitCode.OK : ExitCode.NONE;
  }
}
