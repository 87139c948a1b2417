package io.bloomery.cli.conformance;

import static io.bloomery.cli.PronounceableWords.lines;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.JsonObjects;
import io.bloomery.cli.Plugin;
import io.bloomery.cli.Run;
import io.bloomery.cli.SetVariant;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.FilterProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example plug-in, which the command has no code for, is shown with its own description. */
class PluginWordsTest {

  private static final String VARIANT = "acme-power-of-two";
  private static final String STRUCTURE = "one bit array whose size is a power of two";

  @TempDir private Path folder;
  private URLClassLoader loader;
  private Bloomery bloomery;

  @BeforeEach
  void loadExample() throws IOException {
    Path classes = Plugin.compileExample(folder.resolve("classes"));
    loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
    FilterProvider acme =
        ServiceLoader.load(FilterProvider.class, loader).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.variant().equals(VARIANT))
            .findFirst()
            .orElseThrow();
    bloomery = Bloomery.with(acme, Bloomery.installed().providers().get("standard"));
  }

  @AfterEach
  void closeExample() throws IOException {
    loader.close();
  }

  private String run(Object... arguments) {
    String lines = lines(0, 500);
    Run run =
        Run.with(
                new ByteArrayInputStream(lines.getBytes(StandardCharsets.US_ASCII)),
                () -> bloomery,
                arguments)
            .assertEnds(ExitCode.OK);
    return run.out();
  }

  private static void assertLine(String line, String text) {
    assertTrue(text.lines().anyMatch(line::equals), line + " in\n" + text);
  }

  /** A member may be in the object of a filter, or in that of one of several variants. */
  private static void assertMembers(Map<String, Object> object, String cost) {
    assertEquals(VARIANT, object.get("variant"));
    assertEquals(STRUCTURE, object.get("structure"));
    assertEquals(cost, object.get("queryCost"));
  }

  @Test
  void infoShowsItsWords() throws IOException {
    Path file = folder.resolve("f.bloom");
    run("create", "-q", "--variant", VARIANT, "--expected", 500, "-o", file);
    String text = run("info", file);
    assertLine("  layout           " + STRUCTURE, text);
    assertLine(
        "    bits                      8,192  bits that queries choose from, a power of two", text);
    assertLine("  query            7 reads", text);
    Map<String, Object> json = JsonObjects.parse(run("info", "--json", file)).get(0);
    assertMembers(json, "7 reads");
    assertEquals("bits that a query looks at, at most", json.get("meanings.probes"));
  }

  @Test
  void sizeShowsItsWords() throws IOException {
    String text = run("size", "--keys", "1M");
    assertLine(VARIANT + "  " + STRUCTURE, text);
    assertTrue(text.lines().anyMatch(l -> l.startsWith(VARIANT + " ") && l.endsWith("  7 reads")));
    Map<String, Object> json = JsonObjects.parse(run("size", "--keys", "1M", "--json")).get(0);
    assertMembers(JsonObjects.array(json, "variants").get(0), "7 reads");
  }

  @Test
  void plotShowsItsWords() throws IOException {
    assertLine("o " + VARIANT + "  " + STRUCTURE, run("plot", "--keys", "1M"));
    Map<String, Object> json = JsonObjects.parse(run("plot", "--keys", "1M", "--json")).get(0);
    assertMembers(JsonObjects.array(json, "curves").get(0), "7 reads");
  }

  @Test
  void demoAndCompareShowItsWords() throws IOException {
    for (Object[] command :
        List.of(new Object[] {"demo", "--keys", "-"}, new Object[] {"compare"})) {
      assertLine(VARIANT + "  " + STRUCTURE, run(command));
    }
    assertMembers(JsonObjects.parse(run("demo", "--keys", "-", "--json")).get(0), "7 reads");
    assertMembers(JsonObjects.parse(run("compare", "--json")).get(0), "6 reads");
  }

  /** A variant without a description leaves no gap. */
  @Test
  void aVariantWithoutWordsHasItsNumbers() {
    bloomery = Bloomery.with(new SetVariant(SetVariant.Fault.NONE));
    String text = run("size", "--keys", "20K");
    assertTrue(text.lines().anyMatch(line -> line.matches("set .*  -")), text);
    String drawing = run("plot", "--keys", "20K");
    assertTrue(drawing.endsWith("o set  . target\n"), drawing);
  }
}
