package io.bloomery.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.site.link.BrokenLinkException;
import io.bloomery.site.link.BuiltSite;
import io.bloomery.site.link.LinkMap;
import io.bloomery.site.markdown.Markdown;
import io.bloomery.site.markdown.Shape;
import io.bloomery.site.page.PagePlan;
import io.bloomery.site.page.SiteMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Makes the site without Javadoc, in each build, and walks it: a link that breaks, breaks here. */
class SiteTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

  @TempDir static Path folder;

  @BeforeAll
  static void build() throws IOException, BrokenLinkException {
    new SiteBuild(ROOT, folder, "1.2.3", Optional.empty(), false).run();
  }

  @Test
  void everyLinkLeadsSomewhereAndNothingIsAskedOfAnotherHost() throws IOException {
    BuiltSite site = new BuiltSite(folder);
    assertEquals(new SiteMap(ROOT).pages().count(), site.pages().size());
    assertEquals(List.of(), site.faults());
  }

  @Test
  void everyMarkdownFileIsAPage() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String folder : List.of("", "docs")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
        files
            .map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
            .filter(file -> file.endsWith(".md"))
            .forEach(sources::add);
      }
    }
    assertEquals(
        sources.stream().sorted().toList(),
        new SiteMap(ROOT)
            .pages()
            .filter(plan -> plan.kind() == PagePlan.Kind.MARKDOWN)
            .map(PagePlan::source)
            .sorted()
            .toList());
  }

  @Test
  void everyPageSaysWhatItIs() throws IOException {
    TreeSet<String> titles = new TreeSet<>();
    for (Path page : new BuiltSite(folder).pages()) {
      Document document = BuiltSite.parse(page);
      assertEquals(1, document.select("main h1").size(), page + " must have one heading");
      assertEquals(1, document.select("#pages a[aria-current=page]").size(), page + "");
      assertEquals(1, document.select("meta[name=viewport]").size(), page + "");
      assertTrue(!document.select("meta[name=description]").attr("content").isBlank(), page + "");
      assertTrue(titles.add(document.title()), document.title());
      assertEquals("en", document.expectFirst("html").attr("lang"));
    }
  }

  @Test
  void whatAProgramHasWrittenIsAPageIfItIsThere(@TempDir Path root) throws IOException {
    List<String> without = new SiteMap(root).pages().map(PagePlan::file).toList();
    Path tables = root.resolve("lab/benchmarks/target/performance-tables.md");
    Files.createDirectories(tables.getParent());
    Files.writeString(tables, "# Speed");
    List<String> with = new SiteMap(root).pages().map(PagePlan::file).toList();
    assertTrue(!without.contains("performance-tables.html"), without.toString());
    assertTrue(with.contains("performance-tables.html"), with.toString());
    assertEquals(without.size() + 1, with.size());
  }

  @Test
  void linksToSourcesLeadToThePublicRepository() throws Exception {
    Element content = Markdown.render("[a](../examples) [b](guard.md#x) [c](https://example.org/)");
    LinkMap links = new LinkMap(ROOT, Optional.of("https://example.org/r"));
    links.add("docs/guard.md", "guard.html", "Guard");
    links.addHeading("docs/guard.md", "x", "guard.html");
    links.rewrite(content, "docs/redis.md");
    assertEquals(
        List.of("https://example.org/r/tree/HEAD/examples", "guard.html#x", "https://example.org/"),
        content.select("a").eachAttr("href"));
  }

  @Test
  void withoutAPublicRepositoryTheyAreTextOnly() throws Exception {
    Element content = Markdown.render("see [the examples](../examples)");
    new LinkMap(ROOT, Optional.empty()).rewrite(content, "docs/redis.md");
    assertEquals("<p>see the examples</p>", content.html().strip());
  }

  @Test
  void aLinkThatIsCalledAsAFileIsCalledAsItsPage() throws Exception {
    Element content = Markdown.render("[docs/guard.md](guard.md), [a guard](guard.md)");
    LinkMap links = new LinkMap(ROOT, Optional.empty());
    links.add("docs/guard.md", "guard.html", "Guard");
    links.rewrite(content, "docs/redis.md");
    assertEquals(List.of("Guard", "a guard"), content.select("a").eachText());
  }

  @Test
  void longTablesAreFoldedAndNumbersStayOnOneLine() {
    String head = "| a | b |\n|---|---|\n";
    Element content =
        Markdown.render(
            head + "| 1 · 2 · 3 | three words here |\n" + "\n\n" + head + "| 1 | x |\n".repeat(61));
    Shape.apply(content);
    assertEquals("1 · 2 · 3", content.expectFirst("td.number").text());
    assertEquals(List.of("61 rows"), content.select("details > summary").eachText());
    assertEquals(1, content.select("details table").size());
  }

  @Test
  void aLinkThatLeadsNowhereStopsTheBuild() {
    LinkMap links = new LinkMap(ROOT, Optional.empty());
    links.add("docs/guard.md", "guard.html", "Guard");
    for (String link : List.of("nowhere.md", "guard.md#no-such-heading")) {
      Element content = Markdown.render("[a](" + link + ")");
      BrokenLinkException broken =
          assertThrows(
              BrokenLinkException.class, () -> links.rewrite(content, "docs/redis.md"), link);
      assertTrue(broken.getMessage().contains("docs/redis.md"), broken.getMessage());
      assertTrue(broken.getMessage().contains("'" + link + "'"), broken.getMessage());
    }
  }
}
