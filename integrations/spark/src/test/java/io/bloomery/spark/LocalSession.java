package io.bloomery.spark;

import org.apache.spark.sql.SparkSession;

/** A session of two threads in this process, for all tests of one serializer. */
final class LocalSession {

  static final String JAVA = "org.apache.spark.serializer.JavaSerializer";
  static final String KRYO = "org.apache.spark.serializer.KryoSerializer";

  private LocalSession() {}

  static SparkSession.Builder builder(String serializer) {
    return SparkSession.builder()
        .master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.sql.extensions", BloomeryExtensions.class.getName())
        .config("spark.serializer", serializer);
  }
}
