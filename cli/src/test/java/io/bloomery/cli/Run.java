package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardOutput;
import io.bloomery.cli.session.Terminal;
import io.bloomery.standard.StandardProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The result of one command, run in this JVM, or of a line, run by a {@link Shell}.
 *
 * @param exitCode the exit code that the shell would get
 * @param out the standard output, each byte as one char
 * @param err the standard error
 */
public record Run(int exitCode, String out, String err) {

  /** Runs a command; an argument that is an array is several. */
  public static Run of(Object... arguments) {
    return withInput("", arguments);
  }

  /** Runs a line as a user types it; each {@code %s} is one value, whatever characters it has. */
  public static Run command(String line, Object... values) {
    return piped("", line, values);
  }

  /** Runs a line with a standard input. */
  public static Run piped(String input, String line, Object... values) {
    Iterator<Object> next = List.of(values).iterator();
    Object[] words =
        Stream.of(line.split(" +"))
            .map(word -> word.contains("%s") ? word.replace("%s", next.next().toString()) : word)
            .toArray();
    return withInput(input, words);
  }

  public static Run withInput(String input, Object... arguments) {
    return reading(stream(input), arguments);
  }

  public static Run reading(InputStream in, Object... arguments) {
    return with(in, Bloomery::installed, arguments);
  }

  private static InputStream stream(String input) {
    return new ByteArrayInputStream(input.getBytes(StandardCharsets.ISO_8859_1));
  }

  /**
   * Runs a line where one variant is installed, of which a command that tries all tries no more.
   */
  public static Run ofStandard(String input, Object... arguments) {
    return with(stream(input), () -> Bloomery.with(new StandardProvider()), arguments);
  }

  public static Run with(InputStream in, Supplier<Bloomery> installed, Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Run run = into(out, in, installed, arguments);
    return new Run(run.exitCode, out.toString(StandardCharsets.ISO_8859_1), run.err);
  }

  public static Run into(
      OutputStream out, InputStream in, Supplier<Bloomery> installed, Object... arguments) {
    return into(new StandardOutput(out), in, installed, arguments);
  }

  public static Run into(
      StandardOutput out, InputStream in, Supplier<Bloomery> installed, Object... arguments) {
    return into(out, in, Terminal.NONE, installed, arguments);
  }

  /** Runs a command whose standard error a terminal shows. */
  public static Run watched(Terminal terminal, Bloomery installed, Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StandardOutput output = new StandardOutput(out);
    Run run = into(output, stream(""), terminal, () -> installed, arguments);
    return new Run(run.exitCode, out.toString(StandardCharsets.ISO_8859_1), run.err);
  }

  private static Run into(
      StandardOutput out,
      InputStream in,
      Terminal terminal,
      Supplier<Bloomery> installed,
      Object... arguments) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    Session session = new Session(in, out, errors, terminal, installed);
    int exitCode = Main.run(session, words(arguments).toArray(String[]::new));
    return new Run(exitCode, "", err.toString(StandardCharsets.UTF_8));
  }

  /** Checks the exit code, and that each part is in the standard error. */
  public Run assertEnds(int exitCode, String... said) {
    assertEquals(exitCode, this.exitCode, this::toString);
    for (String part : said) {
      assertTrue(err.contains(part), () -> "'" + part + "' in " + err);
    }
    return this;
  }

  /** Returns the first object of what was printed. */
  public Map<String, Object> json() throws IOException {
    return JsonObjects.parse(out).get(0);
  }

  /** Checks that a command prints nothing but an error. */
  public static void assertFails(int exitCode, String message, Run run) {
    assertEquals("bloomery: " + message + "\n", run.err());
    assertEquals(exitCode, run.exitCode());
    assertEquals("", run.out());
  }

  private static Stream<String> words(Object... arguments) {
    return Stream.of(arguments)
        .flatMap(each -> each instanceof Object[] some ? words(some) : Stream.of(each.toString()));
  }
}
