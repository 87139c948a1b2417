package io.bloomery.blocked;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.LivePayload;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.LiveTable;
import io.bloomery.spi.TableLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables in mapped files of one segment or several, as tables beyond a GiB have them. */
class FileTableTest {

  private static final FilterSpec SPEC = FilterSpec.of(1, 0.1);
  private static final BlockedProvider PROVIDER = new BlockedProvider();
  private static final int SEGMENT = 8; // words

  @Property(seed = "63", tries = 300, edgeCases = EdgeCasesMode.NONE)
  void aMappedTableIsAskedAsTheDefinitionSays(
      @ForAll boolean ofTwoWords,
      @ForAll @IntRange(min = 1, max = 30) int size,
      @ForAll boolean isOne,
      @ForAll @IntRange(min = 1, max = 4) int density,
      @ForAll long seed) {
    assertAsksAsDefined(words(ofTwoWords, size), ofTwoWords, isOne, density, seed);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMappedTableBeyondTheCacheIsAskedSoToo(boolean ofTwoWords) {
    for (int density = 1; density <= 5; density += 2) {
      assertAsksAsDefined(Batches.CACHED_WORDS + 4, ofTwoWords, true, density, 63);
    }
  }

  private static int words(boolean ofTwoWords, int size) {
    return ofTwoWords ? TwoWordSizing.MIN_WORDS + size : Blocks.WORDS * size;
  }

  private static int probes(boolean ofTwoWords) {
    return ofTwoWords ? TwoWordFilter.PROBES : FourWordFilter.PROBES;
  }

  private static void assertAsksAsDefined(
      int words, boolean ofTwoWords, boolean isOne, int density, long seed) {
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
    FilterView view = view(table(segments, ThreadMode.SHARED), ofTwoWords);
    long[] hashes = random.longs(300).toArray();
    int[] expected = new int[hashes.length];
    int count = 0;
    for (int i = 0; i < hashes.length; i++) {
      boolean all = isIn(positions(hashes[i], words, probes(ofTwoWords)), bits);
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
      @ForAll boolean ofTwoWords,
      @ForAll @IntRange(min = 1, max = 70) int size,
      @ForAll boolean isOne,
      @ForAll ThreadMode mode,
      @ForAll boolean isBatch,
      @ForAll long seed) {
    assertPutsAsDefined(words(ofTwoWords, size), ofTwoWords, isOne, mode, isBatch, seed);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBatchOfLivePutsBeyondTheCacheDoesSoToo(boolean ofTwoWords) {
    assertPutsAsDefined(Batches.CACHED_WORDS + 4, ofTwoWords, true, ThreadMode.SHARED, true, 64);
  }

  private static void assertPutsAsDefined(
      int words, boolean ofTwoWords, boolean isOne, ThreadMode mode, boolean isBatch, long seed) {
    ByteBuffer[] segments = segments(words, isOne);
    LiveTable table = table(segments, mode);
    TableLayout layout = layout(table, ofTwoWords);
    LivePuts puts = PROVIDER.livePuts(SPEC, layout).orElseThrow().apply(table);
    long[] bits = new long[words];
    // The last ones again: they are certainly there.
    long[] hashes = new SplittableRandom(seed).longs(100 + words % 50).toArray();
    System.arraycopy(hashes, 0, hashes, hashes.length - 20, 20);
    int added = 0;
    for (long hash : hashes) {
      long[] positions = positions(hash, words, probes(ofTwoWords));
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
    assertEquals(setBits, view(table, ofTwoWords).stats().setBits());
  }

  @Property(seed = "65", tries = 200, edgeCases = EdgeCasesMode.NONE)
  void mappedTablesHaveTheStatisticsOfFiltersAndAGroupOfThemTheirAnswers(
      @ForAll @Size(min = 1, max = 4) List<Boolean> forms,
      @ForAll boolean isOne,
      @ForAll @IntRange(min = 1, max = 30) int size,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<FilterView> views = new ArrayList<>();
    for (boolean ofTwoWords : forms) {
      int words = words(ofTwoWords, size);
      ByteBuffer[] segments = segments(words, isOne);
      BitTable heap = new BitTable(words * 64L, ThreadMode.CONFINED);
      for (int i = 0; i < words; i++) {
        long half = random.nextLong();
        heap.sharedWords()[i] = half | random.nextLong();
        setWord(segments, i, heap.sharedWords()[i]);
      }
      LiveTable table = table(segments, ThreadMode.SHARED);
      Filter filter = PROVIDER.wrap(SPEC, layout(table, ofTwoWords), heap);
      FilterView view = view(table, ofTwoWords);
      assertEquals(filter.stats().toString(), view.stats().toString());
      assertEquals(filter.description(), view.description());
      views.add(view);
    }
    MappedBlockedGroup group = new MappedBlockedGroup(views);
    for (long hash : random.longs(300).toArray()) {
      assertEquals(
          views.stream().anyMatch(view -> view.mightContain(hash)), group.mightContain(hash));
    }
  }

  @Test
  void aDescriptionCountsItsBlocksAndTheirBits() {
    FilterDescription two =
        BlockedProvider.description(TableLayout.ofBits(576).withProbes(probes(true)));
    assertEquals(Map.of("blocks", 8L, "block-bits", 128L), two.parts());
    assertTrue(two.structure().contains("overlap"), two::structure);
    FilterDescription four =
        BlockedProvider.description(TableLayout.ofBits(768).withProbes(probes(false)));
    assertEquals(Map.of("blocks", 3L, "block-bits", 256L), four.parts());
    assertFalse(four.structure().contains("overlap"), four::structure);
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

  private static TableLayout layout(LiveTable table, boolean ofTwoWords) {
    return TableLayout.ofBits(table.sizeInBits()).withProbes(probes(ofTwoWords));
  }

  private static FilterView view(LiveTable table, boolean ofTwoWords) {
    return new MappedBlocked(table.mapped(), SPEC, layout(table, ofTwoWords));
  }
}
