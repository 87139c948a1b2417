package io.bloomery.benchmarks.jmh;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.benchmarks.paired.Subject;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collector;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Builds a whole filter from a stream of keys, with the collector of its library. Of the libraries
 * measured here, only Guava has one besides Bloomery.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Benchmark)
public class StreamBenchmark {

  /** The subject: Guava or any variant, by {@code -p variant}. */
  @Param({Subject.REFERENCE, FilterBuilder.DEFAULT_VARIANT})
  public String variant;

  /** The number of keys in the filter. */
  @Param({"100000", "10000000"})
  public int n;

  /** Whether the stream is parallel. */
  @Param({"false", "true"})
  public boolean parallel;

  private Collector<Long, ?, ?> collector;

  /** Chooses the collector. */
  @Setup
  public void choose() {
    collector =
        variant.equals(Subject.REFERENCE)
            ? BloomFilter.toBloomFilter(Funnels.longFunnel(), n, Filled.RATE)
            : Bloomery.longs().expect(n).variant(variant).fpp(Filled.RATE).toFilter();
  }

  /** Collects all keys into a new filter. */
  @Benchmark
  public Object collect() {
    Stream<Long> keys = LongStream.range(0, n).boxed();
    return (parallel ? keys.parallel() : keys).collect(collector);
  }
}
