package com.example.packed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what the guide says of fat jars and of run-time images, and what it warns of. */
class PackagingTest {

  private static final String MAIN = "com.example.packed.Main";
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path HOME = Path.of(System.getProperty("java.home"));
  private static final FilterProvider OF_ANOTHER = FilterProviders.installed().get("acme-blocked");
  private static final FilterProviders PROVIDERS =
      FilterProviders.of(
          FilterProviders.installed().all().stream()
              .filter(provider -> !module(provider).equals(module(OF_ANOTHER)))
              .toArray(FilterProvider[]::new));
  private static final List<String> VARIANTS = PROVIDERS.variants();
  private static final int STANDARD = VARIANTS.indexOf("standard");

  private static String section;

  @BeforeAll
  static void readTheSection() throws IOException {
    Matcher found =
        Pattern.compile("(?s)\n## Fat jars and jlink\n(.*?)\n## ")
            .matcher(Files.readString(Path.of("../../docs/guide.md")));
    assertTrue(found.find());
    section = found.group(1);
  }

  private static String snippet(String language) {
    Matcher found = Pattern.compile("(?s)```" + language + "\n(.*?)```").matcher(section);
    assertTrue(found.find(), "no snippet of " + language);
    return found.group(1);
  }

  private static List<String> run(Path folder, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.redirectErrorStream(true);
    builder
        .environment()
        .merge("PATH", HOME.resolve("bin").toString(), (old, bin) -> bin + ":" + old);
    Process process = builder.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), printed);
    return printed.lines().toList();
  }

  /** Asks for all variants, in a JVM that is started with these options. */
  private static List<String> ask(String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("bin/java").toString()));
    command.addAll(List.of(options));
    command.addAll(VARIANTS);
    return run(TARGET, command.toArray(String[]::new));
  }

  private static List<String> allFound() {
    return VARIANTS.stream().map(variant -> variant + ": found").toList();
  }

  private static Path jar(String start) throws IOException {
    Path folder = start.startsWith("packed-program") ? TARGET : TARGET.resolve("mods");
    try (Stream<Path> jars = Files.list(folder)) {
      return jars.filter(jar -> jar.getFileName().toString().matches(start + ".*\\.jar"))
          .findFirst()
          .orElseThrow();
    }
  }

  private static String path(String... starts) throws IOException {
    List<String> jars = new ArrayList<>();
    for (String start : starts) {
      jars.add(jar(start).toString());
    }
    return String.join(File.pathSeparator, jars);
  }

  @Test
  void aFatJarWithTheTransformerOfTheReadmeHasEveryVariant() throws Exception {
    String pom = Files.readString(Path.of("pom.xml"));
    String snippet = snippet("xml");
    assertTrue(
        pom.replaceAll("\\s+", "").contains(snippet.replaceAll("\\s+", "")),
        () -> "not in pom.xml:\n" + snippet);
    assertEquals(allFound(), ask("-cp", "fat.jar", MAIN));
  }

  @Test
  void aVariantBesideAFatJarIsFoundAsThoseInIt() throws Exception {
    String plugin =
        Path.of(OF_ANOTHER.getClass().getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    String path = "fat.jar" + File.pathSeparator + plugin;
    List<String> answers = new ArrayList<>(List.of(OF_ANOTHER.variant() + ": found"));
    answers.addAll(allFound());
    assertEquals(answers, ask("-cp", path, MAIN, OF_ANOTHER.variant()));
  }

  /** Which of several files of one name is kept depends on the order of the jars. */
  @Test
  void aFatJarThatLostServiceFilesSaysSoOfEachVariantThatIsGone() throws Exception {
    List<String> answers = ask("-cp", "unmerged.jar", MAIN);
    assertEquals(VARIANTS.size(), answers.size());
    assertEquals(
        List.of("standard: found"),
        answers.stream().filter(line -> line.endsWith(": found")).toList());
    for (String line : answers.stream().filter(line -> !line.endsWith(": found")).toList()) {
      assertTrue(
          line.matches(
              ".*; installed: standard; io\\.bloomery\\.[a-z]+\\.[A-Z]\\w+Provider is there, but no"
                  + " service entry names it: a fat jar must merge .*"),
          line);
      assertTrue(
          Stream.of("META-INF/services", "ServicesResourceTransformer", "mergeServiceFiles()")
              .allMatch(word -> line.contains(word) && section.contains(word)),
          line);
    }
    // As an automatic module as well.
    assertEquals(answers, ask("-p", "unmerged.jar", "-m", "unmerged/" + MAIN));
  }

  @Test
  void aJarThatIsMissingIsNamed() throws Exception {
    String jars = path("packed-program", "bloomery-api", "hash4j", "bloomery-standard");
    assertEquals(answersWithout("class path"), ask("-cp", jars, MAIN));
    assertEquals(
        answersWithout("module path, and where modules are limited --add-modules "),
        ask("-p", jars, "-m", "com.example.packed/" + MAIN));
  }

  /** Returns the answers where the jar of the standard variant alone is on a path. */
  private static List<String> answersWithout(String path) {
    return PROVIDERS.all().stream()
        .map(
            provider -> {
              String variant = provider.variant();
              String module = module(provider);
              return variant.equals("standard")
                  ? "standard: found"
                  : String.format(
                      "%s: no provider for variant '%1$s'; installed: standard; add"
                          + " io.bloomery:%s to the %s",
                      variant,
                      module.substring("io.".length()).replace('.', '-'),
                      path.endsWith(" ") ? path + module : path);
            })
        .toList();
  }

  /** Returns a provider's module, which has the name of its package. */
  private static String module(FilterProvider provider) {
    return provider.getClass().getPackageName();
  }

  @Test
  void modulesThatAreLimitedAreFoundWhenTheyAreAdded() throws Exception {
    String jars = path("packed-program", "bloomery-api", "hash4j", "bloomery-standard");
    String[] limited = {"-p", jars, "--limit-modules", "com.example.packed"};
    List<String> without = ask(with(limited, "-m", "com.example.packed/" + MAIN));
    assertTrue(
        without.get(STANDARD).endsWith("--add-modules io.bloomery.standard"), without::toString);
    String[] added = with(limited, "--add-modules", "io.bloomery.standard");
    assertEquals(
        "standard: found", ask(with(added, "-m", "com.example.packed/" + MAIN)).get(STANDARD));
  }

  private static String[] with(String[] options, String... more) {
    return Stream.of(options, more).flatMap(Stream::of).toArray(String[]::new);
  }

  // What the guide gives jlink besides what the program requires.
  private static final String NAMED = ",io.bloomery.standard";

  private static List<String> linked(Path folder, String script) throws Exception {
    assumeTrue(Files.isDirectory(HOME.resolve("jmods")), "there is nothing to link");
    Path mods = Files.createDirectory(folder.resolve("mods"));
    Files.copy(jar("packed-program"), mods.resolve("packed-program.jar"));
    try (Stream<Path> jars = Files.list(TARGET.resolve("mods"))) {
      for (Path jar : jars.toList()) {
        Files.copy(jar, mods.resolve(jar.getFileName()));
      }
    }
    return run(folder, "sh", "-e", "-c", script);
  }

  @Test
  void anImageLinkedAsTheReadmeSaysHasTheVariant(@TempDir Path folder) throws Exception {
    assertEquals(List.of("standard: found"), linked(folder, snippet("sh")));
  }

  @Test
  @Tag("nightly")
  void anImageLinkedWithoutItSaysHowToLinkIt(@TempDir Path folder) throws Exception {
    assertTrue(snippet("sh").contains(NAMED));
    assertEquals(
        List.of(
            "standard: no provider for variant 'standard'; installed: none; this run-time image was"
                + " linked without it: give jlink --bind-services or --add-modules"
                + " io.bloomery.standard"),
        linked(folder, snippet("sh").replace(NAMED, "")));
  }

  /** The modules of the JDK that provide some service would take three times as long to link. */
  @Test
  @Tag("nightly")
  void boundServicesAreAllVariants(@TempDir Path folder) throws Exception {
    assertTrue(section.contains("`--bind-services`"));
    String modules =
        PROVIDERS.all().stream()
            .map(PackagingTest::module)
            .distinct()
            .collect(Collectors.joining(","));
    String observable = " --bind-services --limit-modules java.base,com.example.packed," + modules;
    String script =
        snippet("sh")
            .replace("--module-path mods", "--module-path mods:" + HOME.resolve("jmods"))
            .replace(NAMED, observable)
            .replaceFirst("(?m) standard$", " " + String.join(" ", VARIANTS));
    assertEquals(allFound(), linked(folder, script));
  }
}
