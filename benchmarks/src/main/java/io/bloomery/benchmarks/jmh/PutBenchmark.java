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

  /** Whose filter it is. */
  @Param({"guava", "standard", "partitioned", "split-block"})
  public String variant;

  /** How many keys it holds. */
  @Param({"100000", "10000000"})
  public long n;

  private Filled filter;

  /** Fills the filter. */
  @Setup
  public void fill() {
    filter = Filled.of(variant, KeyKind.LONG, n);
  }

  /** Keys that were put. */
  @State(Scope.Thread)
  public static class Present {

    private Object keys;

    /** Takes others for each invocation, so that none are learnt. */
    @Setup(Level.Invocation)
    public void next(PutBenchmark benchmark) {
      keys = benchmark.filter.next(Share.PRESENT);
    }
  }

  /** A filter that is filled, and made anew when it has all keys that it was made for. */
  @State(Scope.Thread)
  public static class Filling {

    private Filled filter;
    private Object keys;

    /** Makes the filter. */
    @Setup
    public void create(PutBenchmark benchmark) {
      filter = Filled.emptyOf(benchmark.variant, KeyKind.LONG, benchmark.n);
    }

    /** Takes others for each invocation. */
    @Setup(Level.Invocation)
    public void next() {
      if (filter.isFull()) {
        filter.empty();
      }
      keys = filter.next(Share.NEW);
    }
  }

  /** Puts keys that come for the first time. */
  @Benchmark
  public int fresh(Filling filling) {
    return filling.filter.run(Action.PUT, filling.keys);
  }

  /** Puts keys that are there. */
  @Benchmark
  public int again(Present keys) {
    return filter.run(Action.PUT, keys.keys);
  }

  /** Puts keys that are there, by two threads at a time. */
  @Benchmark
  @Threads(2)
  public int againByTwo(Present keys) {
    return filter.run(Action.PUT, keys.keys);
  }
}
