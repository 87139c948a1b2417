package io.bloomery.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.concat;
import static org.apache.spark.sql.functions.lit;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.ShardWriter;
import io.bloomery.ShardedBloomFilter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.standard.StandardProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BloomerySparkTest {

  private static final int KEYS = 3_000;
  private static final byte[] SECRET =
      "a secret of 32 bytes, not random".getBytes(StandardCharsets.US_ASCII);

  @TempDir private static Path events;
  @TempDir private Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        LocalSession.builder(LocalSession.JAVA)
            .config("spark.eventLog.enabled", "true")
            .config("spark.eventLog.compress", "false")
            .config("spark.eventLog.dir", events.toUri().toString())
            .getOrCreate();
    assertTrue(spark.version().startsWith(System.getProperty("spark.line")), spark.version());
    urls(7).createOrReplaceTempView("t");
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static Dataset<Row> urls(int partitions) {
    return spark
        .range(0, KEYS, 1, partitions)
        .select(concat(lit("key-"), col("id")).as("url"), col("id"));
  }

  private static List<String> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "key-" + i).toList();
  }

  private static Configuration hadoop() {
    return spark.sparkContext().hadoopConfiguration();
  }

  private static byte[] bytes(BloomFilter<?> filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  private static <K> byte[] local(FilterBuilder<K> builder, Iterable<? extends K> keys)
      throws IOException {
    BloomFilter<K> filter = builder.create();
    filter.putAll(keys);
    return bytes(filter);
  }

  private byte[] saved(BuiltFilter built) throws IOException {
    Path path = folder.resolve("saved.bloom");
    built.save(path.toString(), hadoop());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(path), files.filter(Files::isRegularFile).toList(), "and nothing else");
    }
    return Files.readAllBytes(path);
  }

  @ParameterizedTest
  @MethodSource("io.bloomery.spark.LocalBuild#variants")
  void aFileIsThatOfALocalBuildWhateverThePartitions(String variant) throws IOException {
    FilterRequest request =
        FilterRequest.expect(KEYS).fpp(0.001).variant(variant).attribute("made-by", "test");
    byte[] expected =
        local(
            Bloomery.strings()
                .expect(KEYS)
                .fpp(0.001)
                .variant(variant)
                .attribute("made-by", "test"),
            keys(0, KEYS));
    for (int partitions : new int[] {1, 11}) {
      BuiltFilter built = BloomerySpark.build(urls(partitions), "url", request);
      assertArrayEquals(expected, saved(built), partitions + " partitions");
      assertEquals(KEYS, built.rows());
      assertEquals(0, built.nulls());
      assertEquals(KEYS, (double) built.stats().approximateKeys().orElseThrow(), 0.05 * KEYS);
      assertTrue(built.warning().isEmpty());
    }
  }

  /** For a filter that counts, a row that comes twice counts twice, and one without a key never. */
  @Test
  void everyRowCountsOnce() throws IOException {
    Dataset<Row> twice = urls(3).union(urls(2)).union(spark.sql("SELECT NULL, 1L"));
    FilterRequest request = FilterRequest.expect(KEYS).variant("counting");
    BuiltFilter built = BloomerySpark.build(twice, "url", request);
    List<String> all = new ArrayList<>(keys(0, KEYS));
    all.addAll(keys(0, KEYS));
    assertArrayEquals(
        local(Bloomery.strings().expect(KEYS).variant("counting"), all), saved(built));
    assertEquals(2 * KEYS + 1, built.rows());
    assertEquals(1, built.nulls());
  }

  @Test
  void nothingGivesAnEmptyFilter() throws IOException {
    FilterRequest request = FilterRequest.expect(9);
    byte[] expected = local(Bloomery.strings().expect(9), List.of());
    assertArrayEquals(expected, saved(BloomerySpark.build(urls(2).limit(0), "url", request)));
    assertArrayEquals(
        expected,
        saved(BloomerySpark.build(context().<String>emptyRDD(), request.keys(KeyType.TEXT))));
  }

  private static JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  @Test
  void anRddIsBuiltLikeAColumn() throws IOException {
    FilterRequest request = FilterRequest.expect(KEYS).keys(KeyType.TEXT);
    BuiltFilter built = BloomerySpark.build(context().parallelize(keys(0, KEYS), 5), request);
    assertArrayEquals(local(Bloomery.strings().expect(KEYS), keys(0, KEYS)), saved(built));
    assertThrows(
        IllegalArgumentException.class,
        () -> BloomerySpark.build(context().parallelize(keys(0, 2)), FilterRequest.expect(2)));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            BloomerySpark.build(
                context().parallelize(keys(0, 2)), FilterRequest.ofAllKeys().keys(KeyType.TEXT)));
  }

  /** Of each type of column: what a program without Spark puts, and asks. */
  @Test
  void everyTypeHasItsEncoding() throws IOException {
    StructType schema =
        new StructType()
            .add("text", DataTypes.StringType)
            .add("bytes", DataTypes.BinaryType)
            .add("i8", DataTypes.ByteType)
            .add("i16", DataTypes.ShortType)
            .add("i32", DataTypes.IntegerType)
            .add("i64", DataTypes.LongType)
            .add("uuid", DataTypes.StringType)
            .add("decimal", DataTypes.createDecimalType(20, 5))
            .add("small", DataTypes.createDecimalType(9, 2))
            .add("timestamp", DataTypes.TimestampType)
            .add("local", DataTypes.TimestampNTZType)
            .add("date", DataTypes.DateType);
    UUID uuid = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    Instant instant = Instant.parse("2026-01-02T03:04:05.678901Z");
    Row row =
        RowFactory.create(
            "na\u00efve \ud83d\ude00",
            new byte[] {0, -1, 7},
            (byte) -3,
            (short) -300,
            -70_000,
            1L << 40,
            uuid.toString().toUpperCase(java.util.Locale.ROOT),
            new BigDecimal("-1200.50000"),
            new BigDecimal("100.00"),
            java.sql.Timestamp.from(instant),
            LocalDateTime.parse("1969-12-31T23:59:59.000001"),
            java.sql.Date.valueOf(LocalDate.of(1969, 12, 30)));
    Dataset<Row> data = spark.createDataFrame(List.of(row), schema);
    check(data, "text", Bloomery.strings(), "na\u00efve \ud83d\ude00");
    check(data, "bytes", Bloomery.byteArrays(), new byte[] {0, -1, 7});
    check(data, "i8", Bloomery.longs(), -3L);
    check(data, "i16", Bloomery.longs(), -300L);
    check(data, "i32", Bloomery.longs(), -70_000L);
    check(data, "i64", Bloomery.longs(), 1L << 40);
    check(data, "decimal", Bloomery.strings(), "-1200.5");
    check(data, "small", Bloomery.strings(), "100");
    check(data, "timestamp", Bloomery.longs(), instant.getEpochSecond() * 1_000_000 + 678_901);
    check(data, "local", Bloomery.longs(), -999_999L);
    check(data, "date", Bloomery.longs(), -2L);
    FilterRequest uuids = FilterRequest.expect(10).keys(KeyType.UUID);
    assertArrayEquals(
        local(Bloomery.uuids().expect(10), List.of(uuid)),
        saved(BloomerySpark.build(data, "uuid", uuids)));
  }

  /** Built by a column and by SQL, and asked by a column and by SQL. */
  private <K> void check(Dataset<Row> data, String column, Filters<K> filters, K key)
      throws IOException {
    byte[] expected = local(filters.expect(10), List.of(key));
    BuiltFilter built = BloomerySpark.build(data, column, FilterRequest.expect(10));
    assertArrayEquals(expected, saved(built), column);
    data.createOrReplaceTempView("typed");
    String agg = "(SELECT bloomery_agg(" + column + ", 10, 0.01) FROM typed)";
    Row asked =
        spark
            .sql(
                "SELECT "
                    + agg
                    + ", bloomery_might_contain("
                    + agg
                    + ", "
                    + column
                    + ") FROM typed")
            .first();
    assertArrayEquals(expected, (byte[]) asked.get(0), column);
    assertEquals(true, asked.get(1), column);
    assertEquals(
        1, data.filter(BloomerySpark.mightContain(spark, built, col(column))).count(), column);
  }

  @Test
  void whatIsNoKeyIsRefused() {
    Dataset<Row> data = spark.sql("SELECT 1.5D AS d, array(1) AS a, 'no uuid' AS u, 7 AS i");
    FilterRequest request = FilterRequest.expect(9);
    for (String column : List.of("d", "a")) {
      assertTrue(
          assertThrows(
                  IllegalArgumentException.class, () -> BloomerySpark.build(data, column, request))
              .getMessage()
              .startsWith("keys must be strings, binary, integers, decimals"));
    }
    assertTrue(
        assertThrows(
                Exception.class, () -> BloomerySpark.build(data, "u", request.keys(KeyType.UUID)))
            .getMessage()
            .contains("keys of type uuid must be like"));
    assertEquals(
        "keys of type uuid must not be int; cast the column, or leave the type out",
        assertThrows(
                IllegalArgumentException.class,
                () -> BloomerySpark.build(data, "i", request.keys(KeyType.UUID)))
            .getMessage());
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () -> BloomerySpark.build(data, "u", request.variant("scalable")))
            .getMessage()
            .contains("must be one that merges, but is 'scalable'"));
  }

  @Test
  void aFilterTooLargeForTheDriverIsRefusedBeforeItIsBuilt() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> BloomerySpark.build(urls(2), "url", FilterRequest.expect(2_000_000_000)));
    assertTrue(e.getMessage().contains("spark.driver.maxResultSize"), e.getMessage());
    assertTrue(e.getMessage().endsWith("build it in shards, by buildShards"), e.getMessage());
  }

  @Test
  void partsOfLargeFiltersAreMergedMoreOften() {
    assertEquals(1, BloomerySpark.depth(1_000, 1 << 20));
    assertEquals(2, BloomerySpark.depth(1_000, 1 << 24));
    assertEquals(3, BloomerySpark.depth(1_000, 1 << 27));
    assertEquals(6, BloomerySpark.depth(100_000, 1 << 30));
  }

  @Test
  void keysAreCountedIfTheirNumberIsNotSaid() {
    BuiltFilter built = BloomerySpark.build(urls(3), "url", FilterRequest.ofAllKeys().fpp(0.001));
    long expected = built.filter().spec().expectedKeys();
    assertTrue(expected >= KEYS * 0.98 && expected < KEYS * 1.1, "expected " + expected);
    assertTrue(built.warning().isEmpty());
  }

  @Test
  void moreKeysThanExpectedAreToldWithTheResult() {
    BuiltFilter built = BloomerySpark.build(urls(3), "url", FilterRequest.expect(KEYS / 2));
    String warning = built.warning().orElseThrow();
    assertTrue(warning.startsWith("the filter must get at most 1500 different keys"), warning);
    Matcher count = Pattern.compile("but got about ([0-9]+) and has a rate").matcher(warning);
    assertTrue(count.find(), warning);
    assertEquals(KEYS, Integer.parseInt(count.group(1)), KEYS / 10.0);
    assertTrue(BloomerySpark.build(urls(3), "url", FilterRequest.expect(KEYS)).warning().isEmpty());
  }

  @Test
  void sqlBuildsTheSameFileAlsoPerGroup() throws IOException {
    byte[] all = (byte[]) spark.sql("SELECT bloomery_agg(url, 3000, 0.001) FROM t").first().get(0);
    assertArrayEquals(local(Bloomery.strings().expect(KEYS).fpp(0.001), keys(0, KEYS)), all);
    for (Row group :
        spark
            .sql(
                "SELECT id % 3, bloomery_agg(id, 1e3, 1e-2, ' variant = blocked ') FROM t"
                    + " GROUP BY 1")
            .collectAsList()) {
      assertArrayEquals(
          local(
              Bloomery.longs().expect(1_000).fpp(0.01).variant("blocked"),
              LongStream.range(0, KEYS).filter(i -> i % 3 == group.getLong(0)).boxed().toList()),
          (byte[]) group.get(1));
    }
  }

  @Test
  void sqlAsksAFilterOfASubqueryAndOfAFile() throws IOException {
    String agg = "(SELECT bloomery_agg(url, 3000, 1e-9) FROM t WHERE id < 1000)";
    assertEquals(1_000, count("bloomery_might_contain(" + agg + ", url)"));
    assertEquals(
        2_000, count("NOT bloomery_might_contain(" + agg + ", url)"), "certainly not in it");
    Bloomery.strings().expect(9).fpp(1e-9).create().save(folder.resolve("empty.bloom"));
    assertEquals(
        0,
        count(
            "bloomery_might_contain((SELECT content FROM binaryFile.`"
                + folder.resolve("empty.bloom")
                + "`), url)"));
    Row nulls =
        spark
            .sql(
                "SELECT bloomery_might_contain("
                    + agg
                    + ", CAST(NULL AS STRING)),"
                    + " bloomery_might_contain(CAST(NULL AS BINARY), 'key-1')")
            .first();
    assertTrue(nulls.isNullAt(0) && nulls.isNullAt(1), "null for null");
  }

  private static long count(String condition) {
    return spark.sql("SELECT * FROM t WHERE " + condition).count();
  }

  @Test
  void sqlSaysWhatArgumentsMustBe() {
    assertRefused("bloomery_agg(url)", "must have three or four arguments, but has 1");
    assertRefused("bloomery_agg(url, id, 0.1)", "expected must be constant");
    assertRefused("bloomery_agg(url, 10, '0.1')", "rate must be a number, but is string");
    assertRefused("bloomery_agg(url, 10, 7)", "rate must be between 0 and 1");
    assertRefused("bloomery_agg(url, 0, 0.1)", "expected keys must be at least 1");
    assertRefused("bloomery_agg(CAST(id AS DOUBLE), 10, 0.1)", "keys must be strings, binary");
    assertRefused("bloomery_agg(url, 10, 0.1, 'speed=9')", "but one is 'speed=9'");
    assertRefused("bloomery_agg(url, 10, 0.1, 'secret=x')", "must not have a secret");
    assertRefused("bloomery_agg(url, 10, 0.1, 'variant=scalable')", "must be one that merges");
    assertRefused("bloomery_agg(url, 9000000000, 0.001)", "build it in shards");
    assertRefused("bloomery_might_contain(url, url)", "must be given the bytes of a filter");
    assertRefused("bloomery_might_contain(CAST(url AS BINARY), url)", "one filter for all rows");
    assertRefused("bloomery_might_contain(url)", "must have two arguments");
    assertRefused("bloomery_might_contain(X'00', url)", "must be given the bytes of a filter");
    assertRefused(
        "bloomery_might_contain((SELECT bloomery_agg(url, 3000, 0.1) FROM t), id)",
        "but they are hashed by xxh3-64/utf8; cast the values");
  }

  private static void assertRefused(String expression, String... reasons) {
    Exception e =
        assertThrows(
            Exception.class, () -> spark.sql("SELECT " + expression + " FROM t").collectAsList());
    for (String reason : reasons) {
      assertTrue(messages(e).contains(reason), () -> messages(e));
    }
  }

  private static String messages(Exception e) {
    StringBuilder messages = new StringBuilder();
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      messages.append(cause.getMessage()).append('\n');
    }
    return messages.toString();
  }

  @Test
  void aValueWithMoreKeysThanExpectedIsRefusedUnlessItIsWanted() throws IOException {
    for (String variant : LocalBuild.variants()) {
      for (int expected : variant.equals("counting") ? List.of(1, 30, 900) : List.of(30)) {
        String arguments = "url, " + expected + ", 0.01, 'variant=" + variant;
        assertRefused(
            "bloomery_agg(" + arguments + "')",
            "the filter must get at most " + expected + " different keys to keep its rate, but got",
            "; expect as many, or keep the filter as it is, by the option 'overfull=keep'");
        byte[] kept =
            (byte[])
                spark
                    .sql("SELECT bloomery_agg(" + arguments + ", overfull=keep') FROM t")
                    .first()
                    .get(0);
        assertArrayEquals(
            local(Bloomery.strings().expect(expected).variant(variant), keys(0, KEYS)), kept);
      }
    }
    assertRefused("bloomery_agg(url, 1, 0.5)", "at most the " + KEYS + " of its rows");
    assertRefused("bloomery_agg(url, 9, 0.1, 'overfull=7')", "but one is 'overfull=7'");
    FilterRequest request = FilterRequest.expect(9).keys(KeyType.TEXT);
    Dataset<String> keys = spark.createDataset(keys(0, KEYS), Encoders.STRING());
    Exception e =
        assertThrows(
            Exception.class,
            () ->
                keys.select(BloomerySpark.<String>aggregator(request).toColumn()).collectAsList());
    assertTrue(messages(e).contains("the filter must get at most 9 different keys"), messages(e));
    assertArrayEquals(
        local(Bloomery.strings().expect(9), keys(0, KEYS)),
        keys.select(BloomerySpark.<String>aggregator(request.keepOverfull()).toColumn()).first());
  }

  @Test
  void aVariantThatDoesNotMergeIsRefusedBeforeItsJarIsAskedFor() {
    FilterProviders without = FilterProviders.of(new StandardProvider());
    for (FilterProvider provider : FilterProviders.installed().all()) {
      if (!MergeableFilter.class.isAssignableFrom(provider.filterType())) {
        assertTrue(
            assertThrows(
                    IllegalArgumentException.class,
                    () ->
                        new BuildPlan(provider.variant(), FilterSpec.of(10, 0.1))
                            .checkMergeable(without))
                .getMessage()
                .contains("must be one that merges, but is '" + provider.variant() + "'"));
      }
    }
  }

  @Test
  void aTypedAggregateBuildsPerGroup() throws IOException {
    FilterRequest request = FilterRequest.expect(KEYS).keys(KeyType.TEXT);
    List<byte[]> files =
        spark
            .createDataset(keys(0, KEYS), Encoders.STRING())
            .select(BloomerySpark.<String>aggregator(request).toColumn())
            .collectAsList();
    assertEquals(1, files.size());
    assertArrayEquals(local(Bloomery.strings().expect(KEYS), keys(0, KEYS)), files.get(0));
    assertThrows(
        IllegalArgumentException.class, () -> BloomerySpark.aggregator(request.secret(SECRET)));
    assertThrows(
        IllegalArgumentException.class, () -> BloomerySpark.aggregator(FilterRequest.expect(9)));
  }

  @Test
  void shardsAreThoseOfALocalBuild() throws IOException {
    for (String variant : LocalBuild.variants()) {
      Path remote = folder.resolve(variant);
      BuiltShards built =
          BloomerySpark.buildShards(
              urls(7).union(spark.sql("SELECT NULL, 1L")),
              "url",
              FilterRequest.expect(KEYS).fpp(0.001).variant(variant),
              5,
              remote.toString());
      assertEquals(KEYS + 1, built.rows());
      assertEquals(1, built.nulls());
      assertTrue(built.warning().isEmpty());
      Path here = folder.resolve(variant + "-here");
      ShardWriter<String> writer =
          Bloomery.strings().expect(KEYS).fpp(0.001).variant(variant).shards(5, here);
      for (int i = 0; i < 5; i++) {
        int shard = i;
        writer.write(i, keys(0, KEYS).stream().filter(k -> writer.shardOf(k) == shard).toList());
      }
      writer.finish();
      try (Stream<Path> files = Files.list(here);
          Stream<Path> others = Files.list(remote)) {
        List<Path> expected = files.toList();
        assertEquals(6, expected.size());
        assertEquals(6, others.count(), "and nothing else");
        for (Path file : expected) {
          assertArrayEquals(
              Files.readAllBytes(file),
              Files.readAllBytes(remote.resolve(file.getFileName().toString())));
        }
      }
      try (ShardedBloomFilter<String> seen = Bloomery.strings().mapShards(remote)) {
        assertEquals(keys(0, KEYS), seen.select(keys(0, KEYS)));
        assertEquals(seen.stats(), built.stats());
      }
      assertThrows(
          FileAlreadyExistsException.class,
          () ->
              BloomerySpark.buildShards(
                  urls(2), "url", FilterRequest.expect(KEYS), 2, remote.toString()));
    }
  }

  @Test
  void noFileOfAFinishedFolderIsReplaced() throws IOException {
    BuiltFilter built = BloomerySpark.build(urls(2), "url", FilterRequest.expect(KEYS));
    BloomerySpark.buildShards(urls(2), "url", FilterRequest.expect(KEYS), 2, folder.toString());
    for (String name : List.of("shard-00000.bloom", "shards.manifest")) {
      String file = folder.resolve(name).toString();
      IOException refused = assertThrows(IOException.class, () -> built.save(file, hadoop()));
      assertTrue(
          refused.getMessage().contains(name + " must not be replaced"), refused.getMessage());
    }
    try (ShardedBloomFilter<String> seen = Bloomery.strings().mapShards(folder)) {
      assertEquals(keys(0, KEYS), seen.select(keys(0, KEYS)));
    }
  }

  @Test
  void aFileIsReplacedAsAWhole() throws IOException {
    Path path = folder.resolve("seen.bloom");
    Files.writeString(path, "something else");
    BuiltFilter built = BloomerySpark.build(urls(2), "url", FilterRequest.expect(KEYS));
    built.save(path.toUri().toString(), hadoop());
    assertTrue(Bloomery.strings().open(path).mightContain("key-1"));
    assertThrows(IOException.class, () -> built.save(folder.toString(), hadoop()));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(path), files.toList());
    }
  }

  /** In plans as text and JSON, and in all that the event log has of every test so far. */
  @Test
  void aSecretStandsInNoPlanAndNoLog() throws IOException {
    FilterRequest request = FilterRequest.expect(KEYS).secret(SECRET);
    BuiltFilter built = BloomerySpark.build(urls(3), "url", request);
    assertArrayEquals(
        local(Bloomery.strings().secret(SECRET).expect(KEYS), keys(0, KEYS)), saved(built));
    BuiltShards shards =
        BloomerySpark.buildShards(urls(3), "url", request, 3, folder.resolve("shards").toString());
    try (ShardedBloomFilter<String> seen =
        Bloomery.strings().secret(SECRET).mapShards(Path.of(shards.folder()))) {
      assertEquals(keys(0, KEYS), seen.select(keys(0, KEYS)));
    }
    assertFalse(request.toString().contains("not random"), request::toString);
    assertThrows(
        IllegalArgumentException.class, () -> BloomerySpark.mightContain(spark, built, col("url")));
    StringBuilder log = new StringBuilder();
    try (Stream<Path> files = Files.walk(events)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        log.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    assertTrue(log.indexOf("SparkListenerTaskEnd") > 0, "a log of " + log.length());
    String numbers = Arrays.toString(SECRET).replaceAll("[\\[\\] ]", "");
    for (String form :
        List.of(
            new String(SECRET, StandardCharsets.US_ASCII),
            HexFormat.of().formatHex(SECRET),
            Base64.getEncoder().encodeToString(SECRET).substring(0, 20),
            numbers)) {
      assertFalse(log.toString().replace(" ", "").contains(form.replace(" ", "")), form);
    }
  }

  @Test
  void aFilterThatWasOpenedIsAsked() throws IOException {
    BloomFilter<String> made = Bloomery.strings().expect(9).fpp(1e-9).create();
    made.putAll(keys(0, 5));
    made.save(folder.resolve("five.bloom"));
    BloomFilter<String> seen = Bloomery.strings().open(folder.resolve("five.bloom"));
    assertEquals(5, urls(2).filter(BloomerySpark.mightContain(spark, seen, col("url"))).count());
  }

  @Test
  void theScriptOfTheExamplesPrintsWhatItSays() throws IOException {
    Path home = Path.of(System.getProperty("spark.line").equals("3.5") ? "../../.." : "../..");
    String script = Files.readString(home.resolve("examples/spark/known-links.sql"));
    int queries = 0;
    Matcher statement =
        Pattern.compile("^(?:CREATE|SELECT)[^;]*;\\n((?:-- .*\\n)*)", Pattern.MULTILINE)
            .matcher(script);
    while (statement.find()) {
      String text = statement.group();
      List<String> printed =
          spark.sql(text.substring(0, text.indexOf(';'))).collectAsList().stream()
              .map(row -> "-- " + row.mkString("\t"))
              .toList();
      assertEquals(statement.group(1).lines().toList(), printed, text);
      queries += printed.isEmpty() ? 0 : 1;
    }
    assertEquals(3, queries);
  }
}
