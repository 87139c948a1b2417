package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.report.Documents.Place;
import io.bloomery.benchmarks.report.Report.Contest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentsTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Documents DOCUMENTS = new Documents(ROOT);
  private static final String AGAIN =
      "is not what benchmarks/results say; run benchmarks/run render FILE --write-docs";

  @Test
  void pagesSayWhatTheResultsSay() throws IOException {
    for (Place place : DOCUMENTS.places()) {
      for (Contest contest : Contest.values()) {
        if (Files.exists(place.results(contest))) {
          Report report = ReportFile.read(Files.readString(place.results(contest)));
          assertEquals(place, DOCUMENTS.place(report.machine()));
          assertEquals(
              place.text(report), place.section(contest).read(), place.page() + " " + AGAIN);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theFirstProcessorHasEveryContest(Contest contest) throws IOException {
    assertTrue(Files.exists(DOCUMENTS.places().get(0).results(contest)));
  }

  @Test
  void summariesSayWhatTheFirstResultsSay() throws IOException {
    Path results = DOCUMENTS.places().get(0).results(Contest.MATRIX);
    ReportPage page = new ReportPage(ReportFile.read(Files.readString(results)));
    assertEquals(Documents.section(page.summary()), DOCUMENTS.summary().read(), AGAIN);
    assertEquals(Documents.section(page.headline()), DOCUMENTS.headline().read(), AGAIN);
  }

  @Test
  void tablesOfAllProcessorsSayWhatTheirResultsSay() throws IOException {
    ProcessorsPage page = DOCUMENTS.processors();
    assertEquals(Documents.section(page.speedups()), DOCUMENTS.speedups().read(), AGAIN);
    assertEquals(Documents.section(page.standings()), DOCUMENTS.standings().read(), AGAIN);
    assertEquals(Documents.section(page.headline()), DOCUMENTS.orderHeadline().read(), AGAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"performance.md", "performance-tables.md"})
  void everyChartOfAPageIsThere(String page) throws IOException {
    Path docs = ROOT.resolve("docs");
    Pattern.compile("!\\[[^]]*]\\(([^)]*)\\)")
        .matcher(Files.readString(docs.resolve(page)))
        .results()
        .map(chart -> docs.resolve(chart.group(1)))
        .forEach(chart -> assertTrue(Files.exists(chart), chart::toString));
  }

  @Test
  void writingLeavesTheRestOfAPageAlone(@TempDir Path root) throws IOException {
    Documents documents = documentsWithEmptySections(root);
    documents.write(MadeUp.matrix());
    Path docs = root.resolve("docs");
    String page = Files.readString(docs.resolve("performance-tables.md"));
    assertTrue(page.startsWith("before\n<!-- begin matrix"), page);
    assertTrue(page.endsWith("-->\nold\n<!-- end order -->\nafter\n"), page);
    Place place = documents.places().get(0);
    assertEquals(place.text(MadeUp.matrix()), place.section(Contest.MATRIX).read());
    ReportPage text = new ReportPage(MadeUp.matrix());
    assertEquals(Documents.section(text.headline()), documents.headline().read());
    assertEquals(Documents.section(text.summary()), documents.summary().read());
    assertTrue(Files.exists(docs.resolve("charts/queries-100000.svg")));
  }

  private static Documents documentsWithEmptySections(Path root) throws IOException {
    Path docs = Files.createDirectory(root.resolve("docs"));
    for (Path page :
        new Path[] {
          docs.resolve("performance.md"),
          docs.resolve("performance-tables.md"),
          root.resolve("README.md")
        }) {
      StringBuilder text = new StringBuilder("before\n");
      for (String section :
          new String[] {"matrix", "summary", "speedups", "standings", "speed", "order"}) {
        text.append(
                "<!-- begin %s: written by benchmarks/run, not by hand -->\n".formatted(section))
            .append("old\n<!-- end %s -->\n".formatted(section));
      }
      Files.writeString(page, text.append("after\n"));
    }
    return new Documents(root);
  }

  @Test
  void anotherProcessorHasAFolderAndAPageOfItsOwn(@TempDir Path root) throws IOException {
    Documents documents = documentsWithEmptySections(root);
    documents.write(MadeUp.matrix());
    Path tables = root.resolve("docs/performance-tables.md");
    String before = Files.readString(tables);
    String summary = documents.summary().read();
    Report other = MadeUp.matrix("Slide(R) Rule(TM) 3 CPU @ 1 Hz");
    documents.prepare(Contest.MATRIX, other.machine());
    documents.write(MadeUp.order(), other.machine());
    assertFalse(documents.standings().read().contains("Slide Rule 3"), "without its matrix");
    documents.write(other);
    assertEquals(before, Files.readString(tables));
    assertEquals(summary, documents.summary().read());
    assertTrue(Files.exists(root.resolve("benchmarks/results/slide-rule-3/order.csv")));
    String page = Files.readString(root.resolve("docs/performance-slide-rule-3.md"));
    assertTrue(page.startsWith("# Speed on Slide Rule 3\n"), page);
    assertTrue(page.contains("## Who is ahead"), page);
    assertTrue(page.contains("| misses only | 17 | 3 ahead, 1 behind |"), page);
    assertTrue(documents.speedups().read().contains("on Abacus 9 / Slide Rule 3;"));
    assertTrue(documents.standings().read().contains("| 10^5 keys, Slide Rule 3 |"));
  }
}
