package io.bloomery.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.benchmarks.report.CountingMemory.Bits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds the tables of counting in docs/choosing.md against filters of a fifth of their keys. */
class MemoryTest {

  private static final Path PAGE =
      Path.of("").toAbsolutePath().getParent().getParent().resolve("docs/choosing.md");
  private static final CountingMemory MEMORY = new CountingMemory(Memory.KEYS / 5);

  // Of figures with one digit behind the point, and of what a filter takes whatever its keys.
  private static final double ROUNDED = 0.2;

  private static List<double[]> numbers(String table, String cell) throws IOException {
    Matcher row = Pattern.compile("\\| ([^|]+) \\|" + cell).matcher(new Marked(PAGE, table).read());
    List<double[]> rows = new ArrayList<>();
    while (row.find()) {
      double[] numbers = new double[row.groupCount() - 1];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Double.parseDouble(row.group(i + 2));
      }
      rows.add(numbers);
    }
    return rows;
  }

  @Test
  void thePageSaysWhatKeysThatArePutSeveralTimesTake() throws IOException {
    List<double[]> rows = numbers("multiplicity", " ([0-9.]+) \\| ([0-9.]+) \\|\n");
    List<Bits> measured = List.copyOf(Memory.byTimes(MEMORY).values());
    assertEquals(measured.size(), rows.size());
    for (int i = 0; i < rows.size(); i++) {
      assertEquals(rows.get(i)[0], measured.get(i).file(), 0.02 * rows.get(i)[0] + ROUNDED);
      assertEquals(rows.get(i)[1], measured.get(i).heap(), 0.02 * rows.get(i)[1] + ROUNDED);
    }
  }

  @Test
  void thePageSaysWhatFiltersTakeAtEachRate() throws IOException {
    List<double[]> rows = numbers("rates", " ([0-9.]+) \\|".repeat(5) + "\n");
    assertEquals(Memory.RATES.length, rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Bits bits = MEMORY.atRate(Memory.RATES[i]);
      double[] row = rows.get(i);
      assertEquals(row[0], bits.plannedFile(), 0.02);
      assertEquals(row[1], bits.file(), 0.01 * row[1]);
      assertEquals(row[2], bits.plannedHeap(), 0.02);
      // Locks take more of small tables: 64 bytes for 4 KiB.
      assertEquals(row[3], bits.heap(), 0.035 * row[3]);
      assertEquals(row[4], Memory.textbook(Memory.RATES[i]), 0.005);
    }
  }

  @Test
  void thePageSaysWhatSetsThatNeverChangeTake() throws IOException {
    assertEquals("\n" + StaticMemory.table() + "\n", new Marked(PAGE, "static").read());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"0.01, 38.4", "0.001, 57.5", "0.5, 5.77", "0.95, 1.34"})
  void aTextbookFilterHasAWholeNumberOfProbes(double rate, double bits) {
    assertEquals(bits, Memory.textbook(rate), 0.05);
  }
}
