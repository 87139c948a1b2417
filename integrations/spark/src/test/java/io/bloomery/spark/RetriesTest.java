package io.bloomery.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that fail after some of their rows, and are run again, count each row once. */
class RetriesTest {

  private static final int KEYS = 9_000;
  private static final int PARTITIONS = 7;

  /** In each partition, behind some batches of 512 that its task has put. */
  private static final int FAILS_AT = 1_100;

  /** How many tasks have failed in this JVM, which all tasks of the session are in. */
  private static final AtomicInteger FAILED = new AtomicInteger();

  private static SparkSession spark;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    spark = LocalSession.builder(LocalSession.JAVA).master("local[2, 3]").getOrCreate();
    spark.udf().register("key", (UDF1<Long, String>) RetriesTest::key, DataTypes.StringType);
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  @BeforeEach
  void noneHasFailed() {
    FAILED.set(0);
  }

  /** Fails in the first attempt of each task, on its way. */
  private static String key(long id) {
    if (TaskContext.get().attemptNumber() == 0 && id % (KEYS / PARTITIONS) == FAILS_AT) {
      FAILED.incrementAndGet();
      throw new IllegalStateException("this attempt fails");
    }
    return "key-" + id;
  }

  private static Dataset<Row> urls() {
    return spark.range(0, KEYS, 1, PARTITIONS).selectExpr("key(id) url");
  }

  private static LocalBuild local(String variant) {
    return new LocalBuild(KEYS, 0.001, variant);
  }

  private void assertBuilt(String variant, BuiltFilter built) throws IOException {
    assertTrue(FAILED.get() >= PARTITIONS, () -> FAILED + " tasks failed");
    assertEquals(KEYS, built.rows());
    assertEquals(0, built.nulls());
    Path file = folder.resolve(variant);
    built.save(file.toString(), spark.sparkContext().hadoopConfiguration());
    assertArrayEquals(local(variant).file(), Files.readAllBytes(file), variant);
  }

  @Test
  void aColumnIsCountedOnce() throws IOException {
    for (String variant : List.of("standard", "counting")) {
      FAILED.set(0);
      assertBuilt(variant, BloomerySpark.build(urls(), "url", local(variant).request()));
    }
  }

  @Test
  void anRddIsCountedOnce() throws IOException {
    JavaRDD<String> rdd =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(IntStream.range(0, KEYS).boxed().toList(), PARTITIONS)
            .map(i -> key((long) i));
    assertBuilt(
        "counting", BloomerySpark.build(rdd, local("counting").request().keys(KeyType.TEXT)));
  }

  @Test
  void sqlCountsOnce() throws IOException {
    urls().createOrReplaceTempView("t");
    byte[] built =
        (byte[])
            spark
                .sql("SELECT bloomery_agg(url, " + KEYS + ", 0.001, 'variant=counting') FROM t")
                .first()
                .get(0);
    assertTrue(FAILED.get() >= PARTITIONS, () -> FAILED + " tasks failed");
    assertArrayEquals(local("counting").file(), built);
  }

  @Test
  void shardsCountOnce() throws IOException {
    Path remote = folder.resolve("remote");
    BuiltShards built =
        BloomerySpark.buildShards(urls(), "url", local("counting").request(), 4, remote.toString());
    assertTrue(FAILED.get() >= PARTITIONS, () -> FAILED + " tasks failed");
    assertEquals(KEYS, built.rows());
    local("counting").assertShards(4, folder.resolve("here"), remote);
  }
}
