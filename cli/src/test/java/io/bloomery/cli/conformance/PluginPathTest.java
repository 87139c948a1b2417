package io.bloomery.cli.conformance;

import static io.bloomery.cli.Run.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Plugin;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks which variants are found in jars and folders, and that none is silently skipped. */
class PluginPathTest {

  private static final String SERVICES = "META-INF/services/" + FilterProvider.class.getName();

  private static final String ERROR =
      "java.util.ServiceConfigurationError: io.bloomery.filter.FilterProvider: ";

  @TempDir private Path folder;
  private Path classes;
  private Path jar;

  @BeforeEach
  void name() {
    classes = folder.resolve("classes");
    jar = folder.resolve("acme.jar");
  }

  /** Runs the cheapest rule on the variants in some places. */
  private static Run conformance(Object... places) {
    return Run.of(
        "conformance --tier smoke --rule R04".split(" "),
        Stream.of(places).flatMap(place -> Stream.of("--path", place)).toArray());
  }

  /** As above, on the variant of our plug-ins only. */
  private static Run conformanceOfSet(Path place) {
    return Run.command("conformance --tier smoke --rule R04 --path %s --provider set", place);
  }

  private static void assertPasses(String variants, Run run) {
    run.assertEnds(ExitCode.OK);
    assertEquals(
        variants, String.join(" ", run.out().lines().map(line -> line.split(":", -1)[0]).toList()));
    assertTrue(run.out().lines().allMatch(line -> line.contains(": PASS 1/1")), run.out());
  }

  @ParameterizedTest
  @CsvSource({"Runtime.getRuntime().halt(0), 0", "System.exit(7), 7"})
  void aVariantThatEndsWhateverLoadsItIsAnError(String call, int exitCode) throws IOException {
    Plugin.compileSet(classes, "Ends", "static { " + call + "; }");
    assertFails(
        ExitCode.USAGE,
        "a variant cannot be loaded: the JVM that loads acme.Ends ended with exit code "
            + exitCode
            + "; take it out of --path or BLOOMERY_PATH, or get one made for this version",
        conformance(classes));
  }

  @Test
  void aJarIsAddedToWhatIsInstalled() throws IOException {
    Plugin.compileSet(classes, "Acme", "");
    Plugin.jar(classes, jar);
    assertPasses(
        "set standard",
        Run.command(
            "conformance --tier smoke --rule R04 --path %s --provider set --provider standard",
            jar));
  }

  /** In a folder of jars. */
  @Test
  void whatAJarNeedsMayLieBesideIt() throws IOException {
    Path base = folder.resolve("base");
    Plugin.compile(base, "Base", "class Base extends io.bloomery.cli.SetVariant {}");
    Path jars = Files.createDirectory(folder.resolve("jars"));
    Plugin.jar(base, jars.resolve("base.jar"));
    Plugin.compile(base, "Acme", "class Acme extends Base {}");
    Files.delete(base.resolve("acme/Base.class"));
    Plugin.writeService(base, "acme.Acme");
    Plugin.jar(base, jars.resolve("acme.jar"));
    assertPasses("set", conformanceOfSet(jars));
    assertFails(
        ExitCode.USAGE,
        "a variant cannot be loaded: java.lang.NoClassDefFoundError: acme/Base, since"
            + " java.lang.ClassNotFoundException: acme.Base; take it out of --path, or get one made"
            + " for this version",
        conformance(jars.resolve("acme.jar")));
  }

  @Test
  void placesThatCannotBeReadAreRefused() throws IOException {
    String next = "; name a jar with a variant, or a folder of classes or jars";
    Path none = folder.resolve("none.jar");
    assertFails(ExitCode.BAD_FILE, none + ": no such file" + next, conformance(none));
    Path text = Files.writeString(folder.resolve("text.jar"), "no jar at all");
    Run run = conformance(text).assertEnds(ExitCode.BAD_FILE);
    assertTrue(
        run.err().matches("bloomery: \\Q" + text + "\\E: zip .*\\Q" + next + "\\E\n"), run.err());
  }

  /**
   * A rule that starts another JVM cannot put this path on its class path, which is not a fault of
   * the variant.
   */
  @Test
  void aVariantInAFolderWithAColonInItsNameIsNotCalledBroken() throws IOException {
    Plugin.compileSet(classes, "Acme", "");
    Path place = Files.createDirectory(folder.resolve("8:00")).resolve("acme.jar");
    Plugin.jar(classes, place);
    Run run =
        Run.command("conformance --path %s --provider set --rule R66", place)
            .assertEnds(ExitCode.INCONCLUSIVE);
    assertTrue(
        run.out()
            .contains(
                "no class path can be made of "
                    + place
                    + ", which would end at ':'; move it to a folder without one in its name"),
        run.out());
  }

  @Test
  void anEmptyNameIsNotTheCurrentFolder() {
    assertFails(
        ExitCode.USAGE,
        "--path must not be empty; name a file, or . for the current folder",
        conformance(""));
  }

  @Test
  void aPlaceWithoutAVariantIsRefusedEvenBesideAnother() throws IOException {
    String message =
        ": has no variant; name the class of its provider in "
            + SERVICES
            + " or "
            + SERVICES.replace("FilterProvider", "StaticFilterProvider");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertFails(ExitCode.BAD_FILE, empty + message, conformance(empty));
    Plugin.compileSet(classes, "Acme", "");
    assertFails(ExitCode.BAD_FILE, empty + message, conformance(classes, empty));
    Files.delete(classes.resolve(SERVICES));
    Plugin.jar(classes, jar);
    assertFails(ExitCode.BAD_FILE, jar + message, conformance(jar));
  }

  @Test
  void aVariantThatIsInstalledAlreadyIsNotTakenForTheOneInAJar() throws IOException {
    Plugin.writeService(classes, "io.bloomery.standard.StandardProvider");
    Plugin.jar(classes, jar);
    assertFails(
        ExitCode.BAD_FILE,
        jar
            + ": has no variant that is not installed already, so that nothing in it would be"
            + " tested; give its provider another class name",
        conformance(jar));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "class Other {} | " + ERROR + "Provider acme.Missing not found; take it out of --path",
        "class Missing {} | " + ERROR + "acme.Missing not a subtype; take it out of --path",
        "class Missing extends io.bloomery.cli.SetVariant {"
            + " public Missing() { throw new IllegalStateException(\"no licence\"); } }"
            + " | acme.Missing: java.lang.IllegalStateException: no licence"
            + "; take it out of --path or BLOOMERY_PATH",
        "class Missing extends io.bloomery.cli.SetVariant {"
            + " private static final int ONE = Integer.parseInt(\"one\"); }"
            + " | acme.Missing: java.lang.ExceptionInInitializerError, since"
            + " java.lang.NumberFormatException: For input string: \"one\""
            + "; take it out of --path or BLOOMERY_PATH",
        "class Missing extends io.bloomery.cli.SetVariant { public Missing(int i) {} }"
            + " | "
            + ERROR
            + "acme.Missing Unable to get public no-arg constructor, since"
            + " java.lang.NoSuchMethodException: acme.Missing.<init>(); take it out of --path",
      })
  void aProviderThatCannotBeLoadedIsSaidWithTheReason(String declaration, String reason)
      throws IOException {
    Plugin.writeService(classes, "acme.Missing");
    Plugin.compile(classes, declaration.split(" ", -1)[1], declaration);
    assertFails(
        ExitCode.USAGE,
        "a variant cannot be loaded: " + reason + ", or get one made for this version",
        conformance(classes));
  }

  @Test
  void aProviderThatDoesNotSayItsNameIsSaidToo() throws IOException {
    Plugin.compileSet(
        classes,
        "Acme",
        "public String variant() { throw new IllegalStateException(\"not today\"); }");
    assertFails(
        ExitCode.USAGE,
        "a variant cannot be loaded: acme.Acme: java.lang.IllegalStateException: not today; take it"
            + " out of --path or BLOOMERY_PATH, or get one made for this version",
        conformance(classes));
  }

  @Test
  void twoVariantsOfOneNameAreRefused() throws IOException {
    Plugin.compileSet(classes, "Acme", "");
    Plugin.jar(classes, jar);
    Path other = folder.resolve("other");
    Plugin.compileSet(other, "Other", "");
    assertFails(
        ExitCode.USAGE,
        "each variant must have one provider, but 'set' has acme.Acme and acme.Other; remove one of"
            + " them from the class path",
        conformance(jar, other));
    Plugin.compileSet(other, "Other", "public String variant() { return \"standard\"; }");
    Run installed = conformance(other).assertEnds(ExitCode.USAGE);
    assertTrue(
        installed.err().startsWith("bloomery: each variant must have one provider, but 'standard'"),
        installed.err());
  }
}
