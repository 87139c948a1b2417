package io.bloomery.site.markdown;

import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Comment;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.select.NodeFilter;

/** Renders Markdown as HTML, with the anchors of headings that GitHub generates. */
public final class Markdown {

  private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder().extensions(EXTENSIONS).build();

  private Markdown() {}

  /** Renders a file; comments in it are omitted. */
  public static Element render(String markdown) {
    Element body = Jsoup.parseBodyFragment(RENDERER.render(PARSER.parse(markdown))).body();
    body.filter(
        (Node node, int depth) ->
            node instanceof Comment
                ? NodeFilter.FilterResult.REMOVE
                : NodeFilter.FilterResult.CONTINUE);
    Slugs slugs = new Slugs();
    for (Element heading : body.select("h1, h2, h3, h4, h5, h6")) {
      heading.attr("id", slugs.next(heading.text()));
    }
    return body;
  }
}
