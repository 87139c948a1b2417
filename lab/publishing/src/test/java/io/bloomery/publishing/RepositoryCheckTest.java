package io.bloomery.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damages a repository of one library in every way that the check is to find. */
class RepositoryCheckTest {

  private static final String POM =
      """
      <project>
        <groupId>io.bloomery</groupId><artifactId>bloomery-lib</artifactId><version>1.0.0</version>
        <dependencies>
          <dependency><groupId>org.x</groupId><artifactId>y</artifactId><version>2</version></dependency>
          <dependency>
            <groupId>org.x</groupId><artifactId>z</artifactId><version>3</version>
            <optional>true</optional>
          </dependency>
        </dependencies>
      </project>
      """;
  private static final String OWN = "pkg:maven/io.bloomery/bloomery-lib@1.0.0";
  private static final String DEPENDENCY = "pkg:maven/org.x/y@2";
  private static final List<String> SBOMS = List.of("-cyclonedx.json", "-cyclonedx.xml");

  @TempDir private Path folder;
  private Path repository;
  private Path again;

  @BeforeEach
  void publish() throws IOException {
    repository = folder.resolve("one");
    again = folder.resolve("two");
    for (Path place : List.of(repository, again)) {
      write(place, ".pom", POM);
      write(place, ".jar", "classes");
      // Signatures differ from build to build.
      write(place, ".jar.asc", place.toString());
      for (String end : SBOMS) {
        write(place, end, OWN + " " + DEPENDENCY);
      }
    }
  }

  private static Path file(Path place, String end) {
    return place.resolve("io/bloomery/bloomery-lib/1.0.0/bloomery-lib-1.0.0" + end);
  }

  private static void write(Path place, String end, String text) throws IOException {
    Path file = file(place, end);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private List<String> findings() throws IOException {
    List<String> findings = new ArrayList<>();
    for (RepositoryCheck.Row row : new RepositoryCheck(repository, again).rows()) {
      findings.addAll(row.sbom());
      findings.addAll(row.different());
    }
    return findings;
  }

  private void assertFound(String start) throws IOException {
    List<String> findings = findings();
    assertTrue(findings.stream().anyMatch(found -> found.startsWith(start)), findings::toString);
  }

  @Test
  void aWholeRepositoryHasNoFindingsAndEachArtifactItsRow() throws IOException {
    assertEquals(List.of(), findings());
    List<RepositoryCheck.Row> rows = new RepositoryCheck(repository, again).rows();
    assertEquals(
        """
        artifact                       SBOM  reproducible used by
        bloomery-lib                   yes   yes          class-path, shaded
        """,
        Main.table(rows, Map.of("bloomery-lib", new TreeSet<>(Set.of("class-path", "shaded")))));
    assertTrue(Main.table(rows, Map.of()).contains("NOBODY"));
  }

  @Test
  void anSbomThatIsMissingOrNotWholeIsFound() throws IOException {
    for (String end : SBOMS) {
      write(repository, end, OWN);
      assertFound("bloomery-lib-1.0.0" + end + " does not list org.x:y:2");
      write(repository, end, DEPENDENCY);
      assertFound("bloomery-lib-1.0.0" + end + " is of something else");
      Files.delete(file(repository, end));
      assertFound("no bloomery-lib-1.0.0" + end);
    }
  }

  @Test
  void whatASecondBuildMadeOtherwiseIsFound() throws IOException {
    write(again, ".jar", "classes of another day");
    assertFound("bloomery-lib-1.0.0.jar differs at byte");
    Files.delete(file(again, ".jar"));
    assertFound("bloomery-lib-1.0.0.jar is in one build only");
  }
}
