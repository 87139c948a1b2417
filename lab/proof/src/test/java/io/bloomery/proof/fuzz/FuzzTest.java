package io.bloomery.proof.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.interop.ForeignFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jazzer finds no input that a target throws at. All turns together take the seconds of {@code
 * bloomery.fuzz.seconds}, or an hour. With {@code bloomery.record=true} what takes new paths is
 * kept in the {@link Corpus}, which {@link CorpusTest} runs again.
 */
final class FuzzTest {

  private static final int SECONDS = Integer.getInteger("bloomery.fuzz.seconds", 3600);
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Path FUZZ = Path.of("target", "fuzz").toAbsolutePath();
  private static final Path GOLDEN = ROOT.resolve("docs/golden");
  private static final Path FOREIGN = ROOT.resolve("interop/src/test/resources/golden");
  private static final Pattern COMMAND = Pattern.compile("bloomery ([^|>#<\n]+)");
  private static final Pattern STATUS =
      Pattern.compile(
          "#(\\d+)\\s+(?:INITED|DONE|pulse|NEW|REDUCE|RELOAD).* cov: (\\d+) ft: (\\d+) corp: (\\d+)/(\\S+)");

  /**
   * One turn of a target.
   *
   * @param format that of {@link ReadForeign}, or empty
   * @param seeds folders of files to begin with
   */
  private record Turn(Class<?> target, Optional<ForeignFormat> format, List<Path> seeds) {
    @Override
    public String toString() {
      return target.getSimpleName() + format.map(found -> "-" + found).orElse("");
    }
  }

  private static Turn turn(Class<?> target, Path... seeds) {
    return new Turn(target, Optional.empty(), List.of(seeds));
  }

  static Stream<Turn> turns() throws IOException {
    Path filters = GOLDEN.resolve("version-1");
    List<Turn> turns =
        new ArrayList<>(
            List.of(
                turn(ReadFilter.class, filters),
                turn(MapFilter.class, filters),
                turn(OpenLive.class, condensed("live-version-1")),
                turn(OpenWindow.class, GOLDEN.resolve("window-version-1")),
                turn(OpenLiveWindow.class, condensed("live-window-version-1")),
                turn(OpenShards.class, joined("shards-version-1")),
                turn(ReadTable.class, tables()),
                turn(
                    ReadColumns.class,
                    FOREIGN.resolve("parquet-files"),
                    footers(),
                    FOREIGN.resolve("paimon")),
                turn(RunCommand.class, commands())));
    List<Path> foreign;
    try (Stream<Path> files = Files.walk(FOREIGN)) {
      foreign = files.filter(Files::isDirectory).toList();
    }
    for (ForeignFormat format : ForeignFormat.values()) {
      turns.add(new Turn(ReadForeign.class, Optional.of(format), foreign));
    }
    return turns.stream();
  }

  /** Returns a folder of the {@link Sparse} inputs of golden files. */
  private static Path condensed(String golden) throws IOException {
    Path folder = Files.createDirectories(FUZZ.resolve("seeds").resolve(golden));
    for (Path file : files(golden)) {
      Files.write(folder.resolve(file.getFileName()), Sparse.condense(Files.readAllBytes(file)));
    }
    return folder;
  }

  /** Returns a folder of one input: a manifest and the shards that it names. */
  private static Path joined(String golden) throws IOException {
    Path folder = Files.createDirectories(FUZZ.resolve("seeds").resolve(golden));
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    List<Path> files = files(golden);
    joined.writeBytes(Files.readAllBytes(files.get(files.size() - 1)));
    for (Path shard : files.subList(0, files.size() - 1)) {
      joined.writeBytes(Files.readAllBytes(shard));
    }
    Files.write(folder.resolve("shards"), joined.toByteArray());
    return folder;
  }

  /** Returns a folder of small tables, of each container with each syntax of keys. */
  private static Path tables() throws IOException {
    Path folder = Files.createDirectories(FUZZ.resolve("seeds").resolve("tables"));
    for (int options = 0; options < 128; options += 5) {
      for (int key = 0; key < 8; key++) {
        String table =
            options % 2 == 1
                ? "a,b,c\n1,\"x;\n\"\"y\",3\r\n\n2;5;\"q\"\n\"00ff\",YWI=,z"
                : "a\tb\tc\n1\t2\t3\r\n\n00ff\tYWI=\tz";
        String input = "" + (char) options + (char) key + (char) (options % 8) + table;
        Files.write(folder.resolve(options + "-" + key), input.getBytes(US_ASCII));
      }
    }
    return folder;
  }

  /**
   * Returns a folder of the commands of the cookbook, an argument per line, with the files that
   * {@link RunCommand} has, alone and after one that makes a filter.
   */
  private static Path commands() throws IOException {
    Path folder = Files.createDirectories(FUZZ.resolve("seeds").resolve("commands"));
    Matcher command = COMMAND.matcher(Files.readString(ROOT.resolve("docs/cookbook.md")));
    for (int i = 0; command.find(); i++) {
      String arguments =
          command
              .group(1)
              .strip()
              .replaceAll("-o [a-z]+\\.bloom", "-o new.bloom")
              .replaceAll("(?<!-o )\\b[a-z]+\\.bloom(\\.new)?", "plain.bloom")
              .replaceAll("\\b[a-z]+\\.txt", "keys.txt")
              .replaceAll("\\b[a-z]+\\.csv(\\.gz)?", "table.csv")
              .replaceAll("\\b[a-z]+\\.guava", "other.guava")
              .replaceAll(" +", "\n");
      Files.writeString(folder.resolve("command-" + i), arguments);
    }
    for (String variant : List.of("plain", "fold", "count", "grow", "fuse", "live")) {
      for (String name : List.of("add", "remove", "check", "info", "verify", "shrink")) {
        String file = variant + ".bloom";
        String arguments = name + "\n" + file + "\n\ncheck\n-v\n" + file + "\nkeys.txt";
        Files.writeString(folder.resolve(name + "-" + variant), arguments);
      }
      Files.writeString(
          folder.resolve("overlap-" + variant), "overlap\nplain.bloom\n" + variant + ".bloom");
      Files.writeString(
          folder.resolve("merge-" + variant),
          "merge\n-o\nnew.bloom\nfold.bloom\n" + variant + ".bloom");
    }
    Files.writeString(folder.resolve("window"), "dedupe\n--state\nlast.window\ntable.tsv");
    return folder;
  }

  /** Returns a file of the words of commands, as libFuzzer reads it. */
  private static Path dictionary() throws IOException {
    Path file = Files.createDirectories(FUZZ.resolve("seeds")).resolve("words.dict");
    String page = Files.readString(ROOT.resolve("docs/command.md"));
    Set<String> words = new TreeSet<>();
    Pattern.compile("(?<![-\\w])--?[a-z][-a-z]*")
        .matcher(page)
        .results()
        .forEach(option -> words.add(option.group()));
    Pattern.compile("`([a-z][-a-z]+)`")
        .matcher(page)
        .results()
        .forEach(word -> words.add(word.group(1)));
    List.of("plain", "fold", "count", "grow", "fuse", "live", "new")
        .forEach(name -> words.add(name + ".bloom"));
    words.addAll(List.of("keys.txt", "table.csv", "table.tsv", "other.guava", "last.window"));
    Files.write(file, words.stream().map(word -> "\"\\x0a" + word + "\"").toList());
    return file;
  }

  /** Returns a folder of the footers of the Parquet files, which mutants of a file would break. */
  private static Path footers() throws IOException {
    Path folder = Files.createDirectories(FUZZ.resolve("seeds").resolve("footers"));
    try (var files = Files.newDirectoryStream(FOREIGN.resolve("parquet-files"))) {
      for (Path file : files) {
        byte[] all = Files.readAllBytes(file);
        int end = all.length - 8;
        int length = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN).getInt(end);
        Files.write(folder.resolve(file.getFileName()), Arrays.copyOfRange(all, end - length, end));
      }
    }
    return folder;
  }

  private static List<Path> files(String golden) throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN.resolve(golden))) {
      return files.sorted().toList();
    }
  }

  @BeforeAll
  static void printHeader() {
    System.out.printf(
        "%-34s %12s %8s %8s %8s%n", "target", "runs", "coverage", "corpus", "findings");
  }

  @ParameterizedTest
  @MethodSource("turns")
  void noInputBreaksAPromise(Turn turn) throws IOException, InterruptedException {
    Path folder = FUZZ.resolve(turn.toString());
    Path corpus = Files.createDirectories(folder.resolve("corpus"));
    Path log = folder.resolve("log.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    turn.format().ifPresent(format -> command.add("-D" + ReadForeign.PROPERTY + "=" + format));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + turn.target().getName(),
            "--instrumentation_includes=io.bloomery.**:de.siegmar.**",
            "-max_total_time=" + Math.max(1, SECONDS / turns().count()), // 0 is without an end
            "-max_len=8192",
            "-timeout=60",
            "-artifact_prefix=" + folder + "/",
            corpus.toString()));
    if (turn.target() == RunCommand.class) {
      command.add("-dict=" + dictionary());
    }
    command.add(kept(turn).toString());
    turn.seeds().forEach(seeds -> command.add(seeds.toString()));
    int exitCode =
        new ProcessBuilder(command)
            .directory(Files.createDirectories(folder.resolve("work")).toFile())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()))
            .start()
            .waitFor();
    String printed = Files.readString(log);
    Matcher status = STATUS.matcher(printed);
    String row = "did not run";
    while (status.find()) {
      row =
          String.format(
              "%,12d %8s %8s", Long.parseLong(status.group(1)), status.group(2), status.group(4));
    }
    System.out.printf("%-34s %s %8d%n", turn, row, exitCode == 0 ? 0 : 1);
    assertEquals(0, exitCode, () -> printed);
    if (Boolean.getBoolean("bloomery.record")) {
      Corpus.keep(turn.target(), corpus);
    }
  }

  /** Returns a folder of the kept inputs of a target. */
  private static Path kept(Turn turn) throws IOException {
    Path folder = Files.createDirectories(FUZZ.resolve("seeds").resolve("kept-" + turn));
    int inputs = 0;
    for (byte[] input : Corpus.of(turn.target())) {
      Files.write(folder.resolve("kept-" + inputs++), input);
    }
    return folder;
  }
}
