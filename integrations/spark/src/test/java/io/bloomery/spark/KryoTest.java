package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.ShardedBloomFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KryoTest {

  @TempDir private Path folder;

  @Test
  void allIsTheSameWithKryo() throws IOException {
    SparkSession spark = LocalSession.builder(LocalSession.KRYO).getOrCreate();
    try {
      Dataset<Long> ids = spark.range(0, 5_000, 1, 9);
      FilterRequest request = FilterRequest.expect(5_000).fpp(0.001);
      BloomFilter<Long> here = Bloomery.longs().expect(5_000).fpp(0.001).create();
      for (long i = 0; i < 5_000; i++) {
        here.put(i);
      }
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      here.writeTo(expected);
      BuiltFilter built = BloomerySpark.build(ids, "id", request);
      Path file = folder.resolve("ids.bloom");
      built.save(file.toString(), spark.sparkContext().hadoopConfiguration());
      assertArrayEquals(expected.toByteArray(), Files.readAllBytes(file));
      ids.createOrReplaceTempView("ids");
      assertArrayEquals(
          expected.toByteArray(),
          (byte[]) spark.sql("SELECT bloomery_agg(id, 5000, 0.001) FROM ids").first().get(0));
      assertEquals(5_000, ids.filter(BloomerySpark.mightContain(spark, built, col("id"))).count());
      Path shards = folder.resolve("shards");
      assertEquals(
          5_000, BloomerySpark.buildShards(ids, "id", request, 4, shards.toString()).rows());
      try (ShardedBloomFilter<Long> seen = Bloomery.longs().openShards(shards)) {
        assertEquals(5_000, seen.select(ids.collectAsList()).size());
      }
    } finally {
      spark.stop();
    }
  }
}
