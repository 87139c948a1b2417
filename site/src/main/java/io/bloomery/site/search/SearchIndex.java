package io.bloomery.site.search;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;

/**
 * The search index of the pages: their sections, and the words in each. It is a script, because
 * pages opened as local files can load scripts and nothing else.
 */
public final class SearchIndex {

  private static final Pattern WORD = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]+");
  private static final int EXCERPT = 150;
  private static final int MOST_TIMES = 9; // the maximum count of a word in a section
  private static final int IN_HEADING = 12; // the weight of a word in a heading
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  private final List<List<String>> sections = new ArrayList<>();
  private final SortedMap<String, SortedMap<Integer, Integer>> words = new TreeMap<>();

  /** Adds a page, section by section. */
  public void add(String file, Element content) {
    String title = content.select("h1").text();
    String address = file;
    String heading = title;
    StringBuilder text = new StringBuilder();
    for (Element block : content.children()) {
      if (block.is("h2, h3, h4") && block.hasAttr("id")) {
        add(address, title, heading, text.toString());
        address = file + "#" + block.id();
        Element plain = block.clone();
        plain.select(".anchor").remove();
        heading = plain.text();
        text.setLength(0);
      } else if (!block.is("h1")) {
        text.append(block.text()).append(' ');
      }
    }
    add(address, title, heading, text.toString());
  }

  private void add(String address, String title, String heading, String text) {
    int section = sections.size();
    String excerpt = text.strip();
    if (excerpt.length() > EXCERPT) {
      excerpt = excerpt.substring(0, Math.max(1, excerpt.lastIndexOf(' ', EXCERPT))) + " …";
    }
    sections.add(List.of(address, title, heading, excerpt));
    count(text, section, 1, MOST_TIMES);
    count(heading, section, IN_HEADING, Integer.MAX_VALUE);
  }

  private void count(String text, int section, int times, int most) {
    Matcher word = WORD.matcher(text.toLowerCase(Locale.ROOT));
    while (word.find()) {
      words
          .computeIfAbsent(word.group(), key -> new TreeMap<>())
          .merge(section, times, (before, more) -> Math.min(most, before + more));
    }
  }

  /** Returns the script. */
  public String toScript() throws IOException {
    List<String> names = new ArrayList<>(words.keySet());
    List<List<Integer>> places = new ArrayList<>();
    for (SortedMap<Integer, Integer> found : words.values()) {
      List<Integer> flat = new ArrayList<>();
      for (Map.Entry<Integer, Integer> place : found.entrySet()) {
        flat.add(place.getKey());
        flat.add(place.getValue());
      }
      places.add(flat);
    }
    String json =
        JSON.writeValueAsString(Map.of("sections", sections, "words", names, "places", places));
    return "bloomery.searchIndex = " + json + ";\n";
  }
}
