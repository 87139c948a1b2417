package io.bloomery.conformance.report;

import java.util.ArrayList;
import java.util.List;

/** A table whose columns are aligned, so that it is also readable as plain text. */
final class MarkdownTable {

  private static final int NARROWEST = 3;

  private final List<List<String>> rows = new ArrayList<>();

  MarkdownTable(String... head) {
    row(head);
  }

  /** Adds a row with one cell per column; cells are displayed verbatim. */
  void row(String... cells) {
    List<String> row = new ArrayList<>();
    for (String cell : cells) {
      row.add(escaped(cell));
    }
    rows.add(row);
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  /** Returns text for one line, with the special characters of Markdown escaped. */
  static String escaped(String text) {
    return text.replaceAll("[\\p{Cntrl}\\s]+", " ")
        .replaceAll("[\\\\`*\\[\\]<>&|#~]", "\\\\$0")
        .strip();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      line(text, rows.get(i), " ");
      if (i == 0) {
        line(text, rows.get(0).stream().map(cell -> "").toList(), "-");
      }
    }
    return text.toString();
  }

  private void line(StringBuilder text, List<String> cells, String filler) {
    for (int column = 0; column < cells.size(); column++) {
      String cell = cells.get(column);
      text.append("| ").append(cell).append(filler.repeat(width(column) - cell.length()));
      text.append(' ');
    }
    text.append("|\n");
  }

  private int width(int column) {
    return Math.max(
        NARROWEST, rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
  }
}
