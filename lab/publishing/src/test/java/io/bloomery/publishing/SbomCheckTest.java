package io.bloomery.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SbomCheckTest {

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

  @Test
  void anSbomThatIsMissingOrNotWholeIsFound(@TempDir Path repository) throws IOException {
    Path folder = repository.resolve("io/bloomery/bloomery-lib/1.0.0");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("bloomery-lib-1.0.0.pom"), POM);
    Artifact artifact = Artifact.in(repository).get(0);
    assertEquals(new Artifact("bloomery-lib", "1.0.0", folder), artifact);
    for (String end : SBOMS) {
      Files.writeString(artifact.file(end), OWN + " " + DEPENDENCY);
    }
    assertEquals(List.of(), SbomCheck.findings(artifact));
    for (String end : SBOMS) {
      String name = artifact.file(end).getFileName().toString();
      Files.writeString(artifact.file(end), OWN);
      assertEquals(List.of(name + " does not list org.x:y:2"), SbomCheck.findings(artifact));
      Files.writeString(artifact.file(end), DEPENDENCY);
      assertEquals(List.of(name + " is of something else"), SbomCheck.findings(artifact));
      Files.delete(artifact.file(end));
      assertEquals(List.of("no " + name), SbomCheck.findings(artifact));
      Files.writeString(artifact.file(end), OWN + " " + DEPENDENCY);
    }
  }
}
