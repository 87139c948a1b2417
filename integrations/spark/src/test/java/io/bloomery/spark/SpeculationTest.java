package io.bloomery.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/**
 * A task that is slow in its first attempt, so that Spark runs a speculative copy beside it, counts
 * each row once. Spark puts a copy on another host than the first attempt, so that a cluster of
 * {@code local-cluster}, which has one, never speculates: this one has two, by two addresses of the
 * loopback interface.
 */
@Tag("nightly")
@Tag("processes")
class SpeculationTest {

  @TempDir private Path folder;

  @Test
  void speculativeCopiesCountEachRowOnce() throws Exception {
    String printed = SparkProcess.of(Driver.class, folder).run(Duration.ofMinutes(9));
    System.out.println(printed.lines().filter(line -> line.startsWith("speculation")).toList());
  }

  /** Waits in the first attempt of a task, until another one has succeeded and Spark ends this. */
  static void wait(TaskContext task) {
    if (task.attemptNumber() > 0) {
      return;
    }
    try {
      Thread.sleep(Duration.ofMinutes(2).toMillis());
      throw new IllegalStateException("there is no copy of this attempt");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The disk under another scheme, where a first attempt that has written a shard waits. */
  public static final class SlowDisk extends RawLocalFileSystem {

    @Override
    public String getScheme() {
      return "slow";
    }

    @Override
    public URI getUri() {
      return URI.create("slow:///");
    }

    @Override
    public FSDataOutputStream create(
        org.apache.hadoop.fs.Path path,
        boolean overwrite,
        int bufferSize,
        short replication,
        long blockSize,
        org.apache.hadoop.util.Progressable progress)
        throws IOException {
      FSDataOutputStream file =
          super.create(path, overwrite, bufferSize, replication, blockSize, progress);
      TaskContext task = TaskContext.get();
      if (task == null || task.partitionId() != 1) {
        return file;
      }
      OutputStream slow =
          new FilterOutputStream(file) {
            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
              out.write(bytes, from, count);
              out.flush();
              SpeculationTest.wait(task);
            }
          };
      return new FSDataOutputStream(slow, null);
    }
  }

  /** The driver, in a process whose environment is that of Spark. */
  static final class Driver {

    private static final int KEYS = 20_000;
    private static final int PARTITIONS = 8;

    /** In the third partition, behind some batches of 512 that its task has put. */
    private static final long WAITS_AT = 2 * KEYS / PARTITIONS + 1_100;

    private static final AtomicInteger SPECULATIVE = new AtomicInteger();

    private Driver() {}

    public static void main(String[] arguments) throws Exception {
      Path folder = Path.of(arguments[0]);
      SparkSession spark =
          LocalSession.builder(LocalSession.KRYO)
              .master(cluster(folder))
              .config("spark.driver.host", "127.0.0.1")
              .config("spark.executor.memory", "512m")
              .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
              .config("spark.speculation", "true")
              .config("spark.speculation.interval", "100ms")
              .config("spark.speculation.quantile", "0.5")
              .config("spark.speculation.minTaskRuntime", "100ms")
              .config("spark.hadoop.fs.slow.impl", SlowDisk.class.getName())
              .getOrCreate();
      try {
        spark.udf().register("key", (UDF1<Long, String>) Driver::key, DataTypes.StringType);
        spark
            .sparkContext()
            .addSparkListener(
                new SparkListener() {
                  @Override
                  public void onTaskEnd(SparkListenerTaskEnd end) {
                    if (end.taskInfo().speculative() && end.taskInfo().successful()) {
                      SPECULATIVE.incrementAndGet();
                    }
                  }
                });
        build(spark, folder);
      } finally {
        spark.stop();
      }
      System.exit(0); // else master and workers go on
    }

    /** Starts a master and two workers, each of which starts an executor. */
    private static String cluster(Path folder) {
      SparkConf conf = new SparkConf();
      String url =
          Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, conf)._1().address().toSparkURL();
      for (int i = 1; i <= 2; i++) {
        Worker.startRpcEnvAndEndpoint(
            "127.0.0." + i,
            0,
            0,
            1,
            512,
            new String[] {url},
            folder.resolve("work").toString(),
            Option.apply(i),
            conf,
            Option.empty());
      }
      return url;
    }

    private static String key(long id) {
      if (id == WAITS_AT) {
        SpeculationTest.wait(TaskContext.get());
      }
      return "key-" + id;
    }

    private static void build(SparkSession spark, Path folder) throws Exception {
      Dataset<Row> keys = spark.range(0, KEYS, 1, PARTITIONS).selectExpr("key(id) url");
      keys.createOrReplaceTempView("t");
      for (String variant : LocalBuild.variants()) {
        LocalBuild local = new LocalBuild(KEYS, 0.001, variant);
        BuiltFilter built = BloomerySpark.build(keys, "url", local.request());
        assertEquals(KEYS, built.rows());
        Path file = folder.resolve(variant);
        built.save(file.toString(), spark.sparkContext().hadoopConfiguration());
        assertArrayEquals(local.file(), Files.readAllBytes(file), variant);
        assertSpeculated(1, variant);
      }
      LocalBuild local = new LocalBuild(KEYS, 0.001, "counting");
      String sql = "SELECT bloomery_agg(url, " + KEYS + ", 0.001, 'variant=counting') FROM t";
      assertArrayEquals(local.file(), (byte[]) spark.sql(sql).first().get(0));
      assertSpeculated(1, "SQL");
      Path remote = folder.resolve("shards");
      BuiltShards built =
          BloomerySpark.buildShards(keys, "url", local.request(), 4, "slow://" + remote);
      assertEquals(KEYS, built.rows());
      local.assertShards(4, folder.resolve("here"), remote);
      // One of a task that sends hashes, and one of a task that writes them.
      assertSpeculated(2, "shards");
    }

    private static void assertSpeculated(int least, String build) throws InterruptedException {
      for (int i = 0; i < 100 && SPECULATIVE.get() < least; i++) {
        Thread.sleep(100); // for the listener
      }
      int copies = SPECULATIVE.getAndSet(0);
      assertTrue(copies >= least, build + " had " + copies + " copies that ended first");
      System.out.println(
          "speculation: " + build + " has the same bytes with " + copies + " copies");
    }
  }
}
