package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Results;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportFileTest {

  @Test
  void whatWasWrittenIsReadAsItWas() throws IOException {
    Report report = MadeUp.report();
    String text = ReportFile.write(report);
    Report read = ReportFile.read(text);
    assertEquals(text, ReportFile.write(read));
    assertEquals(new ReportPage(report).text(), new ReportPage(read).text());
    assertEquals(report.machine(), read.machine());
    assertEquals(report.libraries(), read.libraries());
    assertEquals(report.results().stats(), read.results().stats());
  }

  @Test
  void whatIsUnknownIsRefused() {
    String text = ReportFile.write(MadeUp.report());
    assertRefused(text.replace("\"threads\"", "\"thread\""), "thread");
    assertRefused(text.replace("\"LONG\"", "\"SHORT\""), "SHORT");
    assertRefused("{}", "lab/benchmarks/run");
  }

  private static void assertRefused(String text, String reason) {
    IOException e = assertThrows(IOException.class, () -> ReportFile.read(text));
    assertTrue(e.getMessage().contains(reason), e::getMessage);
  }

  @Test
  void ofManyRoundsTheSameOnesAreKeptForAll() {
    Figures figures = new Figures(KeyKind.LONG, 1_000, "hit", 1);
    for (int round = 1; round <= 1_000; round++) {
      figures.add("guava", 10 * round);
      figures.add("standard", round);
    }
    Report report = MadeUp.report();
    Figures kept =
        new Report(
                report.date(),
                report.command(),
                report.machine(),
                report.libraries(),
                new Results(List.of(figures), List.of()))
            .results()
            .figures()
            .get(0);
    assertEquals(Report.ROUNDS, kept.rounds("guava").length);
    assertEquals(new Figures.Quartiles(10, 10, 10), kept.ratio("standard", "guava").orElseThrow());
    assertEquals(500, kept.nanos("standard").median(), 10);
  }
}
