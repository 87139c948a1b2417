package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.FilterPlan;
import io.bloomery.FilterSpec;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlotCommandTest {

  private static final Bloomery BLOOMERY = Bloomery.installed();

  @TempDir private Path folder;

  private Path filter(int lines, Object... more) {
    String input = IntStream.range(0, lines).mapToObj(Words::at).collect(Collectors.joining("\n"));
    Path file = folder.resolve("f.bloom");
    Object[] arguments =
        Stream.concat(Stream.of("create", "--force", "-o", file), Stream.of(more)).toArray();
    assertEquals(ExitCode.OK, Run.withInput(input, arguments).exitCode());
    return file;
  }

  @Test
  void theCurvesAreThePlansOfAllVariants() throws IOException {
    Map<String, Object> json =
        JsonObjects.parse(Run.of("plot", "--keys", "90K", "--fpp", "0.02", "--json").out()).get(0);
    List<Map<String, Object>> curves = JsonObjects.array(json, "curves");
    assertEquals(BLOOMERY.variants(), curves.stream().map(curve -> curve.get("variant")).toList());
    List<?> keys = (List<?>) json.get("keys");
    assertEquals("90000", keys.get(39));
    assertEquals("270000", keys.get(keys.size() - 1));
    for (Map<String, Object> curve : curves) {
      FilterPlan plan = BLOOMERY.plan((String) curve.get("variant"), new FilterSpec(90_000, 0.02));
      assertEquals(
          keys.stream()
              .map(n -> Double.toString(plan.falsePositiveRate(Long.parseLong(n.toString()))))
              .toList(),
          curve.get("rates"));
    }
  }

  @Test
  void theDrawingFitsTheTerminalAndNamesEveryVariant() {
    String drawing = Run.of("plot", "--keys", "1M").out();
    List<String> lines = drawing.lines().toList();
    assertEquals("Rate against keys: 1,000,000 expected at 0.01", lines.get(0));
    assertTrue(lines.stream().allMatch(line -> line.length() <= 80), drawing);
    assertTrue(drawing.chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 127)), drawing);
    assertEquals(
        "o counting  x partitioned  * scalable  # split-block  % standard  . target",
        lines.get(24));
    for (String mark : List.of("o", "x", "\\*", "#", "%")) {
      assertTrue(lines.subList(1, 22).stream().anyMatch(line -> line.matches(".*" + mark + ".*")));
    }
  }

  /** The crossing of the two dotted lines: that is what is promised, and the curve goes through. */
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
    Map<String, Object> json = JsonObjects.parse(Run.of("plot", file, "--json").out()).get(0);
    Map<String, Object> info = JsonObjects.parse(Run.of("info", file, "--json").out()).get(0);
    assertEquals(info.get("estimatedKeys"), json.get("estimatedKeys"));
    assertEquals(info.get("expectedKeys"), json.get("expectedKeys"));
    assertEquals(info.get("file"), json.get("file"));
    assertEquals(info.get("estimatedRate"), json.get("estimatedRate"));
    // A filter far beyond what it was made for, whether it can tell how far or not.
    for (Path far :
        List.of(
            filter(9_000, "--expected", 1_000),
            filter(9_000, "--expected", 100),
            filter(9_000, "--variant", "scalable", "--expected", 100))) {
      String beyond = Run.of("plot", far).out();
      assertTrue(beyond.contains("@"), beyond);
      assertTrue(beyond.lines().allMatch(line -> line.length() <= 80 || line.contains("bloom:")));
    }
  }

  @Test
  void aPictureIsMadeAsAWholeOrNotAtAll() throws IOException {
    Path picture = folder.resolve("rates.png");
    Run run = Run.of("plot", "--keys", "10K", "-o", picture);
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
    Run again = Run.of("plot", "--keys", "20K", "-o", picture);
    assertEquals(
        "bloomery: " + picture + " exists; choose another name, or --force to replace it\n",
        again.err());
    assertEquals(ExitCode.USAGE, again.exitCode());
    assertArrayEquals(before, Files.readAllBytes(picture));
    Run forced = Run.of("plot", filter(10), "--force", "-o", picture);
    assertEquals(ExitCode.OK, forced.exitCode(), forced.err());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "| what of? Name a filter, or a number of keys, as in --keys 10M",
        "--fpp 0.1 | what of? Name a filter, or a number of keys, as in --keys 10M",
        "--keys 1 f | a filter knows its keys and rate; leave out --keys and --fpp, or FILE",
        "--keys 0 | expected keys must be at least 1, but was 0",
        "--keys 1 -o . | . is a directory; name a file in it",
        "--keys 1 -o nowhere/a.png | FOLDER/nowhere is not a directory; make it first"
      })
  void whatCannotBeDrawnIsRefused(String arguments, String message) {
    String line = arguments == null ? "plot" : "plot " + arguments;
    Run run = Run.of((Object[]) line.split(" ", -1));
    assertEquals(
        "bloomery: " + message.replace("FOLDER", Path.of("").toAbsolutePath().toString()) + "\n",
        run.err());
    assertEquals(ExitCode.USAGE, run.exitCode());
  }
}
