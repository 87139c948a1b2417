package io.bloomery.site.sizing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.example.acme.AcmeBlockedProvider;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bloomery.Bloomery;
import io.bloomery.site.link.BuiltSite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares the numbers in the sizing page of the finished site with the command's. */
class SizingGridTest {

  private static final long SEED = 20261127;
  private static final int DRAWN = 8;
  private static final String JAR =
      System.getProperty("bloomery.jar", "../../cli/target/bloomery.jar");
  private static final Path FOLDER = Path.of(System.getProperty("site.folder", "target/site"));

  private static JsonNode grid;

  @BeforeAll
  static void read() throws IOException {
    String json = BuiltSite.parse(FOLDER.resolve("sizing.html")).expectFirst("#sizing-grid").data();
    grid = JsonMapper.builder().build().readTree(json);
  }

  /** Returns the lines that the command prints for the same question. */
  private static List<String> size(String... asked) throws IOException {
    List<String> command = new ArrayList<>(List.of("java", "-jar", JAR, "size"));
    command.addAll(List.of(asked));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .toList();
  }

  private static void assertPrinted(int question, int rate, String... asked) throws IOException {
    List<String> printed = size(asked);
    String all = String.join("\n", printed);
    JsonNode plans = grid.required("plans").required(question).required(rate);
    assertEquals(grid.required("variants").size(), plans.size());
    for (int i = 0; i < plans.size(); i++) {
      String variant = grid.required("variants").required(i).asText();
      if (plans.required(i).isTextual()) {
        // What none can do, the command refuses for all at once.
        assertTrue(
            all.contains(variant + " cannot: " + plans.required(i).asText())
                || !all.contains(" reads"),
            variant + "\n" + all);
        continue;
      }
      StringBuilder row = new StringBuilder(variant);
      plans.required(i).forEach(cell -> row.append(' ').append(cell.asText()));
      assertTrue(
          printed.stream().map(line -> line.replaceAll(" +", " ")).anyMatch(row.toString()::equals),
          row + "\n" + all);
    }
  }

  @Test
  void eachVariantHasAPlanForEachQuestion() {
    assertAnswered(grid);
  }

  @Test
  void aVariantOfAThirdPartyHasAPlanForEachQuestion() throws IOException {
    String json = new SizingGrid(Bloomery.with(new AcmeBlockedProvider())).toJson();
    JsonNode acme = JsonMapper.builder().build().readTree(json);
    assertEquals("[\"acme-blocked\"]", acme.required("variants").toString());
    assertAnswered(acme);
  }

  private static void assertAnswered(JsonNode grid) {
    JsonNode plans = grid.required("plans");
    assertEquals(SizingGrid.KEYS.size() + SizingGrid.BYTES.size(), plans.size());
    for (JsonNode rates : plans) {
      assertEquals(SizingGrid.RATES.size(), rates.size());
      rates.forEach(each -> assertEquals(grid.required("variants").size(), each.size()));
    }
  }

  @Test
  void numbersForKeysAndForBytesAreThoseOfTheCommand() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < DRAWN; i++) {
      int rate = random.nextInt(grid.required("rates").size());
      String fpp = grid.required("rates").required(rate).asText();
      int keys = random.nextInt(grid.required("keys").size());
      assertPrinted(
          keys, rate, "--keys", grid.required("keys").required(keys).asText(), "--fpp", fpp);
      int bytes = random.nextInt(grid.required("bytes").size());
      assertPrinted(
          grid.required("keys").size() + bytes,
          rate,
          "--bytes",
          grid.required("bytes").required(bytes).asText().replace(" ", ""),
          "--fpp",
          fpp);
    }
  }

  /** The largest number of keys at the lowest rate is more than any table has room for. */
  @Test
  void whatCannotBeHadIsRefusedInTheWordsOfTheCommand() throws IOException {
    int keys = SizingGrid.KEYS.size() - 1;
    assertPrinted(
        keys,
        SizingGrid.RATES.indexOf(1e-9),
        "--keys",
        Long.toString(SizingGrid.KEYS.get(keys)),
        "--fpp",
        "1e-9");
  }
}
