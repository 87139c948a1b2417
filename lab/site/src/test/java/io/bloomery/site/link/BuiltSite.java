package io.bloomery.site.link;

import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** A site in a folder, as a reader finds it: its pages, and what is wrong with their links. */
public final class BuiltSite {

  private static final Pattern ABSOLUTE = Pattern.compile("(?i)^(?:[a-z][a-z0-9+.-]*:|//).*");
  private static final Pattern IN_STYLE =
      Pattern.compile("url\\(\\s*['\"]?([^'\")]+)|@import\\s+['\"]([^'\"]+)");

  private final Path folder;
  private final Map<Path, Set<String>> anchors = new HashMap<>();
  private final Set<Path> pages;

  /** Finds the pages of a site. */
  public BuiltSite(Path folder) throws IOException {
    this.folder = folder.toAbsolutePath().normalize();
    try (Stream<Path> files = Files.walk(this.folder)) {
      this.pages = new HashSet<>(files.filter(file -> file.toString().endsWith(".html")).toList());
    }
  }

  /** Returns the pages, Javadoc as well if there is any. */
  public List<Path> pages() {
    return pages.stream().sorted().toList();
  }

  /** Returns the pages that are no Javadoc. */
  public List<Path> ownPages() {
    return pages().stream().filter(page -> folder.equals(page.getParent())).toList();
  }

  /** Returns a page. */
  public static Document parse(Path page) throws IOException {
    return Jsoup.parse(page, StandardCharsets.UTF_8.name());
  }

  /** Returns all links that lead nowhere, and all that would ask another host. */
  public List<String> faults() throws IOException {
    List<String> faults = new ArrayList<>();
    Map<Path, List<String>> links = new HashMap<>();
    for (Path page : pages()) {
      Document document = parse(page);
      Set<String> ids = new HashSet<>();
      for (Element element : document.select("[id], a[name]")) {
        String id = element.hasAttr("id") ? element.id() : element.attr("name");
        if (!ids.add(id) && element.hasAttr("id")) {
          faults.add(name(page) + ": id '" + id + "' stands twice");
        }
      }
      anchors.put(page, ids);
      links.put(page, document.select("a[href], area[href]").eachAttr("href"));
      for (Element loaded :
          document.select(
              "[src], link[href], object[data], [srcset], [poster], image[href], use[href],"
                  + " form[action], base[href], meta[http-equiv=refresh]")) {
        faults.addAll(faultsOfLoaded(page, loaded));
      }
      for (String style : document.select("[style]").eachAttr("style")) {
        faults.addAll(faultsOfStyle(page, style));
      }
      for (Element style : document.select("style")) {
        faults.addAll(faultsOfStyle(page, style.data()));
      }
    }
    for (Map.Entry<Path, List<String>> of : links.entrySet()) {
      for (String link : of.getValue()) {
        if (!ABSOLUTE.matcher(link).matches() && !isFound(of.getKey(), link)) {
          faults.add(name(of.getKey()) + ": '" + link + "' leads nowhere");
        }
      }
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path style : files.filter(file -> file.toString().endsWith(".css")).toList()) {
        faults.addAll(faultsOfStyle(style, Files.readString(style)));
      }
    }
    return faults.stream().sorted().toList();
  }

  private List<String> faultsOfLoaded(Path page, Element element) {
    List<String> faults = new ArrayList<>();
    for (String attribute : List.of("src", "href", "data", "poster", "action")) {
      String value = element.attr(attribute);
      if (!value.isEmpty()) {
        faults.addAll(faultsOfAddress(page, value));
      }
    }
    if (element.is("meta")) {
      String address = element.attr("content").replaceFirst("^\\d+\\s*;\\s*(?i:url=)?", "");
      faults.addAll(faultsOfAddress(page, address));
    }
    if (element.hasAttr("srcset") || element.is("base")) {
      faults.add(name(page) + ": loads what is not followed here: " + element);
    }
    return faults;
  }

  private List<String> faultsOfStyle(Path file, String style) {
    List<String> faults = new ArrayList<>();
    Matcher address = IN_STYLE.matcher(style);
    while (address.find()) {
      String value = address.group(1) == null ? address.group(2) : address.group(1);
      faults.addAll(faultsOfAddress(file, value));
    }
    return faults;
  }

  private List<String> faultsOfAddress(Path file, String value) {
    if (value.startsWith("data:")) {
      return List.of();
    }
    if (ABSOLUTE.matcher(value).matches()) {
      return List.of(name(file) + ": asks another host: " + value);
    }
    return isFound(file, value)
        ? List.of()
        : List.of(name(file) + ": '" + value + "' is not there");
  }

  private boolean isFound(Path page, String link) {
    URI address = URI.create(link.replace(" ", "%20"));
    String path = address.getPath();
    Path target = path == null || path.isEmpty() ? page : page.resolveSibling(path).normalize();
    if (!target.startsWith(folder) || !Files.isRegularFile(target)) {
      return false;
    }
    String anchor = address.getRawFragment();
    if (anchor == null || anchor.isEmpty() || !pages.contains(target)) {
      return true;
    }
    Set<String> ids = anchors.getOrDefault(target, Set.of());
    return ids.contains(anchor)
        || ids.contains(URLDecoder.decode(anchor.replace("+", "%2B"), StandardCharsets.UTF_8));
  }

  private String name(Path file) {
    return folder.relativize(file).toString();
  }
}
