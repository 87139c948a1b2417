package io.bloomery.benchmarks.jmh;

import io.bloomery.benchmarks.paired.Action;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Operation.Share;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Queries, one by one or in batches. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class QueryBenchmark {

  /** The subject. */
  @Param({"guava", "standard", "partitioned", "blocked"})
  public String variant;

  /** The number of keys in the filter. */
  @Param({"100000", "10000000"})
  public long n;

  /** The kind of keys. */
  @Param({"LONG", "STRING"})
  public KeyKind keys;

  /** Whether keys are queried one by one or in a batch. */
  @Param({"QUERY", "SELECT"})
  public Action way;

  private Filled filter;

  /** Fills the filter. */
  @Setup
  public void fill() {
    filter = Filled.of(variant, keys, n);
  }

  /** Keys that are present. */
  @State(Scope.Thread)
  public static class Present {

    private Object keys;

    /** Draws different keys for each invocation, so that branch predictors do not learn them. */
    @Setup(Level.Invocation)
    public void next(QueryBenchmark benchmark) {
      keys = benchmark.filter.next(Share.PRESENT);
    }
  }

  /** Keys that are absent. */
  @State(Scope.Thread)
  public static class Absent {

    private Object keys;

    /** Draws different keys for each invocation, so that branch predictors do not learn them. */
    @Setup(Level.Invocation)
    public void next(QueryBenchmark benchmark) {
      keys = benchmark.filter.next(Share.ABSENT);
    }
  }

  /** Present and absent keys at random. */
  @State(Scope.Thread)
  public static class Half {

    private Object keys;

    /** Draws different keys for each invocation, so that branch predictors do not learn them. */
    @Setup(Level.Invocation)
    public void next(QueryBenchmark benchmark) {
      keys = benchmark.filter.next(Share.HALF);
    }
  }

  /** Queries keys that are present. */
  @Benchmark
  public int hit(Present keys) {
    return filter.run(way, keys.keys);
  }

  /** Queries keys that are absent. */
  @Benchmark
  public int miss(Absent keys) {
    return filter.run(way, keys.keys);
  }

  /** Queries both, in an unpredictable order. */
  @Benchmark
  public int mix(Half keys) {
    return filter.run(way, keys.keys);
  }
}
