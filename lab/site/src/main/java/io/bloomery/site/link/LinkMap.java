package io.bloomery.site.link;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jsoup.nodes.Element;

/**
 * The targets of links of Markdown files on the site: the page that contains the target, or else
 * the file in the public repository, if there is one.
 */
public final class LinkMap {

  private final Path root;
  private final Optional<String> repository;
  private final Map<String, String> pages = new HashMap<>(); // by file and anchor
  private final Map<String, String> labels = new HashMap<>(); // by page

  /**
   * Creates a map without pages.
   *
   * @param root the root of the repository
   * @param repository the address of the public one, without a trailing slash
   */
  public LinkMap(Path root, Optional<String> repository) {
    this.root = root;
    this.repository = repository;
  }

  /**
   * Adds a page that contains the head of a Markdown file.
   *
   * @param label the text for links whose text is the name of a file
   */
  public void add(String source, String page, String label) {
    pages.put(source, page);
    labels.put(page, label);
  }

  /** Adds a page that contains a heading of a Markdown file. */
  public void addHeading(String source, String anchor, String page) {
    pages.put(source + "#" + anchor, page + "#" + anchor);
  }

  /**
   * Rewrites the links of a page. Links to files that are on no page are replaced by their text if
   * there is no public repository.
   *
   * @throws BrokenLinkException if a link has no target
   */
  public void rewrite(Element content, String source) throws BrokenLinkException {
    for (Element link : content.select("a[href]")) {
      String target = link.attr("href");
      if (target.matches("[a-z]+:.*")) {
        link.attr("rel", "noopener");
        continue;
      }
      Optional<String> there = resolve(source, target);
      if (there.isPresent()) {
        link.attr("href", there.get());
        String label = labels.get(there.get().replaceFirst("#.*", ""));
        if (label != null && link.text().endsWith(".md")) {
          link.text(label);
        }
      } else {
        link.unwrap();
      }
    }
  }

  private Optional<String> resolve(String source, String target) throws BrokenLinkException {
    int hash = target.indexOf('#');
    String path = pathOf(source, hash < 0 ? target : target.substring(0, hash));
    String key = hash < 0 ? path : path + target.substring(hash);
    String page = pages.get(key);
    if (page != null) {
      return Optional.of(page);
    }
    Path file = root.resolve(path);
    if (hash >= 0 && pages.containsKey(path)) {
      throw new BrokenLinkException(source, target, path + " has no such heading");
    }
    if (!Files.exists(file)) {
      throw new BrokenLinkException(source, target, "there is no file " + path);
    }
    String view = Files.isDirectory(file) ? "/tree/HEAD/" : "/blob/HEAD/";
    return repository.map(address -> address + view + key);
  }

  /** Resolves a path relative to a file to one relative to the root. */
  public static String pathOf(String source, String target) {
    return target.isEmpty()
        ? source
        : Path.of(source).resolveSibling(target).normalize().toString().replace('\\', '/');
  }
}
