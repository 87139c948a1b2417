package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisBloomChunksTest {

  private static List<Map<String, Object>> chunks(ForeignFilter filter, ByteArrayOutputStream all)
      throws IOException {
    List<Map<String, Object>> chunks = new ArrayList<>();
    RedisBloomChunks.forEach(
        filter,
        (iterator, data) -> {
          chunks.add(Map.of("iterator", iterator, "length", (long) data.length));
          all.writeBytes(data);
        });
    return chunks;
  }

  @Test
  void goldenFiltersAreLoadedAsTheirSystemDumpedThem() throws IOException {
    int files = 0;
    for (Object each : (List<?>) GoldenKeys.json("redisbloom/manifest.json").get("files")) {
      Map<?, ?> file = (Map<?, ?>) each;
      ForeignFilter filter = ForeignFormat.REDISBLOOM.read(Golden.bytes("redisbloom", file));
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      List<Map<String, Object>> expected = new ArrayList<>();
      for (Object chunk : (List<?>) file.get("chunks")) {
        expected.add(
            Map.of(
                "iterator",
                ((Map<?, ?>) chunk).get("iterator"),
                "length",
                ((Map<?, ?>) chunk).get("length")));
      }
      assertEquals(expected, chunks(filter, all), () -> file.get("file") + "");
      assertArrayEquals(filter.toBytes(), all.toByteArray());
      files++;
    }
    assertTrue(files >= 7, files + " files");
  }

  @Test
  void aTableOfMoreThan16MibIsCutIntoChunks() throws IOException {
    ForeignFilter filter =
        ForeignFormat.REDISBLOOM.create(ForeignParameters.expect(15_000_000, 0.01).expansion(0));
    int size = filter.toBytes().length - 73;
    assertTrue(size > 16 << 20 && size < 32 << 20, size + " bytes");
    assertEquals(
        List.of(
            Map.of("iterator", 1L, "length", 73L),
            Map.of("iterator", 1L + (16 << 20), "length", 16L << 20),
            Map.of("iterator", 1L + size, "length", (long) size - (16 << 20))),
        chunks(filter, new ByteArrayOutputStream()));
  }

  @Test
  void otherFiltersAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            RedisBloomChunks.forEach(ForeignFormat.DCSO.create(10, 0.01), (iterator, data) -> {}));
  }
}
