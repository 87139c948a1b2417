package io.bloomery.cli;

import io.bloomery.FilterDescription;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Draws curves with letters: the rates on a logarithmic axis, a mark for each variant. */
final class RateText {

  private static final int HEIGHT = 21;
  private static final int LABELS = 9; // columns of the labels at the left, with the axis
  private static final int NARROWEST = 40;

  private static final String MARKS = "ox*#%&=$";
  private static final char NOW = '@';
  private static final char TARGET = '.';

  /** How far below the target the drawing goes. */
  private static final double SHOWN_BELOW = 1e-3;

  private final RateCurves curves;
  private final int width;
  private final int lowest; // decade
  private final int highest;
  private final char[][] cells;

  private RateText(RateCurves curves, int columns) {
    this.curves = curves;
    this.width = Math.max(NARROWEST, columns) - LABELS;
    double top = curves.targetRate();
    double bottom = curves.targetRate();
    for (RateCurves.Curve curve : curves.curves().values()) {
      for (double rate : curve.rates()) {
        top = Math.max(top, rate);
        bottom = Math.min(bottom, rate);
      }
    }
    if (curves.now() != null) {
      top = Math.max(top, curves.now().rate());
    }
    this.highest = Math.min(0, (int) Math.ceil(Math.log10(top)));
    this.lowest =
        (int) Math.floor(Math.log10(Math.max(bottom, curves.targetRate() * SHOWN_BELOW)) + 1e-9);
    this.cells = new char[HEIGHT][width];
    for (char[] row : cells) {
      Arrays.fill(row, ' ');
    }
  }

  /** Returns the drawing in lines of at most so many columns, but of at least 40. */
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

  /** Where curves meet, their marks take turns, so that none hides another. */
  private void drawCurves() {
    List<RateCurves.Curve> all = List.copyOf(curves.curves().values());
    for (int column = 0; column < width; column++) {
      for (int turn = 0; turn < all.size(); turn++) {
        int i = (turn + column / 2) % all.size();
        double rate = rateAt(all.get(i).rates(), column);
        if (Math.log10(rate) >= lowest) {
          cells[row(rate)][column] = mark(i);
        }
      }
    }
  }

  private double rateAt(List<Double> rates, int column) {
    int step = (int) Math.round((column + 1.0) * rates.size() / width) - 1;
    return rates.get(Math.max(0, step));
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
    text.append(" ".repeat(LABELS - 1)).append('+').append("-".repeat(width)).append('\n');
    text.append(keysAxis()).append('\n');
    int i = 0;
    StringBuilder marks = new StringBuilder();
    Map<String, FilterDescription> descriptions = new LinkedHashMap<>();
    for (Map.Entry<String, RateCurves.Curve> curve : curves.curves().entrySet()) {
      String name = mark(i++) + " " + curve.getKey();
      marks.append(name).append("  ");
      descriptions.put(name, curve.getValue().description());
    }
    if (curves.now() != null) {
      marks.append(NOW).append(" now  ");
    }
    text.append(marks).append(TARGET).append(" target\n");
    String legend = Legend.of(descriptions, LABELS + width);
    return legend.isEmpty() ? text.toString() : text.append('\n').append(legend).toString();
  }

  /** Returns the decade whose line a row is, if it is one. */
  private String label(int row) {
    for (int decade = lowest; decade <= highest; decade++) {
      if (row(Math.pow(10, decade)) == row) {
        return decade >= -4
            ? String.format(Locale.ROOT, "%." + -decade + "f", Math.pow(10, decade))
            : "1e" + decade;
      }
    }
    return "";
  }

  private String keysAxis() {
    String last = String.format(Locale.ROOT, "%,d", curves.lastKeys());
    String expected = String.format(Locale.ROOT, "%,d", curves.expected());
    StringBuilder axis = new StringBuilder(" ".repeat(LABELS + width));
    axis.replace(LABELS - 5, LABELS, "keys ");
    axis.replace(axis.length() - last.length(), axis.length(), last);
    int middle = LABELS + column((double) curves.expected()) - expected.length() / 2;
    if (middle > LABELS && middle + expected.length() < axis.length() - last.length()) {
      axis.replace(middle, middle + expected.length(), expected);
    }
    return axis.toString();
  }
}
