package io.bloomery.site;

import io.bloomery.Bloomery;
import io.bloomery.site.frame.Frame;
import io.bloomery.site.link.BrokenLinkException;
import io.bloomery.site.link.LinkMap;
import io.bloomery.site.markdown.Markdown;
import io.bloomery.site.markdown.Shape;
import io.bloomery.site.page.PagePlan;
import io.bloomery.site.page.SiteMap;
import io.bloomery.site.resource.Resources;
import io.bloomery.site.search.SearchIndex;
import io.bloomery.site.sizing.SizingGrid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Element;

/** Generates the site: reads the Markdown files of the repository, and writes a folder of pages. */
public final class SiteBuild {

  private static final String LICENSE = "LICENSE";

  private final Path root;
  private final Path folder;
  private final SiteMap map;
  private final LinkMap links;
  private final Frame frame;

  /**
   * Prepares to generate a site.
   *
   * @param root the root of the repository
   * @param folder the output folder
   * @param version the version of the library
   * @param repository the address of the public repository, for links to sources
   * @param javadoc whether the Javadoc is in {@code api}, beside the pages
   */
  public SiteBuild(
      Path root, Path folder, String version, Optional<String> repository, boolean javadoc)
      throws IOException {
    this.root = root;
    this.folder = folder;
    this.links = new LinkMap(root, repository);
    this.map = new SiteMap(root);
    this.frame = new Frame(map, version, repository, javadoc);
  }

  /**
   * Generates all pages.
   *
   * @throws BrokenLinkException if a link of a Markdown file has no target
   */
  public void run() throws IOException, BrokenLinkException {
    Files.createDirectories(folder);
    Resources.copyTo(folder);
    Map<PagePlan, Element> contents = new LinkedHashMap<>();
    for (PagePlan plan : map.pages().toList()) {
      contents.put(plan, content(plan));
    }
    contents.forEach(this::addLinks);
    links.add(LICENSE, LICENSE + ".txt", LICENSE);
    SearchIndex index = new SearchIndex();
    for (Map.Entry<PagePlan, Element> page : contents.entrySet()) {
      PagePlan plan = page.getKey();
      Element content = page.getValue();
      if (plan.isMarkdown()) {
        links.rewrite(content, plan.source());
      }
      Shape.apply(content);
      index.add(plan.file(), content);
      Files.writeString(folder.resolve(plan.file()), frame.around(plan, content));
    }
    Files.writeString(folder.resolve("search-index.js"), index.toScript());
    Files.copy(
        root.resolve(LICENSE),
        folder.resolve(LICENSE + ".txt"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  private Element content(PagePlan plan) throws IOException {
    if (!plan.isMarkdown()) {
      Element fragment = Jsoup.parseBodyFragment(Resources.text(plan.source())).body();
      fragment
          .expectFirst("#sizing-grid")
          .appendChild(new DataNode(new SizingGrid(Bloomery.installed()).toJson()));
      return fragment;
    }
    return Markdown.render(Files.readString(root.resolve(plan.source())));
  }

  private void addLinks(PagePlan plan, Element content) {
    if (plan.isMarkdown()) {
      links.add(plan.source(), plan.file(), plan.label());
      for (Element heading : content.select("[id]")) {
        links.addHeading(plan.source(), heading.id(), plan.file());
      }
    }
  }
}
