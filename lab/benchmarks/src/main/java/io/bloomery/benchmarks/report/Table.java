package io.bloomery.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table in Markdown. */
final class Table {

  private final StringBuilder text = new StringBuilder();

  Table(List<String> heads) {
    row(heads);
    text.append("|---".repeat(heads.size())).append("|\n");
  }

  Table(String... heads) {
    this(Arrays.asList(heads));
  }

  void row(List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  void row(String head, List<String> cells) {
    List<String> row = new ArrayList<>(cells);
    row.add(0, head);
    row(row);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
