package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ReportPageTest {

  @Test
  void aMatrixIsWrittenLikeThis() throws IOException {
    assertEquals(expected("matrix.md"), new ReportPage(MadeUp.matrix()).text());
  }

  @Test
  void costsAreWrittenLikeThis() throws IOException {
    assertEquals(expected("cost.md"), new ReportPage(MadeUp.cost()).text());
  }

  @Test
  void theHeadlineNamesOursGuavaAndTheMachine() {
    assertEquals(
        "- A query for an absent one of 10^5 long keys: `split-block` 3.50 ns, `standard` 10.0 ns,"
            + " `guava` 70.0 ns.\n\n"
            + "Medians of one run, measured on 2026-11-21, on Abacus 9, 4 cores, 8 GiB of memory,"
            + " L1 32 KiB, L2 1 MiB; Linux 6.1 amd64; OpenJDK 64-Bit Server VM 17.0.15."
            + " Again: `benchmarks/run --quick`.\n",
        new ReportPage(MadeUp.matrix()).headline());
  }

  private static String expected(String name) throws IOException {
    try (var in = Objects.requireNonNull(ReportPageTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
