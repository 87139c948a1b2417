package io.bloomery.partitioned;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.LivePayload;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import io.bloomery.spi.LiveTable;
import io.bloomery.spi.TableLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables in mapped files of one segment or several, as tables beyond a GiB have them. */
class FileTableTest {

  private static final FilterSpec SPEC = FilterSpec.of(1, 0.1);
  private static final PartitionedProvider PROVIDER = new PartitionedProvider();
  private static final int SEGMENT = 8; // words

  @Property(seed = "63", tries = 300, edgeCases = EdgeCasesMode.NONE)
  void aMappedTableIsAskedAsTheDefinitionSays(
      @ForAll @IntRange(min = 1, max = 17) int slices,
      @ForAll @IntRange(min = 1, max = 9) int sliceWords,
      @ForAll boolean isOne,
      @ForAll @IntRange(min = 1, max = 4) int density,
      @ForAll long seed) {
    assertAsksAsDefined(slices * sliceWords, slices, isOne, density, seed);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 7, 8, 14})
  void aMappedTableBeyondTheCacheIsAskedSoToo(int slices) {
    for (int density = 1; density <= 5; density += 2) {
      assertAsksAsDefined(Batches.CACHED_WORDS + 17, slices, true, density, 63);
    }
  }

  private static void assertAsksAsDefined(
      int words, int slices, boolean isOne, int density, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ByteBuffer[] segments = segments(words, isOne);
    long[] bits = new long[words];
    for (int i = 0; i < words; i++) {
      long word = 0;
      for (int j = 0; j < density; j++) {
        word |= random.nextLong();
      }
      bits[i] = word;
      setWord(segments, i, word);
    }
    FilterView view = view(table(segments, ThreadMode.SHARED), slices);
    long[] hashes = random.longs(300).toArray();
    int[] expected = new int[hashes.length];
    int count = 0;
    for (int i = 0; i < hashes.length; i++) {
      boolean all = isIn(positions(hashes[i], words, slices), bits);
      assertEquals(all, view.mightContain(hashes[i]));
      expected[count] = i;
      count += all ? 1 : 0;
    }
    int[] hits = new int[hashes.length];
    int found = view.select(hashes, 0, hashes.length, hits);
    assertArrayEquals(Arrays.copyOf(expected, count), Arrays.copyOf(hits, found));
  }

  @Property(seed = "64", tries = 300, edgeCases = EdgeCasesMode.NONE)
  void aLivePutSetsTheBitsOfTheDefinitionAndTellsWhetherOneWasClear(
      @ForAll @IntRange(min = 1, max = 17) int slices,
      @ForAll @IntRange(min = 1, max = 9) int sliceWords,
      @ForAll boolean isOne,
      @ForAll ThreadMode mode,
      @ForAll boolean isBatch,
      @ForAll long seed) {
    assertPutsAsDefined(slices * sliceWords, slices, isOne, mode, isBatch, seed);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 7, 9})
  void aBatchOfLivePutsBeyondTheCacheDoesSoToo(int slices) {
    assertPutsAsDefined(Batches.CACHED_WORDS + 17, slices, true, ThreadMode.SHARED, true, 64);
  }

  private static void assertPutsAsDefined(
      int words, int slices, boolean isOne, ThreadMode mode, boolean isBatch, long seed) {
    ByteBuffer[] segments = segments(words, isOne);
    LiveTable table = table(segments, mode);
    TableLayout layout = layout(table, slices);
    LivePuts puts = PROVIDER.livePuts(SPEC, layout).orElseThrow().apply(table);
    long[] bits = new long[words];
    // The last ones again: they are certainly there.
    long[] hashes = new SplittableRandom(seed).longs(100 + words % 50).toArray();
    System.arraycopy(hashes, 0, hashes, hashes.length - 20, 20);
    int added = 0;
    for (long hash : hashes) {
      long[] positions = positions(hash, words, slices);
      boolean isNew = !isIn(positions, bits);
      for (long position : positions) {
        bits[(int) (position / 64)] |= 1L << position;
      }
      added += isNew ? 1 : 0;
      if (!isBatch) {
        assertEquals(isNew, puts.put(hash));
      }
    }
    if (isBatch) {
      assertEquals(added, puts.putAll(hashes, 0, hashes.length));
    }
    for (int i = 0; i < words; i++) {
      assertEquals(bits[i], table.word(i), "word " + i);
    }
    long setBits = Arrays.stream(bits).map(Long::bitCount).sum();
    assertEquals(setBits, view(table, slices).stats().setBits());
  }

  @Test
  void aDescriptionCountsItsSlicesAndTheirBits() {
    FilterDescription one = PartitionedProvider.description(TableLayout.ofBits(192).withProbes(1));
    assertEquals("1 read", one.queryCost());
    FilterView view = view(table(segments(8, true), ThreadMode.SHARED), 3);
    assertEquals("3 reads", view.description().queryCost());
    assertEquals(Map.of("slices", 3L, "slice-bits", 128L), view.description().parts());
  }

  private static boolean isIn(long[] positions, long[] bits) {
    return Arrays.stream(positions).allMatch(at -> (bits[(int) (at / 64)] >>> at & 1) != 0);
  }

  private static long[] positions(long hash, int words, int probes) {
    return PROVIDER.positions(hash, words * 64L, probes).orElseThrow();
  }

  private static ByteBuffer[] segments(int words, boolean isOne) {
    int length = isOne ? words : SEGMENT;
    ByteBuffer[] segments = new ByteBuffer[(words + length - 1) / length];
    for (int i = 0; i < segments.length; i++) {
      segments[i] = ByteBuffer.allocateDirect(Math.min(length, words - i * length) * Long.BYTES);
    }
    return segments;
  }

  private static void setWord(ByteBuffer[] segments, int index, long word) {
    int length = segments[0].limit() / Long.BYTES;
    segments[index / length].putLong(index % length * Long.BYTES, Long.reverseBytes(word));
  }

  private static LiveTable table(ByteBuffer[] segments, ThreadMode mode) {
    return new LiveTable(new LivePayload(segments, mib -> {}, mode));
  }

  private static TableLayout layout(LiveTable table, int slices) {
    return TableLayout.ofBits(table.sizeInBits()).withProbes(slices);
  }

  private static FilterView view(LiveTable table, int slices) {
    return new MappedPartitioned(table.mapped(), SPEC, layout(table, slices));
  }
}
