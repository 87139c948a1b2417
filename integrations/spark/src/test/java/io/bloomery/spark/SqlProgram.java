package io.bloomery.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.HiveResult;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What {@code spark-sql -f FILE} does, without Hive: runs the statements of a file in the session
 * that was configured on the command line, and prints their rows as it prints them. Public, since
 * SparkSubmit calls it.
 */
public final class SqlProgram {

  private SqlProgram() {}

  public static void main(String[] arguments) throws IOException {
    String text = Files.readString(Path.of(arguments[1])).replaceAll("--[^\n]*", "");
    StringBuilder printed = new StringBuilder();
    try (SparkSession spark = SparkSession.builder().getOrCreate()) {
      for (String statement : text.split(";", -1)) {
        if (!statement.isBlank()) {
          CollectionConverters.asJava(
                  HiveResult.hiveResultString(spark.sql(statement).queryExecution().executedPlan()))
              .forEach(row -> printed.append(row).append('\n'));
        }
      }
    }
    System.out.write(printed.toString().getBytes(StandardCharsets.UTF_8));
    System.out.flush();
  }
}
