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

  /** Whose filter it is. */
  @Param({"guava", "standard", "partitioned", "split-block"})
  public String variant;

  /** How many keys it holds. */
  @Param({"100000", "10000000"})
  public long n;

  /** The kind of its keys. */
  @Param({"LONG", "STRING"})
  public KeyKind keys;

  /** Whether keys are asked for one by one or all at once. */
  @Param({"QUERY", "SELECT"})
  public Action way;

  private Filled filter;

  /** Fills the filter. */
  @Setup
  public void fill() {
    filter = Filled.of(variant, keys, n);
  }

  /** Keys that were put. */
  @State(Scope.Thread)
  public static class Present {

    private Object keys;

    /** Takes others for each invocation, so that none are learnt. */
    @Setup(Level.Invocation)
    public void next(QueryBenchmark benchmark) {
      keys = benchmark.filter.next(Share.PRESENT);
    }
  }

  /** Keys that were not put. */
  @State(Scope.Thread)
  public static class Absent {

    private Object keys;

    /** Takes others for each invocation, so that none are learnt. */
    @Setup(Level.Invocation)
    public void next(QueryBenchmark benchmark) {
      keys = benchmark.filter.next(Share.ABSENT);
    }
  }

  /** One or the other, at random. */
  @State(Scope.Thread)
  public static class Half {

    private Object keys;

    /** Takes others for each invocation, so that none are learnt. */
    @Setup(Level.Invocation)
    public void next(QueryBenchmark benchmark) {
      keys = benchmark.filter.next(Share.HALF);
    }
  }

  /** Asks for keys that are there. */
  @Benchmark
  public int hit(Present keys) {
    return filter.run(way, keys.keys);
  }

  /** Asks for keys that are not. */
  @Benchmark
  public int miss(Absent keys) {
    return filter.run(way, keys.keys);
  }

  /** Asks for both, in an order that cannot be foreseen. */
  @Benchmark
  public int mix(Half keys) {
    return filter.run(way, keys.keys);
  }
}
