package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the licences listed in the finished jar with the classes that are in it. */
class BundledLicencesProcessTest {

  /** Such as " (Apache-2.0) (MIT) name of a library (group:artifact:1.0 - address)". */
  private static final Pattern LINE =
      Pattern.compile("^ +((?:\\([^()]+\\) )+).* \\(([^:]+):([^:]+):([^ ]+) - .*\\)$");

  private static final Map<String, String> TEXTS =
      Map.of(
          "apache", "META-INF/LICENSE",
          "eclipse public", "META-INF/LICENSE-EPL-2.0.md",
          "epl", "META-INF/LICENSE-EPL-2.0.md");
  private static final Map<String, String> OWN_TEXTS =
      Map.of(
          "de.siegmar", "META-INF/LICENSE-FASTCSV-MIT.txt",
          "redis.clients", "META-INF/LICENSE-JEDIS-MIT.txt",
          "redis.clients.authentication", "META-INF/LICENSE-JEDIS-MIT.txt",
          "org.slf4j", "META-INF/LICENSE-SLF4J-MIT.txt",
          "me.tongfei", "META-INF/LICENSE-PROGRESSBAR-MIT.txt",
          "org.jline", "META-INF/LICENSE-JLINE-BSD.txt");

  private static JarFile jar;
  private static List<Matcher> listed;

  @BeforeAll
  static void readTheList() throws IOException {
    jar = new JarFile(System.getProperty("bloomery.jar"));
    listed =
        text("META-INF/THIRD-PARTY.txt")
            .lines()
            .map(LINE::matcher)
            .filter(Matcher::matches)
            .toList();
  }

  @AfterAll
  static void close() throws IOException {
    jar.close();
  }

  private static String text(String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    assertTrue(entry != null, () -> "no " + name);
    return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void everyLibraryWhoseClassesAreInItIsListed() throws IOException {
    Set<String> names =
        listed.stream()
            .map(line -> line.group(3) + "-" + line.group(4) + ".jar")
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> bundled = new TreeSet<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (entry.endsWith(".jar") && !new File(entry).getName().startsWith("bloomery-")) {
        try (JarFile library = new JarFile(entry)) {
          boolean isIn =
              library.stream()
                  .map(ZipEntry::getName)
                  .filter(name -> name.endsWith(".class") && !name.contains("module-info"))
                  .anyMatch(name -> jar.getEntry(name) != null);
          if (isIn) {
            bundled.add(new File(entry).getName());
          }
        }
      }
    }
    assertTrue(bundled.size() > 15, bundled::toString);
    assertEquals(bundled, names);
  }

  @Test
  void theTextOfEachLicenceIsInIt() throws IOException {
    for (Matcher line : listed) {
      String own = OWN_TEXTS.get(line.group(2));
      String named = line.group(1).toLowerCase(Locale.ROOT);
      String expected =
          own != null
              ? own
              : TEXTS.entrySet().stream()
                  .filter(text -> named.contains(text.getKey()))
                  .map(Map.Entry::getValue)
                  .findFirst()
                  .orElse("no text for " + line.group());
      assertTrue(text(expected).length() > 500, expected);
    }
    assertTrue(text("META-INF/LICENSE-COMMONS-MATH.txt").contains("Commons Math includes"));
    assertTrue(text("META-INF/NOTICE").contains("Bloomery"));
  }
}
