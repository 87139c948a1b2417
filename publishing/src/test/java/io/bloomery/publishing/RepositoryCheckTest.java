package io.bloomery.publishing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damages a repository of one library and a BOM in every way that the check is to find. */
class RepositoryCheckTest {

  private static final String POM =
      """
      <project>
        <groupId>io.bloomery</groupId><artifactId>bloomery-NAME</artifactId><version>1.0.0</version>
        <name>n</name><description>d</description><url>u</url>
        <licenses><license><name>n</name><url>u</url></license></licenses>
        <developers><developer><name>n</name></developer></developers>
        <scm><connection>c</connection><developerConnection>d</developerConnection><url>u</url></scm>
        <issueManagement><url>u</url></issueManagement>
        REST
      </project>
      """;
  private static final String NEEDS =
      "<dependencies><dependency><groupId>org.x</groupId><artifactId>y</artifactId>"
          + "<version>2</version></dependency></dependencies>";
  private static final String SETS =
      "<packaging>pom</packaging><dependencyManagement><dependencies><dependency>"
          + "<groupId>io.bloomery</groupId><artifactId>bloomery-lib</artifactId>"
          + "<version>1.0.0</version></dependency></dependencies></dependencyManagement>";

  @TempDir private Path folder;
  private Path repository;
  private Path again;

  // A file says what its signature is of.
  private static final Signatures SIGNATURES =
      (signature, file) ->
          Files.readString(signature).equals("of " + file.getFileName())
              ? Optional.empty()
              : Optional.of("bad signature");

  @BeforeEach
  void publish() throws IOException {
    repository = folder.resolve("one");
    again = folder.resolve("two");
    for (Path place : List.of(repository, again)) {
      write(place, "lib", ".pom", POM.replace("NAME", "lib").replace("REST", NEEDS));
      for (String end : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
        writeJar(place, end, "META-INF/LICENSE", "META-INF/NOTICE");
      }
      write(place, "bom", ".pom", POM.replace("NAME", "bom").replace("REST", SETS));
      for (String name : List.of("lib", "bom")) {
        for (String end : List.of("-cyclonedx.json", "-cyclonedx.xml")) {
          write(
              place,
              name,
              end,
              "pkg:maven/io.bloomery/bloomery-" + name + "@1.0.0 pkg:maven/org.x/y@2");
        }
      }
    }
  }

  private static Path file(Path place, String name, String end) {
    return place.resolve(
        "io/bloomery/bloomery-" + name + "/1.0.0/bloomery-" + name + "-1.0.0" + end);
  }

  private static void write(Path place, String name, String end, String text) throws IOException {
    Path file = file(place, name, end);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    complete(file);
  }

  private static void writeJar(Path place, String end, String... entries) throws IOException {
    Path file = file(place, "lib", end);
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out)) {
      for (String entry : entries) {
        ZipEntry made = new ZipEntry(entry);
        made.setTime(0);
        jar.putNextEntry(made);
        jar.write(entry.getBytes(StandardCharsets.UTF_8));
      }
    }
    complete(file);
  }

  private static void complete(Path file) throws IOException {
    String name = file.getFileName().toString();
    Files.writeString(file.resolveSibling(name + ".md5"), ArtifactCheck.sum(file, "MD5"));
    Files.writeString(file.resolveSibling(name + ".sha1"), ArtifactCheck.sum(file, "SHA-1"));
    Files.writeString(file.resolveSibling(name + ".asc"), "of " + name);
  }

  private List<String> findings() throws IOException {
    RepositoryCheck check = new RepositoryCheck(repository, again, SIGNATURES);
    List<String> findings = new ArrayList<>(check.together());
    for (RepositoryCheck.Row row : check.rows()) {
      findings.addAll(row.findings().all());
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
    List<RepositoryCheck.Row> rows = new RepositoryCheck(repository, again, SIGNATURES).rows();
    String table =
        Main.table(rows, Map.of("bloomery-lib", new TreeSet<>(Set.of("class-path", "shaded"))));
    assertEquals(
        """
        artifact                       jars    signatures SBOM  reproducible used by
        bloomery-bom                   0       3          yes   yes          NOBODY
        bloomery-lib                   3       6          yes   yes          class-path, shaded
        """,
        table);
  }

  @Test
  void anEmptyRepositoryIsAFinding() throws IOException {
    repository = Files.createDirectory(folder.resolve("empty"));
    assertFound("nothing is published");
  }

  @Test
  void everyElementOfAPomIsMissed() throws IOException {
    for (String element :
        List.of("name", "description", "url", "licenses", "developers", "scm", "issueManagement")) {
      String pom =
          POM.replace("NAME", "lib")
              .replace("REST", NEEDS)
              .replaceFirst("(?s)<" + element + ">.*?</" + element + ">", "");
      write(repository, "lib", ".pom", pom);
      assertFound("the pom has no " + element);
    }
  }

  @Test
  void versionsThatMayChangeAreFound() throws IOException {
    for (String version : List.of("2-SNAPSHOT", "[2,3)", "")) {
      String pom = POM.replace("NAME", "lib").replace("REST", NEEDS);
      write(repository, "lib", ".pom", pom.replace(">2<", ">" + version + "<"));
      assertFound(version.isEmpty() ? "the pom names no version" : "the pom names a version that");
    }
    String open = POM.replace("NAME", "lib").replace("REST", NEEDS.replace(">2<", ">${y}<"));
    write(repository, "lib", ".pom", open);
    assertFound("the pom has an open property: ${y}");
  }

  @Test
  void whatOthersCannotGetIsFound() throws IOException {
    String[] rests = {
      "<parent><artifactId>p</artifactId></parent>",
      "<repositories><repository><url>u</url></repository></repositories>",
      NEEDS.replace("</version>", "</version><scope>test</scope>"),
    };
    String[] findings = {"the pom has a parent", "the pom names a repository", "the pom has a dep"};
    for (int i = 0; i < rests.length; i++) {
      write(repository, "lib", ".pom", POM.replace("NAME", "lib").replace("REST", rests[i]));
      assertFound(findings[i]);
    }
    String other = SETS.replace("bloomery-lib", "bloomery-lost");
    write(repository, "bom", ".pom", POM.replace("NAME", "bom").replace("REST", other));
    assertFound("bloomery-bom needs io.bloomery:bloomery-lost:1.0.0, which is not published");
  }

  @Test
  void filesThatAreMissingOrWrongAreFound() throws IOException {
    for (String end :
        List.of(
            "-sources.jar",
            "-javadoc.jar",
            ".jar.md5",
            ".jar.sha1",
            ".jar.asc",
            "-cyclonedx.xml")) {
      byte[] content = Files.readAllBytes(file(repository, "lib", end));
      Files.delete(file(repository, "lib", end));
      assertFound("no bloomery-lib-1.0.0" + end);
      Files.write(file(repository, "lib", end), content);
    }
    Files.writeString(file(repository, "lib", ".jar.md5"), "0");
    assertFound("bloomery-lib-1.0.0.jar.md5 is not that of the file");
    Files.writeString(file(repository, "lib", ".jar.asc"), "of another");
    assertFound("bloomery-lib-1.0.0.jar.asc: bad signature");
    write(repository, "lib", "-cyclonedx.json", "pkg:maven/io.bloomery/bloomery-lib@1.0.0");
    assertFound("bloomery-lib-1.0.0-cyclonedx.json does not list org.x:y:2");
    write(repository, "lib", "-cyclonedx.json", "pkg:maven/org.x/y@2");
    assertFound("bloomery-lib-1.0.0-cyclonedx.json is of something else");
  }

  @Test
  void aJarWithoutLicenceOrOfTestsIsFound() throws IOException {
    writeJar(repository, "-sources.jar", "META-INF/LICENSE");
    assertFound("bloomery-lib-1.0.0-sources.jar has no META-INF/NOTICE");
    writeJar(repository, "-tests.jar", "META-INF/LICENSE", "META-INF/NOTICE");
    assertFound("bloomery-lib-1.0.0-tests.jar is of tests");
  }

  @Test
  void whatASecondBuildMadeOtherwiseIsFound() throws IOException {
    writeJar(again, ".jar", "META-INF/LICENSE", "META-INF/NOTICE", "more");
    assertFound("bloomery-lib-1.0.0.jar differs at byte");
    Files.delete(file(again, "lib", "-sources.jar"));
    assertFound("bloomery-lib-1.0.0-sources.jar is in one build only");
  }
}
