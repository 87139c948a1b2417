package io.bloomery.benchmarks.jmh;

import io.bloomery.FilterBuilder;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Operation;
import io.bloomery.benchmarks.paired.Operation.Share;
import io.bloomery.benchmarks.paired.Subject;
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

/** Puts and queries, one by one or in batches; {@code -t} sets the number of threads. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class OperationBenchmark {

  /** The subject: any that {@code lab/benchmarks/run list} prints, by {@code -p variant}. */
  @Param({Subject.REFERENCE, FilterBuilder.DEFAULT_VARIANT})
  public String variant;

  /** The number of keys in the filter. */
  @Param({"100000", "10000000"})
  public long n;

  /** The kind of keys. */
  @Param({"LONG", "STRING"})
  public KeyKind keys;

  /** The operation. */
  @Param({"PUT_FRESH", "PUT_AGAIN", "HIT", "MISS", "MIX", "BATCH_HIT", "BATCH_MISS", "BATCH_MIX"})
  public Operation operation;

  private Filled filter;

  /** Fills the filter. */
  @Setup
  public void fill() {
    filter = Filled.of(variant, keys, n);
  }

  /** The filter and the keys of one thread. */
  @State(Scope.Thread)
  public static class Turn {

    private Filled filter;
    private Object keys;

    /** Takes the filter of all threads, or, to fill it, one of its own. */
    @Setup
    public void choose(OperationBenchmark benchmark) {
      filter =
          benchmark.operation.share() == Share.NEW
              ? Filled.emptyOf(benchmark.variant, benchmark.keys, benchmark.n)
              : benchmark.filter;
    }

    /** Draws different keys for each invocation, so that branch predictors do not learn them. */
    @Setup(Level.Invocation)
    public void next(OperationBenchmark benchmark) {
      Share share = benchmark.operation.share();
      if (share == Share.NEW && filter.isFull()) {
        filter.empty();
      }
      keys = filter.next(share);
    }
  }

  /** Performs the operation with a thousand keys. */
  @Benchmark
  public int time(Turn turn) {
    return turn.filter.run(operation.action(), turn.keys);
  }
}
