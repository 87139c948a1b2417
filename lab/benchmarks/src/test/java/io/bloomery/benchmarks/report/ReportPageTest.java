package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ReportPageTest {

  @Test
  void allTablesAreWrittenLikeThis() throws IOException {
    assertEquals(expected("matrix.md"), new ReportPage(MadeUp.report()).text());
  }

  private static String expected(String name) throws IOException {
    try (var in = Objects.requireNonNull(ReportPageTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
