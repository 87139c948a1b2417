package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.ShardedBloomFilter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two executors in processes of their own, one of which is killed while it builds. */
@Tag("nightly")
@Tag("processes")
class ExecutorProcessesTest {

  private static final long KEYS = 4_000_000;

  @TempDir private Path folder;

  @Test
  void anExecutorThatIsKilledChangesNoByte() throws Exception {
    String printed = SparkProcess.of(Driver.class, folder).run(Duration.ofMinutes(9));
    System.out.println(
        printed.lines().filter(line -> line.startsWith("executor processes")).toList());
  }

  /** The driver, in a process whose environment is that of Spark. */
  static final class Driver {

    private Driver() {}

    public static void main(String[] arguments) throws Exception {
      Path folder = Path.of(arguments[0]);
      SparkSession spark =
          LocalSession.builder(LocalSession.KRYO)
              .master("local-cluster[2,1,512]")
              .config("spark.executor.memory", "512m")
              .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
              .config("spark.sql.extensions", BloomeryExtensions.class.getName())
              .getOrCreate();
      try {
        build(spark, folder);
      } finally {
        spark.stop();
      }
    }

    private static void build(SparkSession spark, Path folder) throws Exception {
      AtomicLong failed = new AtomicLong();
      AtomicLong done = new AtomicLong();
      spark
          .sparkContext()
          .addSparkListener(
              new SparkListener() {
                @Override
                public void onTaskEnd(SparkListenerTaskEnd end) {
                  (end.taskInfo().successful() ? done : failed).incrementAndGet();
                }
              });
      Dataset<Row> urls =
          spark.range(0, KEYS, 1, 16).select(concat(lit("key-"), col("id")).as("url"));
      FilterRequest request = FilterRequest.expect(KEYS).fpp(0.001);
      Thread killer = new Thread(() -> killOne(done));
      killer.start();
      BuiltFilter built = BloomerySpark.build(urls, "url", request);
      killer.join();
      for (int i = 0; i < 100 && failed.get() == 0; i++) {
        Thread.sleep(100); // for the listener
      }
      assertTrue(failed.get() > 0, "an executor was killed while it built");
      assertEquals(KEYS, built.rows());
      built.save(
          folder.resolve("spark.bloom").toString(), spark.sparkContext().hadoopConfiguration());
      BloomFilter<String> here = Bloomery.strings().expect(KEYS).fpp(0.001).create();
      for (long i = 0; i < KEYS; i++) {
        here.put("key-" + i);
      }
      here.save(folder.resolve("here.bloom"));
      assertEquals(-1, Files.mismatch(folder.resolve("here.bloom"), folder.resolve("spark.bloom")));
      String shards = folder.resolve("shards").toString();
      assertEquals(KEYS, BloomerySpark.buildShards(urls, "url", request, 8, shards).rows());
      try (ShardedBloomFilter<String> seen = Bloomery.strings().mapShards(Path.of(shards))) {
        for (long i = 0; i < KEYS; i += 7) {
          assertTrue(seen.mightContain("key-" + i));
        }
      }
      System.out.println(
          "executor processes: same bytes, with " + failed.get() + " tasks failed by a kill");
    }

    /** Kills one of the executors that this process has started, once a task has ended. */
    private static void killOne(AtomicLong done) {
      try {
        while (done.get() < 2) {
          Thread.sleep(5);
        }
        // All that the driver starts: its workers are threads.
        ProcessHandle.current().children().findFirst().ifPresent(ProcessHandle::destroyForcibly);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
