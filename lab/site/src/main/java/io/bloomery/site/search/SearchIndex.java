package io.bloomery.site.search;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
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
    StringWriter script = new StringWriter();
    script.write("bloomery.searchIndex = ");
    try (JsonGenerator json = new JsonFactory().createGenerator(script)) {
      json.writeStartObject();
      json.writeArrayFieldStart("sections");
      for (List<String> section : sections) {
        json.writeArray(section.toArray(String[]::new), 0, section.size());
      }
      json.writeEndArray();
      json.writeFieldName("words");
      json.writeArray(words.keySet().toArray(String[]::new), 0, words.size());
      json.writeArrayFieldStart("places");
      for (SortedMap<Integer, Integer> found : words.values()) {
        int[] flat =
            found.entrySet().stream()
                .flatMapToInt(place -> IntStream.of(place.getKey(), place.getValue()))
                .toArray();
        json.writeArray(flat, 0, flat.length);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return script + ";\n";
  }
}
