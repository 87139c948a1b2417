package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.memory.CountingMemory.Bits;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.geom.Ellipse2D;
import java.text.DecimalFormat;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.xy.XYLineAndShapeRenderer;
import org.jfree.data.xy.XYSeries;
import org.jfree.data.xy.XYSeriesCollection;

/** Bits per distinct key by number of puts of each. */
final class MultiplicityChart {

  static final String FILE = "multiplicity.svg";

  private static final int HEIGHT = 420;

  // The highest count of four bits; a further put is lost, or cannot be removed.
  private static final int LARGEST_OF_FOUR_BITS = 15;

  private static final Color HEAP = new Color(0xc4, 0x4e, 0x1a);
  private static final Color FILE_SIZE = new Color(0x1f, 0x5f, 0xa8);
  private static final Color TEXTBOOK = new Color(0x60, 0x60, 0x60);

  private MultiplicityChart() {}

  static String svg(Map<Integer, Bits> byTimes) {
    XYSeriesCollection lines = new XYSeriesCollection();
    lines.addSeries(line("counting, in the heap", byTimes, Bits::heap));
    lines.addSeries(line("counting, in a file", byTimes, Bits::file));
    XYSeries textbook = new XYSeries("counters of four bits, which end at 15");
    textbook.add(1, Memory.textbook(0.01));
    textbook.add(LARGEST_OF_FOUR_BITS, Memory.textbook(0.01));
    lines.addSeries(textbook);

    LogAxis times = new LogAxis("times that each key was put");
    times.setTickUnit(new NumberTickUnit(1, new DecimalFormat("#,##0")));
    NumberAxis bits = new NumberAxis("bits for each different key");
    times.setLabelFont(Drawing.PLAIN);
    times.setTickLabelFont(Drawing.PLAIN);
    bits.setLabelFont(Drawing.PLAIN);
    bits.setTickLabelFont(Drawing.PLAIN);
    XYLineAndShapeRenderer renderer = new XYLineAndShapeRenderer();
    Color[] colors = {HEAP, FILE_SIZE, TEXTBOOK};
    for (int i = 0; i < colors.length; i++) {
      renderer.setSeriesPaint(i, colors[i]);
      renderer.setSeriesStroke(i, new BasicStroke(2f));
      renderer.setSeriesShape(i, new Ellipse2D.Double(-2.5, -2.5, 5, 5));
    }
    XYPlot plot = new XYPlot(lines, times, bits, renderer);
    plot.setBackgroundPaint(Color.WHITE);
    plot.setOutlinePaint(Drawing.GRID);
    plot.setDomainGridlinePaint(Drawing.GRID);
    plot.setRangeGridlinePaint(Drawing.GRID);
    return Drawing.svg(
        plot,
        "What keys that are put several times take, counting filters at 1 %",
        "benchmarks/run memory",
        HEIGHT);
  }

  private static XYSeries line(
      String name, Map<Integer, Bits> byTimes, ToDoubleFunction<Bits> value) {
    XYSeries line = new XYSeries(name);
    byTimes.forEach((times, bits) -> line.add((double) times, value.applyAsDouble(bits)));
    return line;
  }
}
