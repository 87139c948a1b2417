package io.bloomery.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.site.link.BuiltSite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Walks the finished site, with its Javadoc. */
class WholeSiteTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
  private static final Path FOLDER = Path.of(System.getProperty("site.folder", "target/site"));

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern PUBLIC =
      Pattern.compile("(?m)^public .*?\\b(class|interface|enum|record|@interface) (\\w+)");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  private static List<Path> published() throws IOException {
    Set<String> modules =
        MODULE
            .matcher(Files.readString(ROOT.resolve("pom.xml")))
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    List<Path> published =
        modules.stream()
            .map(ROOT::resolve)
            .filter(module -> Files.isDirectory(module.resolve("src/main/java")))
            .filter(module -> !read(module.resolve("pom.xml")).contains("maven.deploy.skip>true"))
            .toList();
    assertTrue(published.size() >= 14, published.toString());
    return published;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void everyLinkLeadsSomewhereAndNothingIsAskedOfAnotherHost() throws IOException {
    BuiltSite site = new BuiltSite(FOLDER);
    assertTrue(site.pages().size() > 500, site.pages().size() + " pages");
    assertEquals(List.of(), site.faults());
  }

  @Test
  void everyPublicTypeOfEveryPublishedModuleHasItsJavadoc() throws IOException {
    for (Path module : published()) {
      int types = 0;
      try (Stream<Path> sources = Files.walk(module.resolve("src/main/java"))) {
        for (Path source : sources.filter(file -> file.toString().endsWith(".java")).toList()) {
          String text = read(source);
          String name =
              PACKAGE.matcher(text).results().map(found -> found.group(1)).findFirst().orElse("");
          MatchResult type = PUBLIC.matcher(text).results().findFirst().orElse(null);
          if (type != null && !name.isEmpty() && !name.contains(".internal")) {
            Path page =
                FOLDER.resolve("api/" + name.replace('.', '/') + "/" + type.group(2) + ".html");
            assertTrue(Files.exists(page), page + " of " + source);
            types++;
          }
        }
      }
      assertTrue(types > 0, module + " has no public type");
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
