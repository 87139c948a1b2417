package io.bloomery.site.link;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jsoup.nodes.Element;

/**
 * Where links of Markdown files lead on the site: to the page that has what they name, else to the
 * file in the public repository, if there is one.
 */
public final class LinkMap {

  private final Path root;
  private final Optional<String> repository;
  private final Map<String, String> pages = new HashMap<>(); // by file and anchor
  private final Map<String, String> labels = new HashMap<>(); // by page

  /**
   * Makes a map without pages.
   *
   * @param root of the repository
   * @param repository the address of the public one, without a slash at its end
   */
  public LinkMap(Path root, Optional<String> repository) {
    this.root = root;
    this.repository = repository;
  }

  /**
   * Says that a page has the head of a Markdown file.
   *
   * @param label what links are called whose text is the name of a file
   */
  public void add(String source, String page, String label) {
    pages.put(source, page);
    labels.put(page, label);
  }

  /** Says that a page has a heading of a Markdown file. */
  public void addHeading(String source, String anchor, String page) {
    pages.put(source + "#" + anchor, page + "#" + anchor);
  }

  /**
   * Rewrites the links of a page. Links to files that are on no page are dropped, without their
   * text, if there is no public repository.
   *
   * @throws BrokenLinkException if a link leads nowhere
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

  /** Returns the path from the root that a path beside a file stands for. */
  public static String pathOf(String source, String target) {
    return target.isEmpty()
        ? source
        : Path.of(source).resolveSibling(target).normalize().toString().replace('\\', '/');
  }
}
