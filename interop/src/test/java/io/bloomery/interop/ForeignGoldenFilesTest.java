package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.bloomery.BloomFilterView;
import io.bloomery.filter.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ForeignGoldenFilesTest {

  @Test
  void everyFileAnswersAsItsSystemDoes() throws IOException {
    Map<ForeignFormat, int[]> counts = new TreeMap<>();
    List<String> disagreements = new ArrayList<>();
    for (Golden golden : Golden.all()) {
      int[] count = counts.computeIfAbsent(golden.format(), format -> new int[2]);
      BloomFilterView<Object> view = golden.format().read(golden.bytes()).view(golden.encoding());
      long found = golden.members().stream().filter(view).count();
      if (found != golden.members().size()) {
        disagreements.add(golden + ": " + found + " of " + golden.members().size() + " members");
      }
      Set<Integer> positives = new HashSet<>();
      for (int i = 0; i < golden.probes().size(); i++) {
        if (view.mightContain(golden.probes().get(i))) {
          positives.add(i);
        }
      }
      if (!positives.equals(golden.positives())) {
        disagreements.add(
            golden + ": " + positives.size() + " in place of " + golden.positives().size());
      }
      count[0]++;
      count[1] += golden.members().size() + golden.probes().size();
    }
    counts.forEach(
        (format, count) ->
            System.out.printf("%-24s %3d files %8d probes%n", format, count[0], count[1]));
    System.out.printf(
        "%d formats, %d files, %d probes, %d disagreements%n",
        counts.size(),
        counts.values().stream().mapToInt(count -> count[0]).sum(),
        counts.values().stream().mapToInt(count -> count[1]).sum(),
        disagreements.size());
    assertEquals(List.of(), disagreements);
  }

  @Test
  void everyFileIsWrittenAsItWasRead() throws IOException {
    for (Golden golden : Golden.all()) {
      ForeignFilter filter = golden.format().read(golden.bytes());
      if (golden.format() == ForeignFormat.DCSO_GZIP) { // two packers, one content
        assertArrayEquals(
            filter.as(ForeignFormat.DCSO).toBytes(),
            ForeignFormat.DCSO_GZIP.read(filter.toBytes()).as(ForeignFormat.DCSO).toBytes());
      } else {
        assertArrayEquals(golden.bytes(), filter.toBytes(), golden::toString);
      }
    }
  }

  @Test
  void anEmptyFilterOfTheSameTableTakesTheKeysToTheSameBits() throws IOException {
    Set<Golden> withStats = Golden.ofEachFormat(DayDraw.random());
    for (Golden golden : Golden.all()) {
      ForeignFilter read = golden.format().read(golden.bytes());
      ForeignFilter again = ForeignFilters.emptied(read);
      again.putAll(golden.members(), golden.encoding());
      if (golden.format() == ForeignFormat.REDISBLOOM) { // the header counts items, too
        assertArrayEquals(golden.bytes(), again.toBytes(), golden::toString);
      } else {
        assertArrayEquals(read.table().words, again.table().words, golden::toString);
      }
      if (withStats.contains(golden)) { // whose rate is estimated from draws
        assertEquals(read.stats(), again.stats(), golden::toString);
      }
    }
  }

  @Test
  void readingEndsWithTheLastByte() throws IOException {
    Set<ForeignFormat> toTheEnd =
        Set.of(
            ForeignFormat.PARQUET_BITSET,
            ForeignFormat.ORC,
            ForeignFormat.ORC_UTF8,
            ForeignFormat.DRUID,
            ForeignFormat.HUDI,
            ForeignFormat.HUDI_DYNAMIC,
            ForeignFormat.PAIMON,
            ForeignFormat.DCSO,
            ForeignFormat.DCSO_GZIP);
    for (Golden golden : Golden.all()) {
      if (toTheEnd.contains(golden.format())) {
        continue;
      }
      byte[] longer = Arrays.copyOf(golden.bytes(), golden.bytes().length + 9);
      ByteArrayInputStream in = new ByteArrayInputStream(longer);
      assertArrayEquals(golden.bytes(), golden.format().read(in).toBytes());
      assertEquals(9, in.available(), golden::toString);
      ByteBuffer buffer = ByteBuffer.allocateDirect(longer.length).put(longer).flip();
      assertArrayEquals(golden.bytes(), golden.format().read(buffer).toBytes());
      assertEquals(9, buffer.remaining(), golden::toString);
      assertEquals(
          golden.bytes().length,
          assertThrows(FilterFormatException.class, () -> golden.format().read(longer)).offset());
    }
  }
}
