package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.Bloomery;
import io.bloomery.cli.Main;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardOutput;
import io.bloomery.cli.session.Terminal;
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
import java.util.Set;
import java.util.TreeSet;

/** Runs a command in the current folder: an argument per line. */
public final class RunCommand {

  private static final Path FOLDER = Path.of("");
  private static final Set<Path> BEFORE = files();
  private static final byte[] LINES = "a\nb\na\n".getBytes(StandardCharsets.US_ASCII);
  // They try keys for minutes: their arguments are read, and refused.
  private static final Set<String> LONG = Set.of("compare", "conformance", "demo");

  private RunCommand() {}

  /** Runs the command of an input, unless it could reach beyond the folder. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    String text = new String(input, StandardCharsets.UTF_8);
    if (text.indexOf('/') >= 0 || text.indexOf('\\') >= 0 || text.contains("..")) {
      return;
    }
    List<String> arguments = new ArrayList<>(List.of(text.split("\n", -1)));
    if (arguments.stream().anyMatch(LONG::contains)) {
      arguments.add("--no-such-option");
    }
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
    String said = err.toString(Session.CHARSET);
    require(exitCode >= 0 && exitCode <= ExitCode.OPEN, exitCode + " is no exit code: " + said);
    require(said.chars().noneMatch(c -> c == 0x1b), "nothing must control a terminal");
    boolean failed = exitCode == ExitCode.USAGE || exitCode == ExitCode.BAD_FILE;
    require(!failed || !said.isEmpty() || out.size() > 0, "a failure must be said");
    Set<Path> left = files();
    left.removeAll(BEFORE);
    try {
      require(!failed || left.isEmpty(), "what is refused must leave nothing, not " + left);
    } finally {
      for (Path file : left) {
        Files.delete(file);
      }
    }
  }

  private static Set<Path> files() {
    Set<Path> files = new TreeSet<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(FOLDER)) {
      for (Path file : found) {
        if (Files.isRegularFile(file)) {
          files.add(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }
}
