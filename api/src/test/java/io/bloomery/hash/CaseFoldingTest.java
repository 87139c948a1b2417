package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CaseFoldingTest {

  private static Map<Integer, Integer> entries() throws IOException {
    Map<Integer, Integer> entries = new TreeMap<>();
    try (InputStream in = CaseFoldingTest.class.getResourceAsStream("CaseFolding-15.0.0.txt")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        if (!line.isEmpty() && !line.startsWith("#")) {
          String[] cells = line.split("; ", -1);
          entries.put(Integer.parseInt(cells[0], 16), Integer.parseInt(cells[2], 16));
        }
      }
    }
    return entries;
  }

  @Test
  void everyCodePointIsFoldedAsUnicodeHasIt() throws IOException {
    Map<Integer, Integer> entries = entries();
    assertEquals(1454, entries.size());
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      assertEquals(entries.getOrDefault(c, c), CaseFolding.fold(c), Integer.toHexString(c));
    }
  }

  /** What made the table: neighbours with one distance are one run. */
  @Test
  void theRunsAreThoseOfTheEntries() throws IOException {
    List<int[]> runs = new ArrayList<>();
    entries().forEach((from, to) -> add(runs, from, to - from));
    StringBuilder text = new StringBuilder();
    for (int[] run : runs) {
      String delta = (run[3] < 0 ? "-" : "") + Integer.toHexString(Math.abs(run[3]));
      text.append(String.format("%x,%x,%x,%s ", run[0], run[1], run[2], delta));
    }
    assertEquals(text.toString().strip(), CaseFolding.RUNS.strip().replaceAll("\\s+", " "));
  }

  private static void add(List<int[]> runs, int from, int delta) {
    int[] last = runs.isEmpty() ? new int[] {-9, -9, 0, 0} : runs.get(runs.size() - 1);
    int step = from - last[1];
    boolean first = last[0] == last[1];
    if (last[3] == delta && (first ? step <= 2 : step == last[2])) {
      last[1] = from;
      last[2] = step;
    } else {
      runs.add(new int[] {from, from, 1, delta});
    }
  }

  /** Unicode 15.0 or older is in Java up to 21, 16 is in Java 24 and later. */
  @Test
  void whatThisJavaTakesForOneLetterIsOneButTheTurkishOnes() {
    List<Integer> others = new ArrayList<>();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      int lower = Character.toLowerCase(Character.toUpperCase(c));
      if (CaseFolding.fold(lower) != CaseFolding.fold(c)) {
        assertEquals(c, CaseFolding.fold(c), "a letter that the table has");
        others.add(c);
      }
    }
    assertEquals(List.of(0x130, 0x131), others.subList(0, 2));
    if (Runtime.version().feature() <= 21) {
      assertEquals(2, others.size());
    }
  }

  @Test
  void whatIsFoldedStaysSo() {
    for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
      assertEquals(CaseFolding.fold(c), CaseFolding.fold(CaseFolding.fold(c)));
    }
  }

  @Test
  void lettersOfLaterVersionsStayAsTheyAre() {
    assertEquals(0x10d50, CaseFolding.fold(0x10d50)); // Garay, Unicode 16
    assertEquals(0xa7c1, CaseFolding.fold(0xa7c0)); // Unicode 14, which Java 17 lacks
    assertEquals(0x10597, CaseFolding.fold(0x10570)); // Vithkuqi, Unicode 14
  }
}
