package io.bloomery.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the pages to the versions that the root pom states, and the poms to the one; with {@code
 * -Dbloomery.record=true} writes the pages.
 */
class StatedVersionTest {

  private static final String RECORD =
      "mvn test -Pnamed-tests -pl lab/publishing -am -Dtest=StatedVersionTest"
          + " -Dbloomery.record=true";

  /** Behind an artifact of ours: in XML, or in one line with it. */
  private static final Pattern VERSION =
      Pattern.compile(
          "(<artifactId>bloomery-[a-z-]+</artifactId>\\s*<version>)[^<]*(?=</version>)"
              + "|(?<=io\\.bloomery:bloomery-[a-z-]{1,40}:)()[0-9][A-Za-z0-9.-]*");

  private static final String RELEASED = System.getProperty("bloomery.released");

  @Test
  void pagesStateTheVersionThatUsersCanGet() throws IOException {
    Path readme = SourceTree.ROOT.resolve("README.md");
    List<Path> pages = new ArrayList<>(List.of(readme));
    try (Stream<Path> docs = Files.list(SourceTree.ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    String version = RELEASED.isEmpty() ? System.getProperty("bloomery.version") : RELEASED;
    int stated = 0;
    for (Path page : pages) {
      String text = Files.readString(page);
      String expected = VERSION.matcher(text).replaceAll("$1" + version);
      if (Boolean.getBoolean("bloomery.record")) {
        Files.writeString(page, expected);
      }
      assertEquals(expected, Files.readString(page), page + ": " + RECORD);
      stated += VERSION.matcher(text).find() ? 1 : 0;
    }
    assertTrue(stated > 3, "pages with a version: " + stated);
    assertEquals(
        RELEASED.isEmpty(),
        Files.readString(readme).contains("Nothing has been released yet."),
        "README.md must say whether releases are on Maven Central");
  }

  @Test
  void noPomButTheRootHasAVersionOfItsOwn() throws IOException {
    String parent = "<artifactId>bloomery-parent</artifactId>\n    <version>${revision}</version>";
    List<String> modules = SourceTree.modules();
    assertTrue(modules.size() > 20, () -> "modules found: " + modules);
    for (String module : modules) {
      String pom = SourceTree.pom(module);
      assertTrue(pom.contains(parent), () -> module + "/pom.xml has another version of the parent");
    }
  }
}
