package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
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
        refusal.getMessage().contains("has those of a, b; ask for one by PaimonIndexFile.filters"),
        refusal::getMessage);
  }

  /** A Bloom filter of a column; null is that of a column whose values are all null. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares two
  private record Column(String name, byte[] filter) {}

  /** An index file as Paimon's FileIndexFormat writes it, with filters from given offsets on. */
  private static byte[] container(List<Column> columns, IntUnaryOperator starts, byte[] body)
      throws IOException {
    ByteArrayOutputStream names = new ByteArrayOutputStream();
    for (int size = 0, round = 0; round < 2; round++) {
      names.reset();
      DataOutputStream out = new DataOutputStream(names);
      out.writeLong(PaimonIndexFile.MAGIC);
      out.writeInt(1);
      out.writeInt(size);
      out.writeInt(columns.size());
      for (int i = 0; i < columns.size(); i++) {
        byte[] filter = columns.get(i).filter;
        out.writeUTF(columns.get(i).name);
        out.writeInt(1);
        out.writeUTF("bloom-filter");
        out.writeInt(filter == null ? -1 : size + starts.applyAsInt(i));
        out.writeInt(filter == null ? 0 : filter.length);
      }
      out.writeInt(0);
      size = names.size();
    }
    names.write(body);
    return names.toByteArray();
  }

  private static byte[] container(List<Column> columns) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    int[] starts = new int[columns.size()];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = body.size();
      byte[] filter = columns.get(i).filter;
      body.writeBytes(filter == null ? new byte[0] : filter);
    }
    return container(columns, i -> starts[i], body.toByteArray());
  }

  private static byte[] filterOf(String key) {
    ForeignFilter filter = ForeignFormat.PAIMON.create(10, 0.01);
    filter.put(key, ItemEncoding.utf8());
    return filter.toBytes();
  }

  @Test
  void columnsOfAnyNameAndOfNoValuesAreRead() throws IOException {
    SplittableRandom random = new SplittableRandom(626);
    for (int draw = 0; draw < 200; draw++) {
      List<Column> columns = new ArrayList<>();
      for (int i = random.nextInt(1, 8); i > 0; i--) {
        StringBuilder name = new StringBuilder().append(i);
        for (int c = random.nextInt(5); c > 0; c--) {
          int of = random.nextInt(4);
          name.appendCodePoint(
              of == 0 ? 0 : of == 1 ? 'a' : of == 2 ? 0x540d : random.nextInt(0x1f600, 0x1f640));
        }
        boolean isEmpty = random.nextInt(3) == 0;
        columns.add(new Column(name.toString(), isEmpty ? null : filterOf(name.toString())));
      }
      byte[] bytes = container(columns);
      Map<String, ForeignFilter> filters = PaimonIndexFile.filters(file(bytes));
      assertEquals(columns.stream().map(Column::name).toList(), List.copyOf(filters.keySet()));
      for (Column column : columns) {
        ForeignFilter filter = filters.get(column.name);
        var view = filter.view(ItemEncoding.utf8());
        assertEquals(column.filter != null, view.mightContain(column.name), column.name);
        if (column.filter == null) {
          assertEquals(0, filter.stats().setBits());
        } else {
          assertArrayEquals(column.filter, filter.toBytes());
        }
      }
      List<Column> full = columns.stream().filter(column -> column.filter != null).toList();
      if (full.size() == 1) {
        ForeignFilter only = ForeignFormat.PAIMON.read(bytes);
        assertTrue(only.view(ItemEncoding.utf8()).mightContain(full.get(0).name));
        assertArrayEquals(bytes, only.toBytes());
      } else {
        assertThrows(FilterFormatException.class, () -> ForeignFormat.PAIMON.read(bytes));
      }
    }
  }

  @Test
  void filtersThatShareBytesAreRefused() throws IOException {
    byte[] filter = new byte[100_000];
    filter[3] = 1;
    List<Column> columns =
        IntStream.range(0, 5000).mapToObj(i -> new Column("c" + i, filter)).toList();
    Path file = file(container(columns, i -> 0, filter)); // would be 500 MB
    FilterFormatException refusal =
        assertThrows(FilterFormatException.class, () -> PaimonIndexFile.filters(file));
    assertTrue(refusal.getMessage().contains("filters must not overlap"), refusal::getMessage);

    Column twice = new Column("a", filterOf("x"));
    byte[] bytes = container(List.of(twice, twice));
    refusal = assertThrows(FilterFormatException.class, () -> PaimonIndexFile.filters(file(bytes)));
    assertTrue(refusal.getMessage().contains("must have one Bloom filter"), refusal::getMessage);
  }

  @Test
  void theNamesInAMessageAreFewAndShort() throws IOException {
    List<Column> columns =
        IntStream.range(0, 500)
            .mapToObj(i -> new Column("\u001b[2J\n" + "n".repeat(1000) + i, filterOf("x")))
            .toList();
    byte[] bytes = container(columns);
    String message =
        assertThrows(FilterFormatException.class, () -> ForeignFormat.PAIMON.read(bytes))
            .getMessage();
    assertTrue(message.length() < 10_000 && message.contains(" and 460 others"), message);
    assertTrue(message.codePoints().noneMatch(Character::isISOControl), message);
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
