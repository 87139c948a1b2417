package io.bloomery.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

class JmhTest {

  // That it runs, not how fast: ten milliseconds tell nothing.
  @Test
  void aBenchmarkRuns() throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include("QueryBenchmark.hit$")
                    .param("variant", "standard")
                    .param("n", "10000")
                    .param("keys", "LONG")
                    .param("way", "QUERY")
                    .forks(0)
                    .warmupIterations(0)
                    .measurementIterations(1)
                    .measurementTime(TimeValue.milliseconds(10))
                    .shouldFailOnError(true)
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    assertEquals(1, results.size());
    assertTrue(results.iterator().next().getPrimaryResult().getSampleCount() > 0);
  }
}
