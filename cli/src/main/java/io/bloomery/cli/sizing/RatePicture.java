package io.bloomery.cli.sizing;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;

/**
 * Draws curves as a picture; a class of its own, since its libraries take a moment to load. Curves
 * that coincide stay visible: each has its own colour, dashes and marker, and markers of different
 * curves are at different places.
 */
final class RatePicture {
  // decisions.md#plot-draws-its-pictures-itself-in-300-lines

  private static final int WIDTH = 900;
  private static final int HEIGHT = 560;
  private static final Rectangle AREA = new Rectangle(86, 64, 624, 424);

  // The palette of Okabe and Ito, which people with red-green colour blindness can distinguish.
  private static final List<Color> COLORS =
      List.of(
          new Color(0xe6, 0x9f, 0x00),
          new Color(0xd5, 0x5e, 0x00),
          new Color(0x00, 0x72, 0xb2),
          new Color(0xcc, 0x79, 0xa7),
          Color.BLACK,
          new Color(0x00, 0x9e, 0x73));

  /** Lengths of dashes and gaps, such that each curve shows through those drawn later. */
  private static final float[][] DASHES = {
    null, {14, 6}, {3, 5}, {10, 5, 3, 5}, {5, 9}, {16, 4, 3, 4, 3, 4}
  };

  private static final Color GRID = new Color(0xdd, 0xdd, 0xdd);
  private static final Color ASKED = new Color(0x55, 0x55, 0x55);
  private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
  private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 16);
  private static final Font SMALLEST_TITLE = TITLE.deriveFont(9f);
  private static final float CURVE = 2.5f;
  private static final float MARK = 4.5f; // from its centre to its edge
  private static final int MARKS = 6; // per curve
  private static final int ROOM = 24; // between two labels of an axis, or two lines of the legend

  private final Graphics2D graphics;
  private final RateCurves curves;
  private final int lowest; // exponent of ten
  private final int highest;

  private RatePicture(Graphics2D graphics, RateCurves curves) {
    this.graphics = graphics;
    this.curves = curves;
    this.highest = curves.highestDecade();
    this.lowest = curves.lowestDecade();
  }

  /** Returns the content of the picture file. */
  static byte[] bytes(RateCurves curves, PictureFormat format) throws IOException {
    System.setProperty("java.awt.headless", "true");
    return switch (format) {
      case PNG -> png(curves);
      case SVG -> svg(curves);
    };
  }

  private static byte[] png(RateCurves curves) throws IOException {
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
    graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    new RatePicture(graphics, curves).draw();
    graphics.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  private static byte[] svg(RateCurves curves) throws IOException {
    SVGGraphics2D graphics;
    try {
      graphics =
          new SVGGraphics2D(
              DocumentBuilderFactory.newInstance()
                  .newDocumentBuilder()
                  .getDOMImplementation()
                  .createDocument("http://www.w3.org/2000/svg", "svg", null));
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("Java always has a maker of documents", e);
    }
    graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
    new RatePicture(graphics, curves).draw();
    StringWriter text = new StringWriter();
    graphics.stream(text, false);
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void draw() {
    graphics.setColor(Color.WHITE);
    graphics.fill(new Rectangle(0, 0, WIDTH, HEIGHT));
    drawTitle();
    drawRates();
    drawKeys();
    drawAsked();
    int i = 0;
    for (Map.Entry<String, RateCurves.Curve> curve : curves.curves().entrySet()) {
      drawCurve(curve.getValue().rates(), i);
      drawLegend(curve.getKey(), i++);
    }
    if (curves.now() != null) {
      drawNow(i);
    }
    graphics.setColor(Color.BLACK);
    graphics.setStroke(new BasicStroke(1));
    graphics.draw(AREA);
  }

  private void drawTitle() {
    graphics.setColor(Color.BLACK);
    graphics.setFont(TITLE);
    int width = width(curves.title());
    if (width > WIDTH - ROOM) {
      // The title may contain a long file name.
      float size = TITLE.getSize2D() * (WIDTH - ROOM) / width;
      graphics.setFont(TITLE.deriveFont(Math.max(SMALLEST_TITLE.getSize2D(), size)));
    }
    graphics.drawString(
        curves.title(), Math.max(ROOM / 2, (WIDTH - width(curves.title())) / 2), 28);
    graphics.setFont(TEXT);
  }

  private void drawRates() {
    int every = 1 + (highest - lowest) / 10;
    for (int decade = lowest; decade <= highest; decade++) {
      int y = (int) Math.round(y(Math.pow(10, decade)));
      drawGrid(new Line2D.Double(AREA.x, y, AREA.getMaxX(), y));
      if ((highest - decade) % every == 0) {
        String label = RateText.decade(decade);
        graphics.drawString(label, AREA.x - 8 - width(label), y + 5);
      }
    }
    Graphics2D upright = (Graphics2D) graphics.create();
    String name = "false-positive rate";
    upright.rotate(-Math.PI / 2);
    upright.drawString(name, -(int) AREA.getCenterY() - width(name) / 2, 20);
    upright.dispose();
  }

  private void drawKeys() {
    int label = width(number(curves.lastKeys())) + ROOM;
    for (long tick : RoundTicks.upTo(curves.lastKeys(), AREA.width / label + 1)) {
      int x = (int) Math.round(x((double) tick));
      drawGrid(new Line2D.Double(x, AREA.y, x, AREA.getMaxY()));
      graphics.drawString(
          number(tick), x - width(number(tick)) / 2, (int) AREA.getMaxY() + ROOM - 4);
    }
    graphics.drawString(
        "keys", (int) AREA.getCenterX() - width("keys") / 2, (int) AREA.getMaxY() + 2 * ROOM);
  }

  private void drawGrid(Line2D line) {
    graphics.setColor(GRID);
    graphics.setStroke(new BasicStroke(1));
    graphics.draw(line);
    graphics.setColor(Color.BLACK);
  }

  /** Draws the guarantee: the crossing of two lines. */
  private void drawAsked() {
    double x = x((double) curves.expected());
    double y = y(curves.targetRate());
    graphics.setColor(ASKED);
    graphics.setStroke(new BasicStroke(1.5f));
    graphics.draw(new Line2D.Double(x, AREA.y, x, AREA.getMaxY()));
    graphics.draw(new Line2D.Double(AREA.x, y, AREA.getMaxX(), y));
    String keys = "n = " + number(curves.expected());
    graphics.drawString(keys, (int) x - width(keys) / 2, AREA.y - 7);
    String rate = curves.targetRate() + " requested";
    graphics.drawString(rate, (int) AREA.getMaxX() - 6 - width(rate), (int) y - 5);
  }

  private void drawCurve(List<Double> rates, int i) {
    Path2D path = new Path2D.Double();
    Graphics2D inside = (Graphics2D) graphics.create();
    inside.clip(AREA);
    inside.setColor(color(i));
    for (int step = 0; step < rates.size(); step++) {
      double rate = rates.get(step);
      if (rate <= 0) {
        continue;
      }
      double x = x((double) curves.keys().get(step));
      if (path.getCurrentPoint() == null) {
        path.moveTo(x, y(rate));
      } else {
        path.lineTo(x, y(rate));
      }
      if (isMarked(step, rates.size(), i)) {
        inside.fill(mark(i, x, y(rate)));
      }
    }
    inside.setStroke(stroke(i));
    inside.draw(path);
    inside.dispose();
  }

  /** Markers of different curves are at different numbers of keys, so that none hides another. */
  private boolean isMarked(int step, int steps, int i) {
    int every = Math.max(curves.curves().size(), steps / MARKS);
    return (step + 1) % every == every * i / curves.curves().size();
  }

  private void drawLegend(String name, int i) {
    int x = (int) AREA.getMaxX() + 20;
    int y = AREA.y + 10 + ROOM * i;
    graphics.setColor(color(i));
    graphics.fill(mark(i, x + 20.0, y));
    graphics.setStroke(stroke(i));
    graphics.draw(new Line2D.Double(x, y, x + 40.0, y));
    graphics.setColor(Color.BLACK);
    graphics.drawString(name, x + 48, y + 5);
  }

  private void drawNow(int i) {
    int x = (int) AREA.getMaxX() + 20;
    int y = AREA.y + 10 + ROOM * i;
    graphics.setColor(Color.BLACK);
    graphics.setStroke(new BasicStroke(CURVE));
    graphics.draw(ring(x + 20.0, y));
    graphics.drawString("now", x + 48, y + 5);
    double lowestRate = Math.pow(10, lowest);
    graphics.draw(ring(x(curves.now().keys()), y(Math.max(lowestRate, curves.now().rate()))));
  }

  private static Shape ring(double x, double y) {
    return new Ellipse2D.Double(x - 2 * MARK, y - 2 * MARK, 4 * MARK, 4 * MARK);
  }

  private static Color color(int i) {
    return COLORS.get(i % COLORS.size());
  }

  private static BasicStroke stroke(int i) {
    return new BasicStroke(
        CURVE, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, DASHES[i % DASHES.length], 0);
  }

  /** Returns a circle, square, triangle, diamond, inverted triangle or hourglass. */
  private static Shape mark(int i, double x, double y) {
    Path2D shape = new Path2D.Double();
    switch (i % 6) {
      case 0 -> shape.append(new Ellipse2D.Double(-1, -1, 2, 2), false);
      case 1 -> shape.append(new Rectangle2D.Double(-1, -1, 2, 2), false);
      case 2 -> polygon(shape, 0, -1, 1, 1, -1, 1);
      case 3 -> polygon(shape, 0, -1.3, 1.3, 0, 0, 1.3, -1.3, 0);
      case 4 -> polygon(shape, 0, 1, 1, -1, -1, -1);
      default -> polygon(shape, -1, -1, 1, -1, -1, 1, 1, 1);
    }
    AffineTransform place = AffineTransform.getTranslateInstance(x, y);
    place.scale(MARK, MARK);
    return place.createTransformedShape(shape);
  }

  private static void polygon(Path2D shape, double... corners) {
    shape.moveTo(corners[0], corners[1]);
    for (int i = 2; i < corners.length; i += 2) {
      shape.lineTo(corners[i], corners[i + 1]);
    }
    shape.closePath();
  }

  private double x(double keys) {
    return AREA.x + keys / curves.lastKeys() * AREA.width;
  }

  private double y(double rate) {
    return AREA.y + (highest - Math.log10(rate)) / (highest - lowest) * AREA.height;
  }

  private int width(String text) {
    return graphics.getFontMetrics().stringWidth(text);
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
