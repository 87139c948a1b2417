package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

  @ParameterizedTest
  @EnumSource
  void pagesSayWhatTheResultsSay(Contest contest) throws IOException {
    Report report = ReportFile.read(Files.readString(DOCUMENTS.results(contest)));
    assertEquals(
        Documents.text(report),
        DOCUMENTS.section(contest).read(),
        "docs/performance-tables.md " + AGAIN);
    if (contest == Contest.MATRIX) {
      assertEquals(
          Documents.summary(report), DOCUMENTS.summary().read(), "docs/performance.md " + AGAIN);
      assertEquals(Documents.headline(report), DOCUMENTS.headline().read(), "README.md " + AGAIN);
    }
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
    Documents documents = new Documents(root);
    Path docs = Files.createDirectory(root.resolve("docs"));
    for (Path page :
        new Path[] {
          docs.resolve("performance.md"),
          docs.resolve("performance-tables.md"),
          root.resolve("README.md")
        }) {
      Files.writeString(
          page,
          """
          before
          <!-- begin matrix: written by benchmarks/run, not by hand -->
          old
          <!-- end matrix -->
          <!-- begin summary: written by benchmarks/run, not by hand -->
          old
          <!-- end summary -->
          <!-- begin speed: written by benchmarks/run, not by hand -->
          old
          <!-- end speed -->
          after
          """);
    }
    documents.write(MadeUp.matrix());
    String page = Files.readString(docs.resolve("performance-tables.md"));
    assertTrue(page.startsWith("before\n<!-- begin matrix"), page);
    assertTrue(page.endsWith("-->\nold\n<!-- end speed -->\nafter\n"), page);
    assertEquals(Documents.text(MadeUp.matrix()), documents.section(Contest.MATRIX).read());
    assertEquals(Documents.headline(MadeUp.matrix()), documents.headline().read());
    assertEquals(Documents.summary(MadeUp.matrix()), documents.summary().read());
    assertTrue(Files.exists(docs.resolve("charts/queries-100000.svg")));
  }
}
