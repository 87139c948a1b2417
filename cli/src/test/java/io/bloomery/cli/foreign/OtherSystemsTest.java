package io.bloomery.cli.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ForeignUpdate;
import io.bloomery.interop.ItemEncoding;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks commands on filters of other systems. */
class OtherSystemsTest {

  private static final Path GOLDEN = Path.of("../interop/src/test/resources/golden");

  private static final List<String> ENCODINGS =
      LineEncoding.names().stream().filter(name -> !name.equals("uuid")).toList();

  /** The keys of an encoding that lines of digits are. */
  private record Keys<T>(ItemEncoding<T> encoding, IntFunction<? extends T> of) {
    void put(ForeignFilter filter, int i) {
      filter.put(of.apply(i), encoding);
    }
  }

  private static byte[] bytes(int i) {
    return Integer.toString(i).getBytes(StandardCharsets.US_ASCII);
  }

  private static final List<Keys<?>> KEYS =
      List.of(
          new Keys<>(ItemEncoding.utf8(), Integer::toString),
          new Keys<>(ItemEncoding.utf8UnlessEmpty(), Integer::toString),
          new Keys<>(ItemEncoding.utf16LittleEndian(), Integer::toString),
          new Keys<>(ItemEncoding.hadoopTexts(), Integer::toString),
          new Keys<>(ItemEncoding.bytes(), OtherSystemsTest::bytes),
          new Keys<>(ItemEncoding.intsLittleEndian(), i -> i),
          new Keys<>(ItemEncoding.intsBigEndian(), i -> i),
          new Keys<>(ItemEncoding.longsLittleEndian(), i -> (long) i),
          new Keys<>(ItemEncoding.longsBigEndian(), i -> (long) i),
          new Keys<>(ItemEncoding.hiveLongs(), i -> (long) i),
          new Keys<>(ItemEncoding.sparkXxHash64(ItemEncoding.utf8()), Integer::toString),
          new Keys<>(ItemEncoding.sparkXxHash64(ItemEncoding.longsLittleEndian()), i -> (long) i),
          new Keys<>(ItemEncoding.sparkXxHash64(ItemEncoding.intsLittleEndian()), i -> i),
          new Keys<>(ItemEncoding.uuids(), i -> new UUID(0, i)),
          new Keys<>(ItemEncoding.redissonCodec("StringCodec"), Integer::toString),
          new Keys<>(ItemEncoding.redissonCodec("LongCodec"), i -> (long) i),
          new Keys<>(ItemEncoding.redissonCodec("ByteArrayCodec"), OtherSystemsTest::bytes));

  @TempDir private Path folder;
  private Path file;
  private Path lines;

  @BeforeEach
  void writeLines() throws IOException {
    file = folder.resolve("filter");
    lines = Files.writeString(folder.resolve("lines"), numbers(1, 300));
  }

  private static String numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  private static String rate(ForeignFormat format) {
    return format == ForeignFormat.HIVE_BLOOMK || format == ForeignFormat.DRUID ? "0.05" : "0.01";
  }

  private Run create(ForeignFormat format, String encoding) {
    return Run.command(
        "create --format %s --encoding %s --fpp %s -o %s %s",
        format, encoding, rate(format), file, lines);
  }

  private static void assertFails(int exitCode, String part, Run run) {
    run.assertEnds(exitCode);
    assertEquals("", run.out());
    assertTrue(run.err().contains(part), run::err);
    assertEquals(1, run.err().lines().count(), run::err);
  }

  /** Writes what {@link #create} does, which draws keys to say whether the rate is kept. */
  private void write(ForeignFormat format) throws IOException {
    made(format, "utf-8").write(file);
  }

  /** Returns the filter that the library makes of the same keys. */
  private static ForeignFilter made(ForeignFormat format, String encoding) {
    ForeignFilter made = format.create(300, Double.parseDouble(rate(format)));
    Keys<?> keys =
        KEYS.stream()
            .filter(each -> each.encoding.name().equals(encoding))
            .findFirst()
            .orElseThrow();
    for (int i = 1; i <= 300; i++) {
      keys.put(made, i);
    }
    return made;
  }

  @ParameterizedTest
  @EnumSource
  @Tag("nightly")
  void everyFormatTakesEveryEncodingOfItsOwnAsTheLibraryDoes(ForeignFormat format)
      throws IOException {
    takesAsTheLibraryDoes(format, ENCODINGS);
  }

  /** Every encoding is one of some formats. */
  @ParameterizedTest
  @EnumSource
  void aFormatTakesEncodingsOfItsOwnAsTheLibraryDoes(ForeignFormat format) throws IOException {
    Set<String> some = new TreeSet<>();
    some.add(ENCODINGS.get(format.ordinal() % ENCODINGS.size()));
    if (format.takes(ItemEncoding.hiveLongs())) {
      some.add("hive-long");
    }
    takesAsTheLibraryDoes(format, some);
  }

  private void takesAsTheLibraryDoes(ForeignFormat format, Collection<String> encodings)
      throws IOException {
    for (String encoding : encodings) {
      Files.deleteIfExists(file);
      Run run = create(format, encoding);
      if (encoding.equals("hive-long") && !format.takes(ItemEncoding.hiveLongs())) {
        assertFails(ExitCode.USAGE, "--encoding hive-long is for", run);
        continue;
      }
      run.assertEnds(ExitCode.OK, "300 lines added, at least ");
      assertArrayEquals(made(format, encoding).toBytes(), Files.readAllBytes(file), encoding);
      assertEquals(
          numbers(1, 300),
          Run.command("check --format %s --encoding %s %s %s", format, encoding, file, lines)
              .out());
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsAddedIsFoundAndDescribedAndWellFormed(ForeignFormat format) throws IOException {
    write(format);
    Run added =
        Run.piped("new-1\nnew-2\n", "add --format %s --encoding utf-8 --json %s", format, file)
            .assertEnds(ExitCode.OK);
    assertTrue(added.out().contains("\"lines\": 2"), added::out);
    Run found = Run.piped("new-1\n300\n", "check -c --format %s --encoding utf-8 %s", format, file);
    assertEquals("2\n", found.out());

    Run info = Run.of("info", "--format", format, file).assertEnds(ExitCode.OK);
    assertTrue(info.out().contains("  format           " + format.id() + "\n"), info::out);
    Run json = Run.command("info --json --format %s %s", format, file);
    assertTrue(json.out().contains("\"format\": \"" + format.id() + "\""), json::out);
    assertTrue(json.out().contains("\"sizeInBytes\": " + Files.size(file)), json::out);

    Run verified = Run.of("verify", "--format", format, file);
    Run asJson = Run.command("verify --json --format %s %s", format, file);
    if (format == ForeignFormat.DCSO_GZIP) {
      assertEquals(file + ": ok\n", verified.out());
      verified.assertEnds(ExitCode.OK);
      assertTrue(asJson.out().contains("\"ok\": true"), asJson::out);
    } else {
      assertEquals(
          file + ": well-formed; its content cannot be checked: " + format + " has no checksum\n",
          verified.out());
      verified.assertEnds(ExitCode.INCONCLUSIVE);
      assertTrue(
          asJson.out().contains("\"unchecked\": \"" + format + " has no checksum\""), asJson::out);
    }
  }

  /** Nothing tells the length of Paimon's. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PAIMON")
  void whatIsCutOffIsDamaged(ForeignFormat format) throws IOException {
    write(format);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 7));
    Run verified = Run.of("verify", "--format", format, file).assertEnds(ExitCode.BAD_FILE);
    assertTrue(verified.out().startsWith(file + ": byte "), verified::out);
    assertFails(
        ExitCode.BAD_FILE, "see that the file is whole", Run.of("info", "--format", format, file));
  }

  @Test
  void streamsAreReadAndWritten() throws IOException {
    Run made =
        Run.piped(numbers(1, 300), "create --format guava --encoding utf-8 --expected 300 -o -");
    byte[] bytes = made.out().getBytes(StandardCharsets.ISO_8859_1);
    assertArrayEquals(made(ForeignFormat.GUAVA, "utf-8").toBytes(), bytes);
    Run check = Run.piped(made.out(), "check -c --format guava --encoding utf-8 - %s", lines);
    assertEquals("300\n", check.out());
    Run verify = Run.piped(made.out(), "verify --format guava -");
    assertTrue(verify.out().startsWith("the standard input: well-formed"), verify::out);
    Run longer = Run.piped(made.out() + "\0".repeat(5), "info --format guava -");
    assertFails(
        ExitCode.BAD_FILE, "byte " + bytes.length + ": guava: must end here, but more", longer);
  }

  @Test
  void formatsConvertAsTheLibraryDoes() throws IOException {
    for (ForeignFormat from : ForeignFormat.values()) {
      write(from);
      ForeignFilter filter = from.read(file);
      for (ForeignFormat to : ForeignFormat.values()) {
        byte[] converted = null;
        try {
          converted = filter.as(to).toBytes();
        } catch (IllegalArgumentException e) {
          // Of those that it cannot become, one is enough.
          if (Math.floorMod(to.ordinal() - from.ordinal(), ForeignFormat.values().length) != 1) {
            continue;
          }
        }
        Path out = folder.resolve(from + "-" + to);
        Run run = Run.command("convert --format %s --to %s -o %s %s", from, to, out, file);
        if (converted == null) {
          assertFails(
              ExitCode.USAGE,
              "as in 'bloomery create --format " + to + " --encoding ENCODING",
              run);
          assertFalse(Files.exists(out));
        } else {
          run.assertEnds(ExitCode.OK);
          assertArrayEquals(converted, Files.readAllBytes(out), out::toString);
        }
      }
    }
    assertFails(
        ExitCode.USAGE,
        "'bloomery create --variant standard -o FILE KEYS'",
        Run.command("convert --format dcso --to standard -o %s %s", folder.resolve("x"), file));
    assertFails(
        ExitCode.USAGE,
        "add --format FORMAT",
        Run.command("convert --to dcso -o %s %s", folder.resolve("x"), file));
  }

  @ParameterizedTest
  @EnumSource
  void filtersMergeAsTheLibraryDoes(ForeignFormat format) throws IOException {
    boolean isList = format == ForeignFormat.REDISBLOOM || format == ForeignFormat.VALKEY_BLOOM;
    List<Path> files = new ArrayList<>();
    ForeignFilter union = null;
    for (int i = 0; i < 3; i++) {
      ForeignFilter filter = format.create(300, Double.parseDouble(rate(format)));
      for (int key = 0; key < (isList ? 100 : 300); key++) {
        filter.put(i + "-" + key, ItemEncoding.utf8());
      }
      Path part = folder.resolve("part-" + i);
      filter.write(part);
      files.add(part);
      if (union == null) {
        union = format.read(part);
      } else {
        union.putAll(filter);
      }
    }
    Path last = files.get(2);
    String parts = " " + files.get(0) + " " + files.get(1) + " " + last;
    Run run = Run.command("merge --format %s -o %s" + parts, format, file);
    assertTrue(Set.of(ExitCode.OK, ExitCode.OUTGROWN).contains(run.exitCode()), run::err);
    assertEquals(
        union.stats().isOverfull() ? ExitCode.OUTGROWN : ExitCode.OK, run.exitCode(), run::err);
    assertTrue(run.err().contains("3 filters merged"), run::err);
    assertArrayEquals(union.toBytes(), Files.readAllBytes(file));

    // Into one of them, and not into a file that is there.
    run = Run.command("merge --format %s --json --force -o %s" + parts, format, files.get(0));
    assertTrue(run.out().contains("\"merged\": 3"), run::out);
    assertArrayEquals(union.toBytes(), Files.readAllBytes(files.get(0)));
    Files.write(file, new byte[] {1});
    Run.command("merge --format %s -o %s" + parts, format, file).assertEnds(ExitCode.USAGE);
    assertArrayEquals(new byte[] {1}, Files.readAllBytes(file));
    Files.delete(file);

    format.create(3000, Double.parseDouble(rate(format))).write(last);
    assertFails(
        ExitCode.USAGE,
        last + ": filters must have one layout to be merged",
        Run.command("merge --format %s -o %s " + files.get(1) + " " + last, format, file));
    assertFalse(Files.exists(file));
  }

  @ParameterizedTest
  @CsvSource({
    "nb-1-big-Filter.db, cassandra-4",
    "oa-3gkv_1abc_2def-big-Filter.db, cassandra-4",
    "da-7-bti-Filter.db, cassandra-4",
    "mc-12-big-Filter.db, cassandra-3",
    "lb-1-big-Filter.db, cassandra-2.2",
    "shop-orders-ka-5-Filter.db, cassandra-2.2",
    "filter, ''",
    "nb-1-big-Data.db, ''",
  })
  void aNameOfAnotherVersionOfCassandraIsWarnedOf(String name, String named) throws IOException {
    Path sstable = folder.resolve(name);
    for (ForeignFormat format :
        List.of(ForeignFormat.CASSANDRA_2, ForeignFormat.CASSANDRA_3, ForeignFormat.CASSANDRA_4)) {
      ForeignFilter filter = format.create(300, 0.01);
      // For info draws keys until some are found, for a fifth of a second in an empty one.
      filter.putAll(numbers(1, 300).lines().toList(), ItemEncoding.utf8());
      filter.write(sstable);
      for (String command : List.of("info", "check --encoding utf-8", "add --encoding utf-8")) {
        Run run =
            Run.piped("1\n", command + " --format %s %s", format, sstable).assertEnds(ExitCode.OK);
        assertEquals(
            !named.isEmpty() && !named.equals(format.id()),
            run.err().contains("is of " + named + " by its name"),
            run::err);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ja-1-Filter.db, cassandra-2.2",
    "lb-1-big-Filter.db, cassandra-2.2",
    "ma-1-big-Filter.db, cassandra-3",
    "me-3gkv_1abc_2def-big-Filter.db, cassandra-3",
    "na-1-big-Filter.db, cassandra-4",
    "oa-7-big-Filter.db, cassandra-4",
    "da-7-bti-Filter.db, cassandra-4",
  })
  void theVersionOfCassandraIsThatOfTheNameWhereItIsAskedFor(String name, String version)
      throws IOException {
    Path sstable = folder.resolve(name);
    Files.writeString(lines, numbers(0, 299));
    // Of a small filter it would draw keys, to say whether the rate is kept.
    Run.command(
            "create --format cassandra --encoding utf-8 --expected 100k -o %s %s", sstable, lines)
        .assertEnds(ExitCode.OK);
    ForeignFilter expected = ForeignFormat.named(version).create(100_000, 0.01);
    for (int i = 0; i < 300; i++) {
      expected.put(Integer.toString(i), ItemEncoding.utf8());
    }
    assertArrayEquals(expected.toBytes(), Files.readAllBytes(sstable));
    Run run = Run.command("check -c --format cassandra --encoding utf-8 %s %s", sstable, lines);
    assertEquals("300\n", run.out(), run::err);
    assertEquals("", run.err());
    Run.piped("more\n", "add --format cassandra --encoding utf-8 %s", sstable)
        .assertEnds(ExitCode.OK);
    run = Run.command("info --format cassandra %s", sstable);
    assertTrue(run.out().contains(version + "\n"), run::out);
    Run.command("merge --format cassandra -o %s %s %s", file, sstable, sstable)
        .assertEnds(ExitCode.OK);
    for (String other : List.of("ic-1-Filter.db", "1-big-Filter.db", "nb-1-big-Data.db")) {
      Path renamed = folder.resolve(other);
      Files.copy(sstable, renamed, StandardCopyOption.REPLACE_EXISTING);
      assertFails(
          ExitCode.USAGE,
          "name the version, as in --format cassandra-4",
          Run.command("check --format cassandra --encoding utf-8 %s %s", renamed, lines));
    }
  }

  @Test
  void aColumnOfAnIndexFileOfPaimonIsAsked() throws IOException {
    Path index = GOLDEN.resolve("paimon/file-of-two");
    String check = "check --format paimon --column %s --encoding %s %s";
    Run run = Run.piped("key-7\nkey-100000\n", check, "a", "utf-8", index);
    assertEquals("key-7\n", run.out(), run::err);
    Files.writeString(lines, numbers(5000, 5999));
    run = Run.command(check + " -c %s", "b", "hive-long", index, lines);
    assertTrue(Integer.parseInt(run.out().strip()) < 100, run::out);
    Path one = GOLDEN.resolve("paimon/file-of-one");
    run = Run.piped("key-7\n", check, "a", "utf-8", one);
    assertEquals("key-7\n", run.out(), run::err);
    assertFails(
        ExitCode.USAGE,
        "--column has no 'zzz'; it must be one of a, b",
        Run.command(check + " %s", "zzz", "utf-8", index, lines));
    assertFails(
        ExitCode.BAD_FILE,
        "has those of a, b; ask for one by",
        Run.command("check --format paimon --encoding utf-8 %s %s", index, lines));
    assertFails(
        ExitCode.BAD_FILE,
        "paimon: must begin with 347726",
        Run.command(check + " %s", "a", "utf-8", GOLDEN.resolve("paimon/long-n90"), lines));
  }

  @Test
  void aWholeParquetFileIsNoFilter() {
    Path parquet = GOLDEN.resolve("parquet-files/duckdb.parquet");
    for (ForeignFormat format : ForeignFormat.values()) {
      for (String command : List.of("info --format %s", "add --encoding bytes --format %s")) {
        assertFails(
            ExitCode.BAD_FILE,
            "is a whole Parquet file",
            Run.command(command + " %s", format, parquet));
      }
    }
  }

  @Test
  void aColumnOfAWholeParquetFileIsAsked() throws IOException {
    Path parquet = GOLDEN.resolve("parquet-files/duckdb.parquet"); // has 0 to 59, 1000 to 1059
    String check = "check --format parquet-file --column %s --encoding %s %s";
    Files.writeString(lines, numbers(30, 59) + numbers(1000, 1059));
    Run run = Run.command(check + " -c %s", "l", "long-le", parquet, lines);
    assertEquals("90\n", run.out(), run::err);
    run = Run.piped("key-1\nkey-1001\nx\n", check, "s", "utf-8", parquet);
    assertEquals("key-1\nkey-1001\n", run.out(), run::err);
    assertFails(
        ExitCode.USAGE,
        "column must be one of d, l, n, s, but was x",
        Run.command(check + " %s", "x", "utf-8", parquet, lines));
    assertFails(
        ExitCode.BAD_FILE,
        "must end with PAR1",
        Run.command(check + " %s", "s", "utf-8", lines, lines));
  }

  @Test
  void aWordThatIsNoNameIsAnsweredWithTheNearestOne() {
    for (ForeignFormat format : ForeignFormat.values()) {
      String id = format.id();
      String misspelt = id.substring(0, 2) + id.charAt(1) + id.substring(2);
      assertFails(
          ExitCode.USAGE,
          "--format has no '" + misspelt + "'; did you mean '" + id + "'?",
          Run.of("info", "--format", misspelt, file));
    }
    for (String name : LineEncoding.names()) {
      String misspelt = name + name.charAt(name.length() - 1);
      assertFails(
          ExitCode.USAGE,
          "did you mean '" + name + "'?",
          Run.command("check --format orc --encoding %s %s %s", misspelt, file, lines));
    }
    assertFails(
        ExitCode.USAGE,
        "it must be one of guava, guava-mitz32,",
        Run.of("info", "--format", "x", file));
    assertFails(
        ExitCode.USAGE,
        "with --encoding bytes --hex",
        Run.command("check --format cassandra-4 --encoding cassandra-composite %s", file));
  }

  @Test
  void everyEncodingOfTheLibraryHasItsNameHere() {
    List<String> names = KEYS.stream().map(keys -> keys.encoding.name()).toList();
    assertEquals(names, LineEncoding.names());
    for (String command : List.of("create", "add", "check")) {
      String help = Run.of(command, "--help").out().replaceAll("\\s+", " ");
      assertTrue(help.contains(String.join(", ", names)), help);
      assertTrue(help.contains("guava, guava-mitz32, guava-java,"), help);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "verify", "check", "add"})
  void aFilterOfOursIsNotTakenForAnothers(String command) throws IOException {
    Run.of("create", "-o", file, lines).assertEnds(ExitCode.OK);
    byte[] before = Files.readAllBytes(file);
    for (ForeignFormat format : ForeignFormat.values()) {
      Run run =
          Run.piped("x\n", "%s --format %s --encoding utf-8 %s", command, format, file)
              .assertEnds(ExitCode.BAD_FILE);
      String said = run.out() + run.err();
      assertTrue(said.contains("is a filter of Bloomery's own"), said);
      assertTrue(said.contains("leave out --format"), said);
    }
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"info", "verify", "check", "add"})
  void aFilterOfAnotherIsRefusedUnlessItsSystemIsNamed(String command) throws IOException {
    write(ForeignFormat.SPARK_V2);
    byte[] before = Files.readAllBytes(file);
    Run run = Run.withInput("x\n", command, file).assertEnds(ExitCode.BAD_FILE);
    String said = run.out() + run.err();
    assertTrue(said.contains("as in --format cassandra-4"), said);
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @ParameterizedTest
  @CsvSource({
    "create --encoding utf-8 -o FILE LINES, --encoding is for filters of other systems",
    "create --bits 64 --hashes 2 -o FILE LINES, are for filters of other systems",
    "create --format guava -o FILE LINES, needs --encoding too",
    "create --format guava --encoding utf-8 --variant standard -o FILE LINES, --variant and"
        + " --format",
    "create --format guava --encoding utf-8 --attribute a=b -o FILE LINES, --attribute and"
        + " --format",
    "create --format guava --encoding utf-8 --secret-file LINES -o FILE LINES, --secret-file and",
    "create --format guava --encoding utf-8 --bits 64 -o FILE LINES, --bits and --hashes must both",
    "create --format guava --encoding utf-8 --bits 64 --hashes 2 --fpp 0.1 -o FILE LINES, exclude",
    "create --format guava --encoding utf-8 --bits 64 --hashes 999 -o FILE LINES, at most 255",
    "create --format guava --encoding utf-8 --integer -o FILE LINES, say it by --encoding int-le",
    "create --format guava --encoding utf-16le --hex -o FILE LINES, make it --encoding bytes",
    "create --format guava --encoding long-le --hex -o FILE LINES, is of integers",
    "create --format guava --encoding long-le --ignore-case -o FILE LINES, is of integers",
    "create --format guava --encoding utf-8 -o FILE -, say it",
    "create --format hive-bloomk --encoding utf-8 -o FILE LINES, ask for 0.05",
    "create --format spark-v1 --encoding utf-8 --seed 5 -o FILE LINES, spark-v1 has no seed",
    "info --format guava --secret-file LINES LINES, --secret-file and --format",
    "verify --format guava --secret-file LINES LINES, --secret-file and --format",
    "merge --format guava --secret-file LINES -o FILE LINES, --secret-file and --format",
    "check --column a LINES LINES, --column NAME must be given with --format parquet-file",
    "check --format parquet-file --encoding utf-8 LINES LINES, --column NAME must be given with",
    "check --format guava --encoding utf-8 --column a LINES LINES, --column NAME must be given with",
    "check --format paimon --column a LINES LINES, needs --encoding too",
    "info --format cassandra LINES, --format cassandra needs names as Cassandra's",
    "create --format cassandra --encoding utf-8 -o FILE LINES, needs names as Cassandra's",
    "verify --format cassandra nb-1-big-Filter.db mc-1-big-Filter.db, must be of one version",
    "check --format parquet-file --column a LINES LINES, needs --encoding too",
    "info --format parquet-file LINES, is for 'bloomery check --column NAME' alone",
    "merge --format guava --fold -o FILE LINES, --fold and --format",
    "remove --format guava LINES LINES, unknown option '--format'",
  })
  void whatContradictsItselfIsRefused(String command, String part) {
    Object[] arguments =
        Arrays.stream(command.split(" "))
            .map(word -> word.equals("FILE") ? file : word.equals("LINES") ? lines : word)
            .toArray();
    assertFails(ExitCode.USAGE, part, Run.of(arguments));
    assertFalse(Files.exists(file));
  }

  @ParameterizedTest
  @CsvSource({
    "int-le, 4294967296, to 4294967295",
    "int-be, -2147483649, from -2147483648",
    "long-be, 18446744073709551616, a key must be an integer",
    "uuid, 1-2-3-4-5, a key must be a UUID",
    "utf-16le, \u00ff, a key must be text in UTF-8",
  })
  void aLineThatCannotBeAKeyIsNamedAndNothingIsSaved(String encoding, String line, String part)
      throws IOException {
    ForeignFormat.GUAVA.create(10, 0.01).write(file);
    byte[] before = Files.readAllBytes(file);
    for (String command : List.of("add", "check")) {
      Run run =
          Run.piped(line + "\n", "%s --format guava --encoding %s %s", command, encoding, file);
      assertFails(ExitCode.BAD_FILE, "the standard input: line 1: ", run);
      assertTrue(run.err().contains(part), run::err);
    }
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  @Test
  void keysAreTakenFromColumnsAndBytesInHex() throws IOException {
    Files.writeString(lines, "id;name\n7;ff00\n");
    Run.command(
            "create --format cassandra-4 --encoding bytes --hex --csv name --delimiter ; -o %s %s",
            file, lines)
        .assertEnds(ExitCode.OK);
    assertTrue(
        ForeignFormat.CASSANDRA_4
            .read(file)
            .view(ItemEncoding.bytes())
            .mightContain(new byte[] {-1, 0}));
    Run.piped(
            "123E4567-e89b-12d3-a456-426614174000\n",
            "add --format cassandra-4 --encoding uuid %s",
            file)
        .assertEnds(ExitCode.OK);
    assertTrue(
        ForeignFormat.CASSANDRA_4
            .read(file)
            .view(ItemEncoding.uuids())
            .mightContain(UUID.fromString("123e4567-e89b-12d3-a456-426614174000")));
  }

  @Test
  void whoeverAddsTakesTurns() throws Exception {
    write(ForeignFormat.DCSO);
    try (ForeignUpdate update = ForeignFormat.DCSO.update(file, Duration.ZERO)) {
      update.filter().put("y", ItemEncoding.utf8());
      Run.piped("x\n", "add --wait 0 --format dcso --encoding utf-8 %s", file)
          .assertEnds(ExitCode.BAD_FILE, "must not be changed by another", "waiting for");
      update.save();
    }
    Run.piped("x\n", "add --wait 0 --format dcso --encoding utf-8 %s", file)
        .assertEnds(ExitCode.OK);
    Run both = Run.piped("x\ny\n", "check -c --format dcso --encoding utf-8 %s", file);
    assertEquals("2\n", both.out());
  }

  @Test
  void whoeverTakesTooManyKeysIsTold() {
    Run run =
        Run.command(
                "create --format guava --encoding int-le --expected 10 --json -o %s %s",
                file, lines)
            .assertEnds(ExitCode.OUTGROWN);
    assertTrue(run.out().contains("\"outgrown\": true"), run::out);
    assertTrue(run.err().contains("warning: "), run::err);
    Run full =
        Run.command(
            "create --force --format redisbloom --expansion 0 --encoding utf-8 --expected 10 -o %s %s",
            file, lines);
    assertFails(ExitCode.USAGE, "was not saved: the filter must not grow", full);
    Run.command(
            "create --force --format redisbloom --encoding utf-8 --expected 10 -o %s %s",
            file, lines)
        .assertEnds(ExitCode.OK);
  }

  @Test
  void ownNumbersMakeTheTable() throws IOException {
    Run.command(
            "create --format bits-and-blooms --encoding utf-8 --bits 1000 --hashes 4 -o %s %s",
            file, lines)
        .assertEnds(ExitCode.OK);
    assertEquals(
        "bits-and-blooms: 4 hash functions, 1000 bits, a set of 1000",
        ForeignFormat.BITS_AND_BLOOMS.read(file).layout());
  }

  @Test
  void thePageNamesAllFormatsAndEncodingsAndWhatConverts() throws IOException {
    String page = Files.readString(Path.of("../docs/interop.md"));
    for (String name : LineEncoding.names()) {
      assertTrue(page.contains("| `" + name + "`") || page.contains(", `" + name + "` |"), name);
    }
    String heading = "## Which converts into which\n\n";
    String list = page.substring(page.indexOf(heading) + heading.length()).split("\\.( |\n)", 2)[0];
    for (ForeignFormat format : ForeignFormat.values()) {
      assertTrue(page.contains("`" + format.id() + "`"), format::id);
      ForeignFilter filter = format.create(10, Double.parseDouble(rate(format)));
      for (ForeignFormat other : ForeignFormat.values()) {
        boolean isListed =
            Arrays.stream(list.split(";"))
                .anyMatch(
                    group ->
                        group.contains("`" + format.id() + "`")
                            && group.contains("`" + other.id() + "`"));
        assertEquals(isListed || format == other, converts(filter, other), format + ", " + other);
      }
    }
  }

  private static boolean converts(ForeignFilter filter, ForeignFormat other) {
    try {
      return filter.as(other).format() == other;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Test
  void aFileThatItsSystemWroteIsAsked() {
    Path golden = GOLDEN.resolve("cassandra5/new-text-n1000-fpp01.db");
    String members =
        IntStream.range(0, 1000).mapToObj(i -> "key-" + i + "\n").collect(Collectors.joining());
    String absent =
        IntStream.range(0, 1000).mapToObj(i -> "absent-" + i + "\n").collect(Collectors.joining());
    Object[] check = {"check", "-c", "--format", "cassandra-4", "--encoding", "utf-8", golden};
    assertEquals("1000\n", Run.withInput(members, check).out());
    assertTrue(Integer.parseInt(Run.withInput(absent, check).out().strip()) < 30);
  }

  /** What is stated is what drawn keys find, and is said before anybody relies on the filter. */
  @ParameterizedTest
  @CsvSource({
    "guava, 1, 1e-7, will",
    "redisbloom, 5, 1e-4, will",
    "cassandra-4, 5, 1e-4, will",
    "guava, 3000, 1e-7, may",
    "guava, 1000000, 0.01, ''",
    "parquet, 5, 0.01, ''"
  })
  void aRateThatTheSystemDoesNotKeepIsSaid(String format, long keys, String rate, String word)
      throws IOException {
    Path one = Files.writeString(folder.resolve("one"), "key\n");
    Run run =
        Run.command(
                "create --format %s --encoding utf-8 --expected %s --fpp %s -o %s %s",
                format, keys, rate, file, one)
            .assertEnds(ExitCode.OK);
    assertEquals(
        !word.isEmpty(), run.err().contains(format + " " + word + " not keep a rate of"), run::err);
    assertEquals(word.isEmpty() ? 1 : 2, run.err().lines().count(), run::err);
    if (word.equals("will")) {
      Run info = Run.of("info", "--format", format, file);
      assertTrue(info.out().contains("if positions were independent"), info::out);
    }
  }
}
