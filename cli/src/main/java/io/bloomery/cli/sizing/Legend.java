package io.bloomery.cli.sizing;

import io.bloomery.filter.FilterDescription;
import java.util.Map;

/** The legend below a table or plot, which describes the structure of each variant. */
public final class Legend {

  private Legend() {}

  /**
   * Returns an entry for each variant that describes its structure, in lines of at most {@code
   * columns} columns unless a word is longer.
   *
   * @param descriptions the descriptions by the names to show, such as those of variants
   */
  public static String of(Map<String, FilterDescription> descriptions, int columns) {
    int names = descriptions.keySet().stream().mapToInt(String::length).reduce(0, Math::max) + 2;
    StringBuilder text = new StringBuilder();
    descriptions.forEach(
        (name, description) -> {
          if (!description.structure().isEmpty()) {
            append(text, name, names, description.structure(), columns);
          }
        });
    return text.toString();
  }

  private static void append(
      StringBuilder text, String name, int indent, String words, int columns) {
    int start = text.length();
    text.append(name).append(" ".repeat(indent - name.length()));
    int end = start + columns;
    for (String word : words.split(" ", -1)) {
      if (text.length() + word.length() > end) {
        text.setLength(text.length() - 1);
        text.append('\n');
        end = text.length() + columns;
        text.append(" ".repeat(indent));
      }
      text.append(word).append(' ');
    }
    text.setLength(text.length() - 1);
    text.append('\n');
  }
}
