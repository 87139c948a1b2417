package io.bloomery.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.ShardedBloomFilter;
import io.bloomery.filter.Filter;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.sketch.BloomFilter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A build of {@code -Dbloomery.spark.rows=100000000} rows beside Spark's own filter, each of them
 * once to warm up and then in turns; what it prints stands in docs/spark.md.
 */
@Tag("nightly")
@Tag("large")
class LargeBuildTest {

  private static final long ROWS = Long.getLong("bloomery.spark.rows", 100_000_000);
  private static final double RATE = 0.001;
  private static final int TURNS = Integer.getInteger("bloomery.spark.turns", 3);
  private static final int PARTITIONS = 16;
  private static final int ASKED = 2_000_000;

  @TempDir private Path folder;

  private final AtomicLong shuffled = new AtomicLong();
  private final AtomicLong results = new AtomicLong();

  /** One build. */
  private record Measured(double seconds, long shuffled, long results, long peakHeap) {}

  @Test
  void aBuildIsAsFastAsSparksAndNearerToTheRate() throws Exception {
    SparkSession spark =
        LocalSession.builder(LocalSession.KRYO)
            // As it comes, Spark makes none above 8 MiB, whatever rate is asked for.
            .config("spark.sql.optimizer.runtime.bloomFilter.maxNumBits", Long.MAX_VALUE)
            .config("spark.sql.optimizer.runtime.bloomFilter.maxNumItems", Long.MAX_VALUE)
            .getOrCreate();
    try {
      spark.sparkContext().addSparkListener(new Listener());
      Dataset<Long> ids = spark.range(0, ROWS, 1, PARTITIONS);
      Dataset<Long> few = spark.range(0, ROWS / 20, 1, PARTITIONS);
      FilterRequest request = FilterRequest.expect(ROWS).fpp(RATE);
      few.stat().bloomFilter("id", ROWS / 20, RATE);
      BloomerySpark.build(few, "id", FilterRequest.expect(ROWS / 20).fpp(RATE));
      BloomFilter[] theirs = new BloomFilter[1];
      BuiltFilter[] ours = new BuiltFilter[1];
      BuiltFilter[] blocks = new BuiltFilter[1];
      double bestOfTheirs = Double.MAX_VALUE;
      double bestOfOurs = Double.MAX_VALUE;
      for (int turn = 0; turn < TURNS; turn++) {
        Measured their =
            measured(
                "Spark's stat().bloomFilter",
                () -> theirs[0] = ids.stat().bloomFilter("id", ROWS, RATE));
        Measured our =
            measured("standard", () -> ours[0] = BloomerySpark.build(ids, "id", request));
        measured(
            "blocked",
            () -> blocks[0] = BloomerySpark.build(ids, "id", request.variant("blocked")));
        bestOfTheirs = Math.min(bestOfTheirs, their.seconds());
        bestOfOurs = Math.min(bestOfOurs, our.seconds());
      }
      String shards = folder.resolve("shards").toString();
      measured("64 shards", () -> BloomerySpark.buildShards(ids, "id", request, 64, shards));
      LongKeyHasher hasher = KeyHasher.longs();
      Filter standard = ours[0].filter();
      double ourRate = rate("standard", id -> standard.mightContain(hasher.hash(id)));
      Filter block = blocks[0].filter();
      rate("blocked", id -> block.mightContain(hasher.hash(id)));
      double theirRate = rate("Spark's", theirs[0]::mightContainLong);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      theirs[0].writeTo(out);
      print("bytes: standard %,d, Spark's %,d", standard.payloadSize(), (long) out.size());
      try (ShardedBloomFilter<Long> seen = Bloomery.longs().mapShards(Path.of(shards))) {
        double ofShards = rate("64 shards", id -> seen.filter().mightContain(hasher.hash(id)));
        assertTrue(ofShards < RATE * 1.1, "of shards " + ofShards);
        assertEquals(0, LongStream.range(0, ASKED).filter(id -> !seen.mightContain(id)).count());
      }
      assertTrue(ourRate < RATE * 1.1, "of ours " + ourRate);
      assertTrue(
          standard.payloadSize() < out.size()
              || Math.abs(ourRate - RATE) < Math.abs(theirRate - RATE),
          "smaller, or nearer to the rate");
      assertTrue(bestOfOurs <= bestOfTheirs * 1.05, bestOfOurs + " and " + bestOfTheirs + " s");
    } finally {
      spark.stop();
    }
  }

  private static double rate(String name, LongPredicate filter) {
    double rate = LongStream.range(ROWS, ROWS + ASKED).filter(filter).count() / (double) ASKED;
    print("rate of %s: %.6f", name, rate);
    return rate;
  }

  private Measured measured(String name, Callable<?> build) throws Exception {
    System.gc();
    shuffled.set(0);
    results.set(0);
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      pool.resetPeakUsage();
    }
    long begin = System.nanoTime();
    build.call();
    double seconds = (System.nanoTime() - begin) / 1e9;
    long peak = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      peak += pool.getType() == MemoryType.HEAP ? pool.getPeakUsage().getUsed() : 0;
    }
    Thread.sleep(500); // for the listener
    Measured measured = new Measured(seconds, shuffled.get(), results.get(), peak);
    print(
        "%s: %.1f s, %,d bytes shuffled, %,d of results, heap up to %,d",
        name, seconds, measured.shuffled(), measured.results(), peak);
    return measured;
  }

  private static void print(String format, Object... values) {
    System.out.println(
        "large build of " + ROWS + ": " + String.format(Locale.ROOT, format, values));
  }

  private final class Listener extends SparkListener {
    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      shuffled.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
      results.addAndGet(end.taskMetrics().resultSize());
    }
  }
}
