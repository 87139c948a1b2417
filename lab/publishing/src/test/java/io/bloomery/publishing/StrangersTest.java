package io.bloomery.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compiles and runs strangers' projects against what this build has made, without Maven; the script
 * {@code release} does it with all of them.
 */
class StrangersTest {

  private static final Path BIN = Path.of(System.getProperty("java.home"), "bin");
  // Of what is built once, each program has one filter of its own.
  private static final List<String> VARIANTS =
      FilterProviders.installed().all().stream().map(FilterProvider::variant).toList();

  @TempDir private Path folder;

  private static String run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  /** What stands on this test's class path, but for what is left out by name. */
  private static String path(String left) {
    Pattern leftOut = Pattern.compile("bloomery-publishing|junit|" + left);
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !leftOut.matcher(name(Path.of(entry))).find())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** A jar's own, or that of the module whose classes a folder has. */
  private static String name(Path entry) {
    return entry.toString().endsWith(".jar")
        ? entry.getFileName().toString()
        : "bloomery-" + entry.getParent().getParent().getFileName();
  }

  private void compile(String project, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of(BIN.resolve("javac").toString()));
    command.addAll(List.of("--release", "17", "-d", folder.toString()));
    command.addAll(List.of(options));
    try (Stream<Path> files = Files.walk(Path.of("strangers", project, "src"))) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(command::add);
    }
    run(command);
  }

  @Test
  void aProgramOnTheClassPathAsksEveryKindOfFilter() throws Exception {
    String path = path("bloomery-vector");
    compile("class-path", "-cp", path);
    List<String> command =
        new ArrayList<>(
            List.of(
                BIN.resolve("java").toString(),
                "-cp",
                folder + File.pathSeparator + path,
                "com.example.stranger.Ask"));
    command.addAll(VARIANTS);
    String said = run(command);
    assertTrue(said.startsWith("asked on Java "), said);
  }

  @Test
  void aProgramOnTheModulePathAsksEveryVariant() throws Exception {
    String path = path("bloomery-(vector|guard|interop)");
    compile("module-path", "-p", path);
    List<String> command =
        new ArrayList<>(
            List.of(
                BIN.resolve("java").toString(),
                "-p",
                folder + File.pathSeparator + path,
                "--add-modules",
                "ALL-MODULE-PATH",
                "-m",
                "com.example.modular/com.example.modular.Main"));
    command.addAll(VARIANTS);
    String said = run(command);
    assertTrue(said.startsWith("asked in module com.example.modular "), said);
  }

  @Test
  void theBomSetsTheVersionOfEveryPublishedModuleButSpark() throws IOException {
    Path flattened = SourceTree.ROOT.resolve("bom/target/.flattened-pom.xml");
    Pom bom = Pom.read(flattened);
    Set<String> set = new TreeSet<>();
    for (Pom.Dependency dependency : bom.managed()) {
      assertEquals(System.getProperty("bloomery.version"), dependency.version());
      set.add(dependency.name());
    }
    Set<String> published = new TreeSet<>();
    for (String module : SourceTree.modules()) {
      if (SourceTree.isPublished(SourceTree.pom(module))) {
        Path pom = SourceTree.ROOT.resolve(module).resolve("pom.xml");
        published.add(Pom.read(pom).text("artifactId"));
      }
    }
    published.removeAll(Set.of("bloomery-bom", "bloomery-spark"));
    assertEquals(published, set);
  }
}
