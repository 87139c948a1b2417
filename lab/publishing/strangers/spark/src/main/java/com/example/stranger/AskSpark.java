package com.example.stranger;

import io.bloomery.spark.BloomerySpark;
import io.bloomery.spark.BuiltFilter;
import io.bloomery.spark.FilterRequest;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Builds a filter of a column, and queries it in another query. */
public final class AskSpark {

  private AskSpark() {}

  /** Prints "asked" if no key is missing. */
  public static void main(String... arguments) throws Exception {
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate()) {
      Dataset<Row> rows = spark.range(10_000).toDF("id");
      BuiltFilter built = BloomerySpark.build(rows, "id", FilterRequest.expect(10_000).fpp(0.001));
      long found = rows.filter(BloomerySpark.mightContain(spark, built, rows.col("id"))).count();
      if (found != 10_000) {
        throw new IllegalStateException("found " + found);
      }
      System.out.println("asked on Spark " + spark.version());
    }
  }
}
