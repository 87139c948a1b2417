package io.bloomery.cli;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws curves as a picture; apart from the rest, since its library takes a moment to load. */
final class RatePicture {

  private static final List<Color> COLORS =
      List.of(Color.ORANGE, Color.RED, Color.BLUE, Color.MAGENTA, Color.BLACK, Color.GREEN);

  /** No rate is drawn as lower: a logarithmic axis has no end. */
  private static final double SHOWN_BELOW = 1e-3;

  private RatePicture() {}

  /** Returns a PNG. */
  static byte[] png(RateCurves curves) throws IOException {
    System.setProperty("java.awt.headless", "true");
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(560)
            .title(curves.title())
            .xAxisTitle("keys")
            .yAxisTitle("false-positive rate")
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    chart.getStyler().setYAxisLogarithmic(true);
    chart.getStyler().setXAxisDecimalPattern("#,##0");
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    double lowest = curves.targetRate() * SHOWN_BELOW;
    double[] keys = curves.keys().stream().mapToDouble(Long::doubleValue).toArray();
    Iterator<Color> colors = COLORS.iterator();
    for (Map.Entry<String, RateCurves.Curve> curve : curves.curves().entrySet()) {
      double[] rates =
          curve.getValue().rates().stream().mapToDouble(r -> Math.max(lowest, r)).toArray();
      chart
          .addSeries(curve.getKey(), keys, rates)
          .setMarker(SeriesMarkers.NONE)
          .setLineColor(colors.hasNext() ? colors.next() : Color.GRAY);
    }
    if (curves.now() != null) {
      chart
          .addSeries(
              "now",
              new double[] {curves.now().keys()},
              new double[] {Math.max(lowest, curves.now().rate())})
          .setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter)
          .setMarker(SeriesMarkers.CIRCLE)
          .setMarkerColor(Color.BLACK);
    }
    ByteArrayOutputStream png = new ByteArrayOutputStream();
    ChartEncoder.saveChart(chart, png, "png");
    return png.toByteArray();
  }
}
