package io.bloomery.cli.sizing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.JsonObjects;
import io.bloomery.cli.PronounceableWords;
import io.bloomery.cli.Run;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class PlotCommandTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();

  @TempDir private Path folder;

  private Path filter(int lines, Object... more) {
    String input = PronounceableWords.lines(0, lines);
    Path file = folder.resolve("f.bloom");
    int exitCode = Run.withInput(input, "create", "--force", "-o", file, more).exitCode();
    assertTrue(exitCode == ExitCode.OK || exitCode == ExitCode.OUTGROWN, "exit code " + exitCode);
    return file;
  }

  @Test
  void theCurvesAreThePlansOfAllVariants() throws IOException {
    Map<String, Object> json = Run.command("plot --keys 90K --fpp 0.02 --json").json();
    List<Map<String, Object>> curves = JsonObjects.array(json, "curves");
    assertEquals(
        BLOOMERY.providers().variants(),
        curves.stream().map(curve -> curve.get("variant")).toList());
    List<?> keys = (List<?>) json.get("keys");
    assertEquals("90000", keys.get(39));
    assertEquals("270000", keys.get(keys.size() - 1));
    for (Map<String, Object> curve : curves) {
      FilterPlan plan =
          BLOOMERY
              .providers()
              .variant((String) curve.get("variant"))
              .plan(FilterSpec.of(90_000, 0.02));

      List<?> rates = (List<?>) curve.get("rates");
      boolean isBuiltOnce =
          BLOOMERY.providers().variant(plan.variant()) instanceof StaticFilterProvider;
      assertEquals(isBuiltOnce ? 40 : keys.size(), rates.size());
      assertEquals(
          keys.stream()
              .limit(rates.size())
              .map(n -> Double.toString(plan.falsePositiveRate(Long.parseLong(n.toString()))))
              .toList(),
          rates);
    }
  }

  @Test
  void theDrawingFitsTheTerminalAndNamesEveryVariant() {
    String drawing = Run.of("plot", "--keys", "1M").out();
    List<String> lines = drawing.lines().toList();
    assertEquals("Rate against keys: 1,000,000 expected at 0.01", lines.get(0));
    assertTrue(lines.stream().allMatch(line -> line.length() <= 80), drawing);
    assertTrue(drawing.chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 127)), drawing);
    String key = String.join("  ", lines.subList(24, lines.indexOf("")));
    assertTrue(key.endsWith("  . target"), key);
    String[] marked = key.substring(0, key.length() - "  . target".length()).split("  ", -1);
    assertEquals(
        BLOOMERY.providers().variants(),
        Arrays.stream(marked).map(mark -> mark.substring(2)).toList(),
        key);
    for (String mark : marked) {
      String drawn = mark.substring(0, 1);
      assertTrue(lines.subList(1, 22).stream().anyMatch(line -> line.contains(drawn)), mark);
    }
  }

  /** The two dotted lines cross at the guarantee, and the curve passes through this point. */
  @Test
  void aCurveOfALowerRateIsBelow() {
    List<String> lines = Run.of("plot", filter(1_000, "--expected", 1_000)).out().lines().toList();
    String target =
        lines.stream().filter(line -> line.startsWith("   0.01 |. . ")).findFirst().orElseThrow();
    assertEquals(
        "   0.01 |. . . . . . . . . . . o@o . . . . . . . . . . . . . . . . . . . . . . .", target);
    int first = lines.indexOf(target);
    for (String line : lines.subList(1, first)) {
      assertTrue(line.indexOf('o') < 0 || line.indexOf('o') > target.indexOf('@'), line);
    }
    for (String line : lines.subList(first + 1, 22)) {
      assertTrue(line.indexOf('o') < target.indexOf('@'), line);
    }
  }

  @Test
  void whereAFilterStandsIsMarked() throws IOException {
    Path file = filter(2_500, "--expected", 1_000);
    String drawing = Run.of("plot", file).out();
    assertTrue(drawing.startsWith(file + ": standard, 1,000 keys expected at 0.01; now about 2,"));
    Map<String, Object> json = Run.of("plot", file, "--json").json();
    Map<String, Object> info = Run.of("info", file, "--json").json();
    assertEquals(info.get("estimatedKeys"), json.get("estimatedKeys"));
    assertEquals(info.get("expectedKeys"), json.get("expectedKeys"));
    assertEquals(info.get("file"), json.get("file"));
    assertEquals(info.get("estimatedRate"), json.get("estimatedRate"));
    // A filter far beyond what it was made for, whether or not its number of keys can be estimated.
    for (Path far :
        List.of(
            filter(9_000, "--expected", 1_000),
            filter(9_000, "--expected", 100),
            filter(9_000, "--variant", DefaultVariants.GROWING, "--expected", 100))) {
      String beyond = Run.of("plot", far).out();
      assertTrue(beyond.contains("@"), beyond);
      assertTrue(beyond.lines().allMatch(line -> line.length() <= 80 || line.contains("bloom:")));
    }
  }

  @Test
  void aPictureIsMadeAsAWholeOrNotAtAll() throws IOException {
    Path picture = folder.resolve("rates.png");
    Run run = Run.command("plot --keys 10K -o %s", picture);
    assertEquals("bloomery: " + picture + ": drawn\n", run.err());
    assertEquals("", run.out());
    BufferedImage image = ImageIO.read(picture.toFile());
    assertEquals(900, image.getWidth());
    assertTrue(
        IntStream.range(0, image.getWidth())
                .flatMap(x -> IntStream.range(0, image.getHeight()).map(y -> image.getRGB(x, y)))
                .distinct()
                .count()
            > 6);
    byte[] before = Files.readAllBytes(picture);
    Run.assertFails(
        ExitCode.USAGE,
        picture + " exists; choose another name, or --force to replace it",
        Run.command("plot --keys 20K -o %s", picture));
    assertArrayEquals(before, Files.readAllBytes(picture));
    Run.command("plot %s --force -o %s", filter(10), picture).assertEnds(ExitCode.OK);
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }

  /** Draws two identical curves, with others above and below. */
  @Test
  void curvesThatLieOnEachOtherAreBothSeenInAPicture() throws IOException {
    List<Long> keys = LongStream.rangeClosed(1, 120).map(i -> 25 * i).boxed().toList();
    Map<String, RateCurves.Curve> curves = new LinkedHashMap<>();
    for (String name : List.of("above", "one", "other", "below")) {
      double height = name.equals("above") ? 0.1 : name.equals("below") ? 0.001 : 0.02;
      List<Double> rates = keys.stream().map(n -> height * n / 3_000).toList();
      curves.put(name, new RateCurves.Curve(rates, FilterDescription.NONE));
    }
    BufferedImage image =
        ImageIO.read(
            new ByteArrayInputStream(
                RatePicture.bytes(
                    new RateCurves("title", 1_000, 0.01, keys, curves, null), PictureFormat.PNG)));
    Map<Integer, long[]> seen = new HashMap<>(); // in each third of the width
    for (int x = 90; x < 700; x++) {
      for (int y = 70; y < 480; y++) {
        seen.computeIfAbsent(image.getRGB(x, y), color -> new long[3])[3 * (x - 90) / 610]++;
      }
    }
    long colors =
        seen.entrySet().stream()
            .filter(color -> isColourful(color.getKey()))
            .filter(color -> Arrays.stream(color.getValue()).allMatch(count -> count > 60))
            .count();
    assertEquals(4, colors);
  }

  private static boolean isColourful(int rgb) {
    Color color = new Color(rgb);
    int[] parts = {color.getRed(), color.getGreen(), color.getBlue()};
    Arrays.sort(parts);
    return parts[2] - parts[0] > 60;
  }

  @Test
  void aPictureMarksWhatIsPromisedAndHasRoundTicks() throws Exception {
    Path picture = folder.resolve("Rates.SVG");
    Run run = Run.command("plot --keys 123456 --fpp 0.02 -o %s", picture);
    assertEquals("bloomery: " + picture + ": drawn\n", run.err());
    List<Element> texts = elements(picture, "text");
    List<String> words = texts.stream().map(text -> text.getTextContent().strip()).toList();
    assertTrue(words.contains("Rate against keys: 123,456 expected at 0.02"), words + "");
    assertTrue(words.containsAll(BLOOMERY.providers().variants()), words + "");
    assertTrue(words.containsAll(List.of("n = 123,456", "0.02 requested")), words + "");
    assertTrue(words.containsAll(List.of("0", "100,000", "200,000", "300,000")), words + "");
    assertTrue(words.containsAll(List.of("0.01", "0.1", "1")), words + "");
    // A third of the way, since curves go up to three times as many keys.
    assertEquals(1, lines(picture, 294, 64, 294, 488));
    double decades = Math.log10(1 / 0.02) / 5;
    assertEquals(1, lines(picture, 86, 64 + 424 * decades, 710, 64 + 424 * decades));
  }

  private static List<Element> elements(Path svg, String name) throws Exception {
    DocumentBuilderFactory parsers = DocumentBuilderFactory.newInstance();
    parsers.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    NodeList found = parsers.newDocumentBuilder().parse(svg.toFile()).getElementsByTagName(name);
    return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i)).toList();
  }

  private static long lines(Path svg, double x1, double y1, double x2, double y2) throws Exception {
    Map<String, Double> ends = Map.of("x1", x1, "y1", y1, "x2", x2, "y2", y2);
    return elements(svg, "line").stream()
        .filter(
            line ->
                ends.entrySet().stream()
                    .allMatch(
                        end ->
                            Math.abs(
                                    Double.parseDouble(line.getAttribute(end.getKey()))
                                        - end.getValue())
                                < 0.01))
        .count();
  }

  @Test
  void whereAFilterStandsIsInAPictureToo() throws Exception {
    Path picture = folder.resolve("now.svg");
    Run.of("plot", filter(900), "-o", picture).assertEnds(ExitCode.OK);
    assertTrue(
        elements(picture, "text").stream().anyMatch(text -> text.getTextContent().contains("now")));
    assertEquals(2, elements(picture, "circle").stream().filter(c -> hasRadius(c, 9)).count());
  }

  private static boolean hasRadius(Element circle, double radius) {
    return Math.abs(Double.parseDouble(circle.getAttribute("r")) - radius) < 0.01;
  }

  @ParameterizedTest
  @ValueSource(strings = {"rates.gif", "rates", "rates.png.txt", "png", "rates.svgz"})
  void aFormatThatIsNotKnownIsRefusedBeforeAnyWork(String name) {
    Path picture = folder.resolve(name);
    for (Object[] of : new Object[][] {{"--keys", "10K"}, {folder.resolve("missing")}}) {
      Run.assertFails(
          ExitCode.USAGE,
          "a picture's name must end in .png or .svg, but was '"
              + picture
              + "'; name it so, or leave out -o for a drawing with letters",
          Run.of("plot", of, "-o", picture));
      assertFalse(Files.exists(picture));
    }
  }

  @Test
  void theDrawingWithLettersHasRoundTicksToo() {
    List<String> lines = Run.of("plot", "--keys", "123456").out().lines().toList();
    String ticks = lines.get(22);
    assertEquals(
        List.of("keys", "100,000", "200,000", "300,000"),
        List.of(lines.get(23).strip().split(" +")));
    int tick = ticks.indexOf('+', 10);
    assertEquals(9 + Math.round(100_000 / 370_368.0 * 71) - 1, tick, ticks);
    assertEquals(tick - 3, lines.get(23).indexOf("100,000"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "| what of? Name a filter, or a number of keys, as in --keys 10M",
        "--fpp 0.1 | what of? Name a filter, or a number of keys, as in --keys 10M",
        "--keys 1 f | a filter knows its keys and rate; leave out --keys and --fpp, or FILE",
        "--keys 0 | expected keys must be at least 1, but was 0",
        "--keys 1 -o target/ | a picture's name must end in .png or .svg, but was 'target'; name it"
            + " so, or leave out -o for a drawing with letters",
        "--keys 1 -o nowhere/a.png | FOLDER/nowhere is not a directory; make it first"
      })
  void whatCannotBeDrawnIsRefused(String arguments, String message) {
    String line = arguments == null ? "plot" : "plot " + arguments;
    Run.assertFails(
        ExitCode.USAGE,
        message.replace("FOLDER", Path.of("").toAbsolutePath().toString()),
        Run.of((Object[]) line.split(" ", -1)));
  }
}
