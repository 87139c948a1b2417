package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A filter is put into another frame exactly where both systems set the same bits. */
class ConversionTest {

  private static ForeignFilter empty(ForeignFormat format, long bits, int probes) {
    return switch (format) {
      case REDISBLOOM, VALKEY_BLOOM -> format.create(bits / 10, 0.01);
      case PARQUET, PARQUET_BITSET -> format.create(ForeignParameters.table(bits, 8));
      case KUDU -> format.create(ForeignParameters.table(Long.highestOneBit(bits), 8));
      default -> format.create(ForeignParameters.table(bits, probes));
    };
  }

  private static void put(ForeignFilter filter, List<byte[]> keys) {
    filter.putAll(keys, ItemEncoding.bytes());
  }

  @Test
  void formatsConvertIfAndOnlyIfTheySetTheSameBits() throws IOException {
    SplittableRandom random = new SplittableRandom(28);
    List<String> converted = new ArrayList<>();
    for (int draw = 0; draw < 4; draw++) {
      long bits = 512L * random.nextInt(2, 9);
      int probes = random.nextInt(3, 8);
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        byte[] key = new byte[1 + random.nextInt(40)]; // Hadoop has no empty ones
        random.nextBytes(key);
        keys.add(key);
      }
      converted.clear();
      for (ForeignFormat from : ForeignFormat.values()) {
        ForeignFilter filter = empty(from, bits, probes);
        put(filter, keys);
        for (ForeignFormat to : ForeignFormat.values()) {
          ForeignFilter fresh = empty(to, bits, probes);
          put(fresh, keys);
          boolean same =
              Arrays.equals(filter.table().words, fresh.table().words)
                  && filter.table().grows() == fresh.table().grows();
          String pair = from + " to " + to;
          if (same) {
            assertArrayEquals(fresh.toBytes(), filter.as(to).toBytes(), pair);
            assertEquals(to, filter.as(to).format());
            if (from != to) {
              converted.add(pair);
            }
          } else {
            String message =
                assertThrows(IllegalArgumentException.class, () -> filter.as(to), pair)
                    .getMessage();
            assertTrue(message.contains("make the filter again from its keys"), message);
          }
        }
      }
    }
    // 8 of Guava and Pinot, 2 of Cassandra, 2 of Parquet, 6 of Hive and ORC, 2 of Druid, 4 of Hudi,
    // 6 of Go, 2 of DCSO.
    assertEquals(32, converted.size(), converted::toString);
  }

  @Test
  @Tag("nightly")
  void goldenFilesHaveTheSameStatsInEveryFrame() throws IOException {
    checkFrames(Set.copyOf(Golden.all()));
  }

  @Test
  void goldenFilesAnswerAlikeInEveryFrame() throws IOException {
    checkFrames(Golden.ofEachFormat(DayDraw.random()));
  }

  /** The stats of some alone: their rate is estimated from draws. */
  private static void checkFrames(Set<Golden> withStats) throws IOException {
    int frames = 0;
    for (Golden golden : Golden.all()) {
      ForeignFilter read = golden.format().read(golden.bytes());
      FilterStats stats = withStats.contains(golden) ? read.stats() : null;
      for (ForeignFormat to : ForeignFormat.values()) {
        if (to.likeness() == read.format().likeness()) {
          ForeignFilter again = to.read(read.as(to).toBytes());
          assertTrue(
              golden.members().stream().allMatch(again.view(golden.encoding())), golden::toString);
          if (stats != null) {
            assertEquals(stats, again.stats(), golden::toString);
          }
          ForeignFilter back = again.as(read.format());
          if (golden.name().startsWith("guava-java") || golden.name().contains("version-2")) {
            // The funnel and the rate are not in the other formats.
            assertArrayEquals(read.table().words, back.table().words, golden::toString);
          } else {
            assertArrayEquals(read.toBytes(), back.toBytes(), golden::toString);
          }
          frames++;
        }
      }
    }
    assertTrue(frames > 130, frames + " frames");
  }

  @Test
  void theCopyIsIndependent() {
    ForeignFilter filter = ForeignFormat.HIVE_2_4.create(100, 0.01);
    ForeignFilter orc = filter.as(ForeignFormat.ORC);
    orc.put("one", ItemEncoding.utf8());
    assertEquals(0, filter.stats().setBits());
  }
}
