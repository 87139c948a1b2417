package io.bloomery.examples;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * The false-positive rate of every installed variant against the number of keys: what was planned
 * as a line, what one filter measures as dots.
 */
public final class RateChart {

  private static final long EXPECTED = 100_000;
  private static final double RATE = 0.01;
  private static final List<Color> COLORS =
      List.of(Color.ORANGE, Color.RED, Color.BLUE, Color.MAGENTA, Color.BLACK, Color.GREEN);

  // In tenths of the expected keys.
  private static final int FIRST = 5;
  private static final int LAST = 30;

  private static final int QUERIES = 200_000;

  private RateChart() {}

  /** Draws the chart into the PNG file that is named. */
  public static void main(String... args) throws IOException {
    System.setProperty("java.awt.headless", "true");
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(560)
            .title("Rate against keys: 100,000 expected at 1 %")
            .xAxisTitle("keys put, in thousands")
            .yAxisTitle("false positives, %")
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    double[] keys = steps().mapToDouble(i -> 10.0 * i).toArray();
    Map<String, List<Double>> measured = measured();
    Iterator<Color> colors = COLORS.iterator();
    planned()
        .forEach(
            (variant, rates) -> {
              Color color = colors.hasNext() ? colors.next() : Color.GRAY;
              chart
                  .addSeries(variant, keys, percent(rates))
                  .setMarker(SeriesMarkers.NONE)
                  .setLineColor(color);
              chart
                  .addSeries(variant + ", measured", keys, percent(measured.get(variant)))
                  .setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter)
                  .setMarker(SeriesMarkers.CIRCLE)
                  .setMarkerColor(color)
                  .setShowInLegend(false);
            });
    try (OutputStream out = Files.newOutputStream(Path.of(args[0]))) {
      ChartEncoder.saveChart(chart, out, "png");
    }
  }

  private static IntStream steps() {
    return IntStream.rangeClosed(FIRST, LAST);
  }

  private static double[] percent(List<Double> rates) {
    return rates.stream().mapToDouble(rate -> 100 * rate).toArray();
  }

  /**
   * Returns the rates that each variant's plan gives, after each further tenth of the expected
   * keys.
   */
  public static Map<String, List<Double>> planned() {
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    Bloomery bloomery = Bloomery.installed();
    for (String variant : bloomery.providers().variants()) {
      FilterPlan plan = bloomery.providers().get(variant).plan(FilterSpec.of(EXPECTED, RATE));
      rates.put(variant, steps().mapToObj(i -> plan.falsePositiveRate(i * EXPECTED / 10)).toList());
    }
    return rates;
  }

  /** Returns the rates that one filter of each variant has, after as many. */
  public static Map<String, List<Double>> measured() {
    Map<String, List<Double>> rates = new LinkedHashMap<>();
    Bloomery bloomery = Bloomery.installed();
    for (String variant : bloomery.providers().variants()) {
      Filter filter =
          bloomery
              .providers()
              .get(variant)
              .create(FilterSpec.of(EXPECTED, RATE), ThreadMode.CONFINED);
      SplittableRandom random = new SplittableRandom(1);
      List<Double> measured = new ArrayList<>();
      random.longs((FIRST - 1) * EXPECTED / 10).forEach(filter::put);
      for (int i = FIRST; i <= LAST; i++) {
        random.longs(EXPECTED / 10).forEach(filter::put);
        long hits = random.longs(QUERIES).filter(filter::mightContain).count();
        measured.add((double) hits / QUERIES);
      }
      rates.put(variant, measured);
    }
    return rates;
  }
}
