package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PaimonIndexFileTest {

  @TempDir private Path folder;

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("index"), bytes);
  }

  @Test
  void filtersAreThoseOfTheColumns() throws IOException {
    byte[] bytes = GoldenKeys.resource("paimon/file-of-two");
    Map<String, ForeignFilter> filters = PaimonIndexFile.filters(file(bytes));
    assertEquals(Set.of("a", "b"), filters.keySet());
    assertArrayEquals(GoldenKeys.resource("paimon/string-n33"), filters.get("a").toBytes());
    assertArrayEquals(GoldenKeys.resource("paimon/long-n90"), filters.get("b").toBytes());
    assertTrue(filters.get("a").view(ItemEncoding.utf8()).mightContain("key-7"));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      if (length < bytes.length - 40) { // of another index, which may be the last
        assertThrows(FilterFormatException.class, () -> PaimonIndexFile.filters(file(cut)));
      }
    }
  }

  @Test
  void aFileOfSeveralIsRefusedWithAListOfThem() {
    FilterFormatException refusal =
        assertThrows(
            FilterFormatException.class,
            () -> ForeignFormat.PAIMON.read(GoldenKeys.resource("paimon/file-of-two")));
    assertTrue(
        refusal.getMessage().matches(".* has \\[.*a \\(38 bytes from byte \\d+\\).*"),
        refusal::getMessage);
    assertTrue(refusal.getMessage().contains("b (96 bytes from byte "), refusal::getMessage);
  }

  @Test
  void theOtherIndexesOfAFileStay() throws IOException {
    byte[] bytes = GoldenKeys.resource("paimon/file-of-one-and-others");
    Path file = file(bytes);
    assertEquals(Set.of("a"), PaimonIndexFile.filters(file).keySet());
    ForeignFilter filter = ForeignFormat.PAIMON.read(file);
    filter.put("one more", ItemEncoding.utf8());
    filter.write(file);
    byte[] changed = Files.readAllBytes(file);
    assertEquals(bytes.length, changed.length);
    assertTrue(Arrays.mismatch(bytes, changed) > 50, "in the filter alone");
    assertTrue(
        PaimonIndexFile.filters(file).get("a").view(ItemEncoding.utf8()).mightContain("one more"));
  }
}
