package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bloomery.filter.FilterFormatException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole files, which DuckDB 1.5.6, Arrow C++ 25.0.1, ClickHouse 26.7.2 and parquet-java 1.17.0
 * wrote: row group 0 has the keys 0 to 59, row group 1 has 1000 to 1059, as texts, longs, ints and,
 * halved, doubles.
 */
class ParquetFileTest {

  private static final ThreadMXBean ALLOCATED = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir private Path folder;

  private static byte[] golden(String name) {
    return GoldenKeys.resource("parquet-files/" + name + ".parquet");
  }

  private List<Optional<ForeignFilter>> filters(byte[] bytes, String column) throws IOException {
    return ParquetFile.filters(Files.write(folder.resolve("file"), bytes), column);
  }

  private <K> void assertPruned(
      String name, String column, ItemEncoding<K> encoding, LongFunction<K> keys)
      throws IOException {
    List<Optional<ForeignFilter>> filters = filters(golden(name), column);
    assertEquals(2, filters.size());
    int wrong = 0;
    for (int group = 0; group < 2; group++) {
      var view = filters.get(group).orElseThrow().view(encoding);
      for (int i = 0; i < 60; i++) {
        assertTrue(view.mightContain(keys.apply(group * 1000L + i)), column + " " + i);
        wrong += view.mightContain(keys.apply((1 - group) * 1000L + i)) ? 1 : 0;
      }
      for (int i = 2000; i < 3000; i++) {
        wrong += view.mightContain(keys.apply(i)) ? 1 : 0;
      }
    }
    assertTrue(wrong < 100, column + ": " + wrong + " of 2120 absent keys");
  }

  @ParameterizedTest
  @ValueSource(strings = {"duckdb", "arrow-cpp", "clickhouse", "parquet-java"})
  void rowGroupsOfOtherSystemsArePruned(String name) throws IOException {
    assertPruned(name, "s", ItemEncoding.utf8(), key -> "key-" + key);
    assertPruned(name, "l", ItemEncoding.longsLittleEndian(), key -> key);
    assertPruned(name, "n", ItemEncoding.intsLittleEndian(), key -> (int) key);
    assertPruned(
        name,
        "d",
        ItemEncoding.longsLittleEndian().compose(Double::doubleToRawLongBits),
        key -> key * 0.5);
    String message =
        assertThrows(IllegalArgumentException.class, () -> filters(golden(name), "x")).getMessage();
    assertEquals("column must be one of d, l, n, s, but was x", message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"duckdb", "arrow-cpp", "clickhouse", "parquet-java"})
  void hostileFilesAreRefusedOrRead(String name) throws IOException {
    byte[] bytes = golden(name);
    for (int length = 0; length < bytes.length; length += length < bytes.length - 20 ? 41 : 1) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThrows(FilterFormatException.class, () -> filters(cut, "l"));
    }
    int footer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bytes.length - 8);
    SplittableRandom random = new SplittableRandom(1962);
    for (int draw = 0; draw < 500; draw++) {
      byte[] changed = bytes.clone();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        changed[bytes.length - 1 - random.nextInt(footer + 8)] = (byte) random.nextInt(256);
      }
      try {
        filters(changed, "l");
      } catch (FilterFormatException | IllegalArgumentException e) {
        assertTrue(e.getMessage().length() < 10_000, e::getMessage);
        assertTrue(e.getMessage().codePoints().noneMatch(Character::isISOControl), e::getMessage);
      }
    }
  }

  /** A footer of row groups whose only column, c, has its filter at an offset. */
  private static byte[] file(int groups, long offset, byte[] filter) {
    ByteBuffer out = ByteBuffer.allocate(100_000 + 40 * groups).order(ByteOrder.LITTLE_ENDIAN);
    out.put("PAR1".getBytes(java.nio.charset.StandardCharsets.US_ASCII)).put(filter);
    int start = out.position();
    out.put((byte) 0x49).put((byte) 0xfc); // field 4, a list of structs
    varint(out, groups);
    for (int i = 0; i < groups; i++) {
      out.put(new byte[] {0x19, 0x1c, 0x3c, 0x39, 0x18, 1, 'c', (byte) 0xb6});
      varint(out, offset << 1 ^ offset >> 63);
      out.put(new byte[] {0, 0, 0}); // of the metadata, the column and the row group
    }
    out.put((byte) 0);
    out.putInt(out.position() - start);
    out.put("PAR1".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    return Arrays.copyOf(out.array(), out.position());
  }

  @Test
  void manySmallFiltersAllocateLittle() throws IOException {
    byte[] filter = ForeignFormat.PARQUET.create(1, 0.1).toBytes();
    byte[] bytes = file(2000, 4, Arrays.copyOf(filter, 2000 * 32));
    long before = ALLOCATED.getCurrentThreadAllocatedBytes();
    assertEquals(2000, filters(bytes, "c").size());
    long allocated = ALLOCATED.getCurrentThreadAllocatedBytes() - before;
    assertTrue(allocated < 2000 * 4000L, allocated + " bytes were allocated");
  }

  private static void varint(ByteBuffer out, long value) {
    long rest = value;
    for (; rest >>> 7 != 0; rest >>>= 7) {
      out.put((byte) (rest | 0x80));
    }
    out.put((byte) rest);
  }

  @Test
  void offsetsAreWithinTheFileAndNotShared() throws IOException {
    ForeignFilter filter = ForeignFormat.PARQUET.create(100, 0.01);
    filter.put("one", ItemEncoding.utf8());
    byte[] blocks = filter.toBytes();
    List<Optional<ForeignFilter>> read = filters(file(1, 4, blocks), "c");
    assertTrue(
        read.get(0).orElseThrow().view(ItemEncoding.utf8()).mightContain("one"), read::toString);
    for (long offset :
        new long[] {-1L << 40, -2, 0, 3, 4 + blocks.length, 1L << 40, Long.MAX_VALUE >> 1}) {
      assertThrows(
          FilterFormatException.class, () -> filters(file(1, offset, blocks), "c"), "" + offset);
    }
    FilterFormatException refusal =
        assertThrows(FilterFormatException.class, () -> filters(file(100_000, 4, blocks), "c"));
    assertTrue(refusal.getMessage().contains("filters must not overlap"), refusal::getMessage);
  }
}
