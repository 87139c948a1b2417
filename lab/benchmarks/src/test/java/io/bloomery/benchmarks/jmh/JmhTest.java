package io.bloomery.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.paired.Subject;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class JmhTest {

  // That it runs, not how fast: ten milliseconds tell nothing.
  private static void assertRuns(int times, ChainedOptionsBuilder options) throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                options
                    .param("n", "10000")
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(10))
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    assertEquals(times, results.size());
    results.forEach(result -> assertTrue(result.getPrimaryResult().getSampleCount() > 0));
  }

  @Test
  void aBenchmarkRuns() throws RunnerException {
    assertRuns(
        2,
        new OptionsBuilder()
            .include("OperationBenchmark")
            .param("variant", "standard")
            .param("keys", "LONG")
            .param("operation", "PUT_FRESH", "BATCH_MIX"));
  }

  @Test
  void streamsAreCollectedByAll() throws RunnerException {
    List<String> all =
        new ArrayList<>(
            FilterProviders.installed().all().stream().map(FilterProvider::variant).toList());
    all.add(Subject.REFERENCE);
    assertRuns(
        2 * all.size(),
        new OptionsBuilder()
            .include("StreamBenchmark")
            .param("variant", all.toArray(String[]::new)));
  }
}
