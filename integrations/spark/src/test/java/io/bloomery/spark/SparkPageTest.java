package io.bloomery.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Console;

/** What docs/spark.md shows compiles, in Java and in Scala, and its SQL answers as it says. */
class SparkPageTest {

  private static final int PAGES = 1_000;
  private static final int LINKS = 3_000;

  private static SparkSession spark;
  private static String page;
  @TempDir private static Path folder;

  @BeforeAll
  static void start() throws IOException {
    // Also from the module beside this one, which has these tests for another Spark.
    Path near = Path.of("../../docs/spark.md");
    page = Files.readString(Files.exists(near) ? near : Path.of("../../../docs/spark.md"));
    spark = LocalSession.builder(LocalSession.JAVA).getOrCreate();
    spark
        .range(PAGES)
        .selectExpr("concat('https://example.org/', id) url", "id % 3 day")
        .createOrReplaceTempView("pages");
    spark
        .range(LINKS)
        .selectExpr("concat('https://example.org/', id) target")
        .createOrReplaceTempView("links");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<String> blocks(String language) {
    List<String> blocks =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(page)
            .results()
            .map(found -> found.group(1))
            .toList();
    assertTrue(!blocks.isEmpty(), () -> "no " + language + " on the page");
    return blocks;
  }

  private static List<String> statements() {
    return blocks("sql").stream()
        .map(block -> block.replaceAll("--[^\n]*", ""))
        .flatMap(block -> Pattern.compile(";").splitAsStream(block))
        .filter(statement -> !statement.isBlank())
        .toList();
  }

  private static BloomFilter<String> pages(long expected, double fpp) {
    BloomFilter<String> filter = Bloomery.strings().expect(expected).fpp(fpp).create();
    IntStream.range(0, PAGES).forEach(i -> filter.put("https://example.org/" + i));
    return filter;
  }

  @Test
  void sqlAnswersAsItSays() throws IOException {
    BloomFilter<String> local = pages(10_000_000, 0.001);
    Path file = folder.resolve("seen.bloom");
    local.save(file);
    List<String> statements = statements();
    assertEquals(4, statements.size());

    assertArrayEquals(
        Files.readAllBytes(file), (byte[]) spark.sql(statements.get(0)).first().get(0));
    List<Row> days = spark.sql(statements.get(1)).collectAsList();
    assertEquals(3, days.size());
    long maybe =
        IntStream.range(0, LINKS)
            .filter(i -> local.mightContain("https://example.org/" + i))
            .count();
    assertEquals(maybe, spark.sql(statements.get(2)).count());
    assertEquals(
        maybe,
        spark
            .sql(statements.get(3).replace("hdfs://nodes/filters/seen.bloom", file.toString()))
            .count());
  }

  @Test
  void javaCompiles() throws IOException {
    StringBuilder source =
        new StringBuilder(
            """
            import static org.apache.spark.sql.functions.col;
            import io.bloomery.*;
            import io.bloomery.spark.*;
            import java.nio.file.Path;
            import org.apache.spark.sql.*;
            class Caller {
              SparkSession spark;
              Dataset<Row> pages;
              Dataset<Row> links;
              BuiltFilter seen;
            """);
    List<String> blocks = blocks("java");
    for (int i = 0; i < blocks.size(); i++) {
      String block = blocks.get(i).strip();
      // A call alone, whose value the page has no use for.
      String body = block.startsWith("links.filter") ? "Object some = " + block : block;
      source.append("void block").append(i).append("() throws Exception {\n");
      source.append(body).append("\n}\n");
    }
    Path file = Files.writeString(folder.resolve("Caller.java"), source + "}\n");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, "-proc:none", "-d", folder.toString(), file.toString());
    assertEquals(0, failed, said::toString);
  }

  // The compiler takes as long as all else here.
  @Test
  @Tag("nightly")
  void scalaCompiles() throws IOException {
    String source =
        """
        import io.bloomery.spark._
        import org.apache.spark.sql._
        import org.apache.spark.sql.functions._
        class ScalaCaller(spark: SparkSession, pages: DataFrame, links: DataFrame) {
          import spark.implicits._
        """
            + String.join("\n", blocks("scala"))
            + "}\n";
    Path file = Files.writeString(folder.resolve("ScalaCaller.scala"), source);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    List<String> arguments =
        new ArrayList<>(
            List.of("-classpath", System.getProperty("java.class.path"), "-d", folder.toString()));
    arguments.add(file.toString());
    boolean[] compiled = {false};
    Console.withOut(
        new PrintStream(said),
        () ->
            Console.withErr(
                new PrintStream(said),
                () ->
                    compiled[0] = scala.tools.nsc.Main.process(arguments.toArray(String[]::new))));
    assertTrue(compiled[0], said::toString);
    assertTrue(Files.exists(folder.resolve("ScalaCaller.class")), said::toString);
  }
}
