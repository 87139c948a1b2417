package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.report.Field.Side;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.title.TextTitle;
import org.jfree.chart.ui.HorizontalAlignment;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;

/** The style of charts, and their conversion to SVG. */
final class Drawing {

  static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  static final Color GRID = new Color(0xd8, 0xd8, 0xd8);
  static final Color RULE = new Color(0x55, 0x55, 0x55);
  static final Map<Side, Color> COLORS =
      Map.of(
          Side.OURS, new Color(0xc4, 0x4e, 0x1a),
          Side.PEER, new Color(0x5b, 0x7d, 0xa6),
          Side.LIMIT, new Color(0xa8, 0xa8, 0xa8));

  private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 17);
  private static final int WIDTH = 1_080;

  private Drawing() {}

  /** Draws a plot with a title above and the origin of its numbers below. */
  static String svg(Plot plot, String title, Report report, int height) {
    return svg(
        plot,
        title,
        "%s, %d cores; %s; %s; benchmarks/run"
            .formatted(
                report.machine().processor(),
                report.machine().cores(),
                report.machine().jvm(),
                report.date()),
        height);
  }

  /** Draws a plot with a title above and a line of text below. */
  static String svg(Plot plot, String title, String origin, int height) {
    System.setProperty("java.awt.headless", "true");
    JFreeChart chart = new JFreeChart(title, TITLE, plot, true);
    chart.setBackgroundPaint(Color.WHITE);
    chart.getTitle().setMargin(8, 0, 8, 0);
    TextTitle source =
        new TextTitle(
            origin,
            SMALL,
            RULE,
            RectangleEdge.BOTTOM,
            HorizontalAlignment.LEFT,
            TextTitle.DEFAULT_VERTICAL_ALIGNMENT,
            new RectangleInsets(6, 12, 8, 12));
    chart.getLegend().setItemFont(PLAIN);
    chart.getLegend().setFrame(BlockBorder.NONE);
    chart.addSubtitle(source);
    SVGGraphics2D graphics = graphics();
    graphics.setSVGCanvasSize(new Dimension(WIDTH, height));
    chart.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
    StringWriter svg = new StringWriter();
    try {
      graphics.stream(svg, true);
    } catch (IOException e) {
      throw new UncheckedIOException("text in memory can always be written", e);
    }
    return svg.toString();
  }

  private static SVGGraphics2D graphics() {
    try {
      return new SVGGraphics2D(
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .getDOMImplementation()
              .createDocument("http://www.w3.org/2000/svg", "svg", null));
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Java always has a maker of documents", e);
    }
  }
}
