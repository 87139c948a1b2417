package io.bloomery.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the pages to the versions that the root pom states, and the poms to the one; with {@code
 * -Dbloomery.record=true} writes the pages.
 */
class StatedVersionTest {

  private static final String RECORD =
      "mvn test -pl lab/publishing -am -Dtest=StatedVersionTest -Dbloomery.record=true"
          + " -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false";
  private static final String SAMPLE =
      """
      Releases are on Maven Central. Import the BOM and depend on it.
      <artifactId>bloomery-bom</artifactId>
      <version>0.9.0</version>
      <artifactId>other</artifactId>
      <version>0.9.0</version>
      "io.bloomery:bloomery-spark:0.9.0"
      """;

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(SourceTree.ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.list(SourceTree.ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  @Test
  void pagesStateTheVersionThatUsersCanGet() throws IOException {
    StatedVersion stated =
        new StatedVersion(
            System.getProperty("bloomery.released"), System.getProperty("bloomery.version"));
    for (Path page : pages()) {
      String text = Files.readString(page);
      if (Boolean.getBoolean("bloomery.record")) {
        Files.writeString(page, stated.in(text));
      }
      assertEquals(stated.in(text), Files.readString(page), page + ": " + RECORD);
    }
    assertTrue(
        StatedVersion.saysWhereToGetIt(Files.readString(SourceTree.ROOT.resolve("README.md"))),
        "README.md does not say where to get it");
  }

  @Test
  void beforeAReleaseItIsInstalledAndAfterwardsItIsOnCentral() {
    String before = new StatedVersion("", "1.0.0-SNAPSHOT").in(SAMPLE);
    assertTrue(before.startsWith("Nothing has been released yet. "), before);
    assertTrue(before.contains("mvn install -DskipTests\n```\n\nThen import the BOM"), before);
    assertEquals(2, before.split("1.0.0-SNAPSHOT", -1).length - 1, before);
    assertTrue(before.contains("<artifactId>other</artifactId>\n<version>0.9.0<"), before);
    assertEquals(SAMPLE, new StatedVersion("0.9.0", "1.0.0-SNAPSHOT").in(before));
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
