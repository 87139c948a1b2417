package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.VisibleText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Checks that, except for data, no output contains characters from elsewhere that a terminal would
 * interpret.
 */
class NoControlTest {

  private static final int TRIES = 15;

  private static Path folder;
  private static Path filter;

  @BeforeContainer
  static void makeFolder() throws Exception {
    folder = Files.createTempDirectory("no-control");
    filter = folder.resolve("plain.bloom");
    Run.piped("k\nm\n", "create -o %s -q --fpp 1e-9", filter).assertEnds(ExitCode.OK);
  }

  @AfterContainer
  static void deleteFolder() throws Exception {
    Files.delete(filter);
    Files.delete(folder);
  }

  /** Text with at least one character that a terminal interprets. */
  @Provide
  Arbitrary<String> hostile() {
    Arbitrary<String> obeyed =
        Arbitraries.integers()
            .between(1, 0x2069)
            .filter(c -> VisibleText.isObeyed(c))
            .map(Character::toString);
    Arbitrary<String> any = Arbitraries.strings().withChars("a\\ \u00fc\u20ac\"'%").ofMaxLength(4);
    return obeyed.flatMap(c -> any.flatMap(a -> any.map(b -> a + c + b)));
  }

  /** The same with characters that are allowed in file names wherever tests run. */
  @Provide
  Arbitrary<String> hostileName() {
    Arbitrary<String> obeyed =
        Arbitraries.integers()
            .between(1, 0x7f)
            .filter(VisibleText::isObeyed)
            .map(Character::toString);
    Arbitrary<String> any = Arbitraries.strings().withChars("a\\ '%").ofMaxLength(4);
    return obeyed.flatMap(c -> any.flatMap(a -> any.map(b -> a + c + b)));
  }

  private static void assertObeysNothing(String what, String text, int lines) {
    assertTrue(
        text.codePoints().allMatch(c -> c == '\n' || c == '\t' || !VisibleText.isObeyed(c)),
        what + ": " + VisibleText.lines(text));
    assertEquals(lines, text.lines().count(), what + ": " + text);
  }

  /** Each byte was one char; a terminal reads them as UTF-8. */
  private static String out(Run run) {
    return new String(run.out().getBytes(StandardCharsets.ISO_8859_1), Session.CHARSET);
  }

  @Property(tries = TRIES, seed = "1")
  void whatIsWrongWithAnArgumentIsOneLine(@ForAll("hostile") String text) {
    for (List<Object> arguments :
        List.<List<Object>>of(
            List.of("--" + text),
            List.of(text),
            List.of("create", "-o", "x", "--fpp", text),
            List.of("create", "-o", "x", "--expected", text),
            List.of("create", "-o", folder.resolve("x"), "--variant", text),
            List.of("create", "-o", folder.resolve("x"), "--attribute", text),
            List.of("create", "-o", folder.resolve("x"), "--attribute", text + "=b"),
            List.of("size", "--keys", "1", text),
            List.of("size", "--keys", "1", "--" + text),
            List.of("conformance", "--rule", text),
            List.of("conformance", "--tier", text))) {
      assertWrongUsageIsOneLine(arguments);
    }
  }

  /** Fewer, because each starts a JVM. */
  @Property(tries = 3, seed = "1")
  void aVariantThatIsNotInstalledIsOneLine(@ForAll("hostile") String text) {
    assertWrongUsageIsOneLine(List.of("conformance", "--provider", text));
  }

  private static void assertWrongUsageIsOneLine(List<Object> arguments) {
    Run run = Run.of(arguments.toArray());
    assertEquals(ExitCode.USAGE, run.exitCode(), arguments + run.err());
    assertObeysNothing(arguments.get(0) + "", run.err(), 1);
    assertEquals("", run.out());
  }

  @Property(tries = TRIES, seed = "1")
  void namesOfColumnsAndKeysAreOneLineInMessages(@ForAll("hostile") String text) {
    String quoted = '"' + text.replace("\"", "\"\"") + '"';
    String table =
        new String(
            (quoted + "," + quoted + ",c\n" + quoted + ",1,1\n").getBytes(StandardCharsets.UTF_8),
            StandardCharsets.ISO_8859_1);
    for (List<Object> arguments :
        List.<List<Object>>of(
            List.of("dedupe", "--csv", "d"),
            List.of("dedupe", "--csv", text + "d"),
            List.of("dedupe", "--csv", text),
            List.of("dedupe", "--csv", "1", "--header", "--integer"),
            List.of("dedupe", "--csv", "1", "--header", "--hex"),
            List.of("dedupe", "--csv", "1", "--header", "--base64"),
            List.of("dedupe", "--csv", "9", "--header"))) {
      Run run = Run.withInput(table, arguments.toArray());
      assertEquals(ExitCode.BAD_FILE, run.exitCode(), arguments + run.err());
      assertObeysNothing(arguments + "", run.err(), 1);
    }
  }

  @Property(tries = TRIES, seed = "1")
  void namesOfFilesAreOneLineWhateverIsSaidOfThem(@ForAll("hostileName") String name)
      throws Exception {
    Path file = folder.resolve(name);
    Path missing = folder.resolve("no" + name);
    for (List<Object> arguments :
        List.<List<Object>>of(
            List.of("create", "-o", file, filter),
            List.of("info", file),
            List.of("verify", file, filter),
            List.of("overlap", file, filter),
            List.of("check", file, filter),
            List.of("add", file, filter),
            List.of("remove", file),
            List.of("merge", "--force", "-o", file, file, filter),
            List.of("merge", "--force", "-o", file, file, filter, missing),
            List.of("plot", file),
            List.of("plot", "--force", "--keys", "10", "-o", folder.resolve(name + ".png")),
            List.of("info", missing),
            List.of("verify", missing),
            List.of("check", filter, missing),
            List.of("check", "--debug", missing),
            List.of("create", "-o", folder.resolve(name + "/x"), filter),
            List.of("demo", "--keys", missing),
            List.of("conformance", "--path", missing))) {
      Run run = Run.of(arguments.toArray());
      String out = out(run);
      assertObeysNothing(arguments + " says", run.err(), (int) run.err().lines().count());
      if (!arguments.contains("--debug")) {
        assertTrue(run.err().lines().count() <= 1, run.err());
      }
      if (!arguments.get(0).equals("check")) {
        assertObeysNothing(arguments + " prints", out, (int) out.lines().count());
      }
      if (arguments.get(0).equals("verify")) {
        assertEquals(arguments.size() - 1, out.lines().count(), out);
      }
    }
    Files.deleteIfExists(folder.resolve(name + ".png"));
    Files.deleteIfExists(file);
  }

  @Property(tries = TRIES, seed = "1")
  void whatAFilterSaysOfItselfIsOneLineEach(@ForAll("hostile") String text) throws Exception {
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      return; // No filter has such an attribute.
    }
    Path file = folder.resolve("attribute.bloom");
    Run.piped("a\n", "create -o %s --attribute %s", file, "a=" + text).assertEnds(ExitCode.OK);
    String out = out(Run.of("info", file));
    assertTrue(out.contains("\n  attribute        a=" + VisibleText.line(text) + "\n"), out);
    assertObeysNothing("info", out, (int) out.lines().count());
    Files.delete(file);
  }

  @Property(tries = TRIES, seed = "1")
  void jsonEscapesThemAndProgramsReadTheSame(@ForAll("hostile") String text) throws Exception {
    String line = text.replace("\n", "").replace("\r", "");
    InputStream in = new ByteArrayInputStream((line + "\n").getBytes(StandardCharsets.UTF_8));
    Run run = Run.reading(in, "check", "-v", "--json", filter);
    String out =
        new String(run.out().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    assertFalse(
        out.codePoints().anyMatch(c -> c != '\n' && VisibleText.isObeyed(c)),
        VisibleText.lines(out));
    assertEquals(line, JsonObjects.parse(out).get(0).get("text"));
  }

  @Property(tries = TRIES, seed = "1")
  void dataStaysAsItIsToTheByte(@ForAll("hostile") String text) throws Exception {
    byte[] lines =
        (text.replace("\n", "").replace("\r", "") + "\n").getBytes(StandardCharsets.UTF_8);
    for (String[] arguments : new String[][] {{"dedupe"}, {"check", "-v", filter.toString()}}) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Run.into(out, new ByteArrayInputStream(lines), Bloomery::installed, (Object[]) arguments);
      assertEquals(
          new String(lines, StandardCharsets.ISO_8859_1),
          out.toString(StandardCharsets.ISO_8859_1));
    }
  }
}
