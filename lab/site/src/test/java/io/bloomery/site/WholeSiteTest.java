package io.bloomery.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.site.link.BuiltSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Walks the finished site, with its Javadoc. */
class WholeSiteTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
  private static final Path FOLDER = Path.of(System.getProperty("site.folder", "target/site"));

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  @Test
  void everyLinkLeadsSomewhereAndNothingIsAskedOfAnotherHost() throws IOException {
    BuiltSite site = new BuiltSite(FOLDER);
    assertTrue(site.pages().size() > 500, site.pages().size() + " pages");
    assertEquals(List.of(), site.faults());
  }

  @Test
  void everyPublicTypeOfEveryPublishedModuleHasItsJavadoc() throws IOException {
    List<String> modules =
        MODULE
            .matcher(Files.readString(ROOT.resolve("pom.xml")))
            .results()
            .map(found -> found.group(1))
            .filter(module -> !module.startsWith("lab/") && !module.startsWith("examples"))
            .toList();
    for (String module : modules) {
      Path sources = ROOT.resolve(module).resolve("src/main/java");
      if (Files.isDirectory(sources)) {
        try (Stream<Path> files = Files.walk(sources)) {
          for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
            String name = sources.relativize(file).toString().replace(".java", "");
            if (!name.contains("internal") && Files.readString(file).contains("\npublic ")) {
              assertTrue(Files.exists(FOLDER.resolve("api/" + name + ".html")), file::toString);
            }
          }
        }
      }
    }
  }

  @Test
  void navigationLeadsToTheJavadoc() throws IOException {
    for (Path page : new BuiltSite(FOLDER).ownPages()) {
      List<String> links = BuiltSite.parse(page).select("#pages a").eachAttr("href");
      assertTrue(links.contains("api/index.html"), page + " " + links);
    }
  }
}
