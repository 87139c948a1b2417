package io.bloomery.cli.sizing;

import io.bloomery.filter.FilterDescription;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws curves as text: the rates on a logarithmic axis, with a character for each variant. */
final class RateText {

  private static final int HEIGHT = 21;
  private static final int LABELS = 9; // columns of the labels on the left, with the axis
  private static final int NARROWEST = 40;

  private static final String MARKS = "ox*#%&=$";
  private static final char NOW = '@';
  private static final char TARGET = '.';

  private final RateCurves curves;
  private final int width;
  private final int lowest; // exponent of ten
  private final int highest;
  private final char[][] cells;

  private RateText(RateCurves curves, int columns) {
    this.curves = curves;
    this.width = Math.max(NARROWEST, columns) - LABELS;
    this.highest = curves.highestDecade();
    this.lowest = curves.lowestDecade();
    this.cells = new char[HEIGHT][width];
    for (char[] row : cells) {
      Arrays.fill(row, ' ');
    }
  }

  /** Returns the drawing in lines of at most {@code columns} columns, but no fewer than 40. */
  static String of(RateCurves curves, int columns) {
    RateText text = new RateText(curves, columns);
    text.drawTarget();
    text.drawCurves();
    text.drawNow();
    return text.toString();
  }

  private void drawTarget() {
    int row = row(curves.targetRate());
    int column = column((double) curves.expected());
    for (int i = 0; i < width; i += 2) {
      cells[row][i] = TARGET;
    }
    for (char[] cell : cells) {
      cell[column] = TARGET;
    }
  }

  /** Where curves meet, their characters alternate, so that none hides another. */
  private void drawCurves() {
    List<RateCurves.Curve> all = List.copyOf(curves.curves().values());
    for (int column = 0; column < width; column++) {
      for (int turn = 0; turn < all.size(); turn++) {
        int i = (turn + column / 2) % all.size();
        double rate = rateAt(all.get(i).rates(), column);
        if (Math.log10(rate) >= lowest) { // false where there is none
          cells[row(rate)][column] = mark(i);
        }
      }
    }
  }

  private double rateAt(List<Double> rates, int column) {
    int step = Math.max(0, (int) Math.round((column + 1.0) * curves.keys().size() / width) - 1);
    return step < rates.size() ? rates.get(step) : Double.NaN;
  }

  private void drawNow() {
    if (curves.now() != null) {
      cells[row(curves.now().rate())][column(curves.now().keys())] = NOW;
    }
  }

  private static char mark(int i) {
    return MARKS.charAt(i % MARKS.length());
  }

  private int column(double keys) {
    long column = Math.round(keys / curves.lastKeys() * width) - 1;
    return (int) Math.max(0, Math.min(width - 1L, column));
  }

  private int row(double rate) {
    double above = (Math.log10(rate) - lowest) / (highest - lowest);
    long row = Math.round((1 - Math.min(1, Math.max(0, above))) * (HEIGHT - 1));
    return (int) row;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(curves.title()).append('\n');
    for (int row = 0; row < HEIGHT; row++) {
      text.append(String.format(Locale.ROOT, "%7s |", label(row)))
          .append(new String(cells[row]).stripTrailing())
          .append('\n');
    }
    appendKeysAxis(text);
    int i = 0;
    List<String> marks = new ArrayList<>();
    Map<String, FilterDescription> descriptions = new LinkedHashMap<>();
    for (Map.Entry<String, RateCurves.Curve> curve : curves.curves().entrySet()) {
      String name = mark(i++) + " " + curve.getKey();
      marks.add(name);
      descriptions.put(name, curve.getValue().description());
    }
    if (curves.now() != null) {
      marks.add(NOW + " now");
    }
    marks.add(TARGET + " target");
    appendMarks(text, marks);
    String legend = Legend.of(descriptions, LABELS + width);
    return legend.isEmpty() ? text.toString() : text.append('\n').append(legend).toString();
  }

  /** Appends the meaning of the marks, in as many lines as needed. */
  private void appendMarks(StringBuilder text, List<String> marks) {
    StringBuilder line = new StringBuilder();
    for (String mark : marks) {
      if (line.length() > 0 && line.length() + 2 + mark.length() > LABELS + width) {
        text.append(line).append('\n');
        line.setLength(0);
      }
      line.append(line.length() > 0 ? "  " : "").append(mark);
    }
    text.append(line).append('\n');
  }

  /** Returns the label of the power of ten in this row, or "" if there is none. */
  private String label(int row) {
    for (int decade = lowest; decade <= highest; decade++) {
      if (row(Math.pow(10, decade)) == row) {
        return decade(decade);
      }
    }
    return "";
  }

  /** Returns a power of ten as the label of an axis. */
  static String decade(int exponent) {
    return exponent >= -4
        ? String.format(Locale.ROOT, "%." + -exponent + "f", Math.pow(10, exponent))
        : "1e" + exponent;
  }

  /** Appends a line with ticks at round numbers, and their labels where there is room. */
  private void appendKeysAxis(StringBuilder text) {
    String last = number(curves.lastKeys());
    StringBuilder line = new StringBuilder(" ".repeat(LABELS - 1) + "+" + "-".repeat(width));
    StringBuilder labels = new StringBuilder(" ".repeat(LABELS - 5) + "keys");
    for (long tick : RoundTicks.upTo(curves.lastKeys(), width / (last.length() + 2))) {
      if (tick > 0) {
        int at = LABELS + column((double) tick);
        line.setCharAt(at, '+');
        // Centred below the tick, except for the last one, which ends at the right edge.
        int from = Math.min(at - number(tick).length() / 2, LABELS + width - number(tick).length());
        if (from > labels.length()) {
          labels.append(" ".repeat(from - labels.length())).append(number(tick));
        }
      }
    }
    text.append(line).append('\n').append(labels).append('\n');
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
