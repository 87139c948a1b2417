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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Puts of long keys, by one thread and by two. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class PutBenchmark {

  /** The subject. */
  @Param({"guava", "standard", "partitioned", "blocked"})
  public String variant;

  /** The number of keys in the filter. */
  @Param({"100000", "10000000"})
  public long n;

  private Filled filter;

  /** Fills the filter. */
  @Setup
  public void fill() {
    filter = Filled.of(variant, KeyKind.LONG, n);
  }

  /** Keys that are present. */
  @State(Scope.Thread)
  public static class Present {

    private Object keys;

    /** Draws different keys for each invocation, so that branch predictors do not learn them. */
    @Setup(Level.Invocation)
    public void next(PutBenchmark benchmark) {
      keys = benchmark.filter.next(Share.PRESENT);
    }
  }

  /** A filter that is being filled, and is replaced when it has its expected keys. */
  @State(Scope.Thread)
  public static class Filling {

    private Filled filter;
    private Object keys;

    /** Creates the filter. */
    @Setup
    public void create(PutBenchmark benchmark) {
      filter = Filled.emptyOf(benchmark.variant, KeyKind.LONG, benchmark.n);
    }

    /** Draws different keys for each invocation. */
    @Setup(Level.Invocation)
    public void next() {
      if (filter.isFull()) {
        filter.empty();
      }
      keys = filter.next(Share.NEW);
    }
  }

  /** Puts new keys. */
  @Benchmark
  public int fresh(Filling filling) {
    return filling.filter.run(Action.PUT, filling.keys);
  }

  /** Puts keys that are present. */
  @Benchmark
  public int again(Present keys) {
    return filter.run(Action.PUT, keys.keys);
  }

  /** Puts keys that are present, in two threads. */
  @Benchmark
  @Threads(2)
  public int againByTwo(Present keys) {
    return filter.run(Action.PUT, keys.keys);
  }
}
