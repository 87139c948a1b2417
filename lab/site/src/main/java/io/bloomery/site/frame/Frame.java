package io.bloomery.site.frame;

import io.bloomery.site.page.PagePlan;
import io.bloomery.site.page.SiteMap;
import io.bloomery.site.resource.Resources;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** The frame around the content of each page: head, navigation, table of contents, footer. */
public final class Frame {

  private static final int DESCRIPTION = 160;

  private final String template;
  private final SiteMap map;
  private final String version;
  private final Optional<String> repository;
  private final boolean javadoc;

  /**
   * Reads the frame.
   *
   * @param map the pages
   * @param version the version of the library
   * @param repository the address of the public repository
   * @param javadoc whether the Javadoc is in {@code api}, beside the pages
   */
  public Frame(SiteMap map, String version, Optional<String> repository, boolean javadoc)
      throws IOException {
    this.template = Resources.text("frame.html");
    this.map = map;
    this.version = version;
    this.repository = repository;
    this.javadoc = javadoc;
  }

  /** Returns a whole page. */
  public String around(PagePlan plan, Element content) {
    Document page = Jsoup.parse(template);
    String title =
        content.select("h1").stream().findFirst().map(Element::text).orElse(plan.label());
    page.title(
        title.equals("Bloomery") ? "Bloomery: Bloom filters for the JVM" : title + " · Bloomery");
    page.select("meta[name=description]").attr("content", description(content));
    page.expectFirst("#version").text(version);
    navigation(page.expectFirst("#pages"), plan);
    contents(page.expectFirst("#contents"), content);
    foot(page.expectFirst("footer"), plan);
    Element main = page.expectFirst("main");
    content.childNodesCopy().forEach(main::appendChild);
    page.outputSettings().prettyPrint(false).charset("UTF-8");
    return page.outerHtml() + "\n";
  }

  private static String description(Element content) {
    String text = content.select("p").stream().findFirst().map(Element::text).orElse("");
    return text.length() <= DESCRIPTION
        ? text
        : text.substring(0, text.lastIndexOf(' ', DESCRIPTION)) + " …";
  }

  private void navigation(Element pages, PagePlan current) {
    for (SiteMap.Group group : map.groups()) {
      Element list = group(pages, group.label());
      for (PagePlan plan : group.pages()) {
        Element link = list.appendElement("li").appendElement("a");
        link.attr("href", plan.file()).text(plan.label());
        if (plan.equals(current)) {
          link.attr("aria-current", "page");
        }
      }
    }
    if (javadoc) {
      Element link = group(pages, "Reference").appendElement("li").appendElement("a");
      link.attr("href", "api/index.html").text("Javadoc");
    }
  }

  private static Element group(Element pages, String label) {
    Element group = pages.appendElement("div");
    group.appendElement("h2").text(label);
    return group.appendElement("ul");
  }

  private static void contents(Element contents, Element content) {
    List<Element> headings = content.select("h2[id], h3[id]");
    if (content.select("h2[id]").size() < 2) {
      contents.remove();
      return;
    }
    Element list = contents.appendElement("ul");
    for (Element heading : headings) {
      Element entry = list.appendElement("li");
      if (heading.is("h3")) {
        entry.addClass("inner");
      }
      Element text = heading.clone();
      text.select(".anchor").remove();
      entry.appendElement("a").attr("href", "#" + heading.id()).text(text.text());
    }
  }

  private void foot(Element foot, PagePlan plan) {
    Element line = foot.appendElement("p");
    line.text("Bloomery " + version + " · Apache-2.0");
    if (plan.kind() == PagePlan.Kind.MARKDOWN) {
      line.appendText(" · made of ");
      if (repository.isPresent()) {
        line.appendElement("a")
            .attr("href", repository.get() + "/blob/HEAD/" + plan.source())
            .text(plan.source());
      } else {
        line.appendElement("code").text(plan.source());
      }
    }
  }
}
