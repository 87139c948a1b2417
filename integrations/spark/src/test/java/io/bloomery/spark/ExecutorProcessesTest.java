package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.ShardedBloomFilter;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two executors in processes of their own, one of which is killed while it builds: {@code
 * SPARK_HOME} of them is a folder with links to the jars of this test.
 */
@Tag("nightly")
@Tag("processes")
class ExecutorProcessesTest {

  private static final long KEYS = 4_000_000;

  @TempDir private Path folder;

  @Test
  void anExecutorThatIsKilledChangesNoByte() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "@" + opens(),
                    "-Xmx1g",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Driver.class.getName(),
                    folder.toString()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("driver.log").toFile());
    builder.environment().put("SPARK_HOME", home().toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    Process process = builder.start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(9, TimeUnit.MINUTES);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    try (Stream<Path> links = Files.list(folder.resolve("home/jars"))) {
      for (Path link : links.toList()) {
        Files.delete(link);
      }
    }
    String log = Files.readString(folder.resolve("driver.log"));
    assertTrue(ended, log);
    assertEquals(0, process.exitValue(), log);
    System.out.println(log.lines().filter(line -> line.startsWith("executor processes")).toList());
  }

  private Path opens() throws IOException {
    Path file = folder.resolve("opens");
    Files.writeString(
        file,
        String.join(
            "\n",
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-opens"))
                .toList()));
    return file;
  }

  /** Makes a SPARK_HOME. */
  private Path home() throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("RELEASE"), "Spark for a test\n");
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (entry.endsWith(".jar") && Files.exists(path)) {
        Files.createSymbolicLink(jars.resolve(path.getFileName()), path);
      }
    }
    return home;
  }

  /** The driver, in a process whose environment is that of Spark. */
  static final class Driver {

    private Driver() {}

    public static void main(String[] arguments) throws Exception {
      Path folder = Path.of(arguments[0]);
      SparkSession spark =
          Session.builder(Session.KRYO)
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
