package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.Bloomery;
import io.bloomery.cli.Main;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardOutput;
import io.bloomery.cli.session.Terminal;
import io.bloomery.file.FilterFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs commands in the current folder, where there are small files of each kind: an argument per
 * line, and an empty line between commands.
 */
public final class RunCommand {

  private static final Path FOLDER = Path.of("");
  private static final byte[] LINES = "a\nb\na\n".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST = 3;
  // They try keys for minutes: their arguments are read, and refused.
  private static final Set<String> LONG = Set.of("compare", "conformance", "demo");
  private static final Set<String> READERS = Set.of("check", "info", "overlap", "size");
  // They may be written to until a line is malformed.
  private static final String LIVE = "live.bloom";

  private static final Set<String> OTHERS = Set.copyOf(files().keySet());
  private static final Map<String, byte[]> FILES = make();

  private RunCommand() {}

  /** What a command did. */
  private record Run(int exitCode, String said, int printed) {}

  private static Map<String, byte[]> make() {
    Map<String, String> tables =
        Map.of(
            "keys.txt", "a\nb\nc\n",
            "table.csv", "a,1\n\"b\",2\n\"c;\n\",\"3\"\"\"\n",
            "table.tsv", "a\t1\nb\t2\nd\t3\n");
    Map<String, String> commands =
        Map.of(
            "plain.bloom",
            "create -q -o plain.bloom --expected 100 keys.txt",
            "fold.bloom",
            "create -q -o fold.bloom --foldable --expected 100 keys.txt",
            "count.bloom",
            "create -q -o count.bloom --variant counting --expected 100 keys.txt",
            "grow.bloom",
            "create -q -o grow.bloom --variant scalable --expected 2 keys.txt",
            "fuse.bloom",
            "create -q -o fuse.bloom --variant fuse keys.txt",
            LIVE,
            "create -q -o live.bloom --live --expected 100 keys.txt",
            "other.guava",
            "create -q -o other.guava --format guava --encoding utf-8 --expected 9 keys.txt",
            "last.window",
            "dedupe -q --state last.window --window 10 keys.txt");
    try {
      for (Map.Entry<String, String> table : tables.entrySet()) {
        Files.writeString(Path.of(table.getKey()), table.getValue());
      }
      for (Map.Entry<String, String> command : commands.entrySet()) {
        Files.deleteIfExists(Path.of(command.getKey())); // as an earlier run ended between
        Run run = run(List.of(command.getValue().split(" ", -1)));
        require(run.exitCode == ExitCode.OK, command.getValue() + ": " + run.said);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, byte[]> made = files();
    made.keySet().removeIf(name -> !tables.containsKey(name) && !commands.containsKey(name));
    return made;
  }

  /** Runs the commands of an input, unless they could reach beyond the folder. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    String text = new String(input, StandardCharsets.UTF_8);
    if (text.indexOf('/') >= 0 || text.indexOf('\\') >= 0 || text.contains("..")) {
      return;
    }
    try {
      for (String command : text.split("\n\n", MOST)) {
        tried(new ArrayList<>(List.of(command.split("\n", -1))));
      }
    } finally {
      restore();
    }
  }

  private static void tried(List<String> arguments) throws IOException {
    if (arguments.stream().anyMatch(LONG::contains)) {
      arguments.add("--no-such-option");
    }
    Map<String, byte[]> before = files();
    Run run = run(arguments);
    int exitCode = run.exitCode;
    require(exitCode >= 0 && exitCode <= ExitCode.OPEN, exitCode + " is no exit code: " + run.said);
    require(run.said.chars().noneMatch(c -> c == 0x1b), "nothing must control a terminal");
    boolean failed = exitCode == ExitCode.USAGE || exitCode == ExitCode.BAD_FILE;
    require(!failed || !run.said.isEmpty() || run.printed > 0, "a failure must be said");
    Map<String, byte[]> after = files();
    Set<String> names = after.keySet();
    for (String name : names) {
      byte[] content = after.get(name);
      boolean isSame = before.containsKey(name) && Trial.areEqual(content, before.get(name));
      require(
          isSame || !failed || name.equals(LIVE),
          "what is refused must not make or change " + name);
      require(
          isSame || !READERS.contains(arguments.get(0)), "what only reads must not change " + name);
      if (!isSame && !failed && Seal.isEnvelope(content)) {
        require(
            FilterFiles.installed().verify(Path.of(name)).isSound(),
            "what was written must be sound, but is not: " + name);
      }
    }
    require(!failed || names.containsAll(before.keySet()), "what is refused must remove nothing");
  }

  private static Run run(List<String> arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Session session =
        new Session(
            new ByteArrayInputStream(LINES),
            new StandardOutput(out),
            new PrintStream(err, true, Session.CHARSET),
            Terminal.NONE,
            Bloomery::installed);
    int exitCode = Main.run(session, arguments.toArray(new String[0]));
    return new Run(exitCode, err.toString(Session.CHARSET), out.size());
  }

  /** Returns the content of each file of the folder. */
  private static Map<String, byte[]> files() {
    Map<String, byte[]> files = new TreeMap<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(FOLDER)) {
      for (Path file : found) {
        if (Files.isRegularFile(file)) {
          files.put(file.toString(), Files.readAllBytes(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private static void restore() throws IOException {
    Map<String, byte[]> left = files();
    for (String name : left.keySet()) {
      if (!FILES.containsKey(name) && !OTHERS.contains(name)) {
        Files.delete(Path.of(name));
      }
    }
    for (Map.Entry<String, byte[]> file : FILES.entrySet()) {
      byte[] now = left.get(file.getKey());
      if (now == null || !Trial.areEqual(file.getValue(), now)) {
        Files.write(Path.of(file.getKey()), file.getValue());
      }
    }
  }
}
