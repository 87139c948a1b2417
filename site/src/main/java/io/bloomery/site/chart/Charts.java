package io.bloomery.site.chart;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;

/**
 * The charts of the pages on speed, drawn from the results in the repository in place of the images
 * of them: in panels that fit a telephone, and in the colours of the page.
 */
public final class Charts {

  private static final Pattern QUERIES = Pattern.compile("docs/charts/queries-(\\d+)\\.svg");
  private static final String COST = "docs/charts/cost.svg";
  private static final List<String> OF_QUERIES = List.of("hit", "miss", "batch hit", "batch miss");
  private static final List<String> OF_COST = List.of("put, new key", "miss", "batch miss");

  private final ResultsFile matrix;
  private final ResultsFile cost;

  /** Reads the results in a repository. */
  public Charts(Path root) throws IOException {
    this.matrix = ResultsFile.read(root.resolve("benchmarks/results/matrix.json"));
    this.cost = ResultsFile.read(root.resolve("benchmarks/results/cost.json"));
  }

  /**
   * Draws the chart of an image in the repository, if the image shows results.
   *
   * @param label the description of the image
   */
  public Optional<Element> draw(String picture, String label) {
    Matcher queries = QUERIES.matcher(picture);
    if (queries.matches()) {
      return Optional.of(queries(Long.parseLong(queries.group(1)), label));
    }
    return picture.equals(COST) ? Optional.of(cost(label)) : Optional.empty();
  }

  private Element queries(long keys, String label) {
    Element figure = figure();
    for (String operation : OF_QUERIES) {
      Map<String, Double> nanos =
          matrix.of(operation).stream()
              .filter(one -> one.keys() == keys)
              .findFirst()
              .orElseThrow()
              .nanos();
      figure
          .child(0)
          .appendChild(BarPanel.draw(operation + ", ns", label + ": " + operation, nanos));
    }
    Element caption = figure.appendElement("figcaption");
    key(caption, "ours", "Bloomery");
    key(caption, "peer", "other libraries");
    key(caption, "limit", "limits of the memory");
    caption.appendText("Medians, measured on " + matrix.date() + ".");
    return figure;
  }

  private Element cost(String label) {
    Element figure = figure();
    Map<String, String> styles = new LinkedHashMap<>();
    for (String operation : OF_COST) {
      Map<String, SortedMap<Long, Double>> lines = new LinkedHashMap<>();
      for (ResultsFile.Figures one : cost.of(operation)) {
        one.nanos()
            .forEach(
                (name, nanos) ->
                    lines.computeIfAbsent(name, key -> new TreeMap<>()).put(one.keys(), nanos));
      }
      figure
          .child(0)
          .appendChild(LinePanel.draw(operation + ", ns a key", label + ": " + operation, lines));
      styles.putAll(LinePanel.styles(lines.keySet()));
    }
    Element caption = figure.appendElement("figcaption");
    styles.forEach((name, style) -> key(caption, style, name));
    caption.appendText("Medians, measured on " + cost.date() + ".");
    return figure;
  }

  private static Element figure() {
    Element figure = new Element("figure").addClass("charts");
    figure.appendElement("div").addClass("panels");
    return figure;
  }

  private static void key(Element caption, String style, String name) {
    Element key = caption.appendElement("span").addClass("key");
    key.appendElement("i").addClass(style);
    key.appendText(name);
    caption.appendText(" ");
  }
}
