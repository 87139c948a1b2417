package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import java.io.IOException;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of tables on both sides of the size from which single ones leave early. */
class LargePlaneTest {

  private static final FilterSpec SPEC = FilterSpec.of(1, 0.1);
  private static final int HASHES = 10_000;

  /**
   * Asks for hashes of which, at every density, enough are contained, lack a position in the first
   * word, and lack one only in the second: whatever way a query takes, it is taken often.
   */
  @ParameterizedTest(name = "{0} in a word, {1} words more than are cached")
  @CsvSource({"1, 2", "2, 0", "2, 2", "2, 10", "3, 2", "4, 2"})
  void planesAreAskedAsTheDefinitionSays(int probesPerWord, int more) throws IOException {
    int words = Batches.CACHED_WORDS + more;
    CountingLayout layout = new CountingLayout(words / 2, probesPerWord, 64);
    for (int density = 1; density <= 5; density++) {
      SplittableRandom random = new SplittableRandom(90 + density);
      Counters counters = new Counters(layout, FilterLimits.HEAP, 256);
      long[] present = counters.present();
      assertEquals(words, present.length);
      for (int i = 0; i < words; i++) {
        for (int j = 0; j < density; j++) {
          present[i] |= random.nextLong();
        }
      }
      Expected expected = new Expected(present, random.longs(HASHES).toArray(), probesPerWord);
      expected.assertBy(
          CountingFilter.make(
              SPEC, layout, FilterLimits.HEAP, ThreadMode.SHARED, stripes -> counters));
      for (int wordsOfBuffer : new int[] {words, 1 << 19}) {
        PayloadInput mapped = new MappedWords(present, wordsOfBuffer);
        expected.assertBy(new CountingProvider().map(SPEC, layout.toLayout(), mapped));
      }
    }
  }

  /** What positions say of hashes. */
  private static final class Expected {

    private final long[] hashes;
    private final boolean[] contained;
    private final int[] hits;

    Expected(long[] present, long[] hashes, int probesPerWord) {
      this.hashes = hashes;
      this.contained = new boolean[hashes.length];
      int[] all = new int[hashes.length];
      int found = 0;
      int firstOnly = 0;
      for (int i = 0; i < hashes.length; i++) {
        long[] positions =
            new CountingProvider()
                .positions(hashes[i], present.length * 64L, 2 * probesPerWord)
                .orElseThrow();
        boolean first = has(present, Arrays.copyOf(positions, probesPerWord));
        contained[i] = has(present, positions);
        firstOnly += first && !contained[i] ? 1 : 0;
        all[found] = i;
        found += contained[i] ? 1 : 0;
      }
      this.hits = Arrays.copyOf(all, found);
      assertTrue(found > 20, found + " contained");
      assertTrue(firstOnly > 150, firstOnly + " in their first word only");
      int neither = hashes.length - found - firstOnly;
      assertTrue(neither > 300, neither + " not even in their first word");
    }

    private static boolean has(long[] present, long[] positions) {
      return Arrays.stream(positions)
          .allMatch(at -> (present[(int) (at / 64)] >>> at % 64 & 1) != 0);
    }

    void assertBy(FilterView filter) {
      boolean[] answers = new boolean[hashes.length];
      for (int i = 0; i < hashes.length; i++) {
        answers[i] = filter.mightContain(hashes[i]);
      }
      assertArrayEquals(contained, answers);
      int[] found = new int[hashes.length];
      int count = filter.select(hashes, 0, hashes.length, found);
      assertArrayEquals(hits, Arrays.copyOf(found, count));
    }
  }

  /**
   * A payload in which no counter is above one, with the words that are asked in buffers of some
   * size.
   */
  private static final class MappedWords implements PayloadInput {

    private final long[] present;
    private final int wordsOfBuffer;

    MappedWords(long[] present, int wordsOfBuffer) {
      this.present = present;
      this.wordsOfBuffer = wordsOfBuffer;
    }

    @Override
    public LongBuffer[] mapLongs(long count) {
      assertEquals(present.length, count);
      LongBuffer[] buffers = new LongBuffer[(present.length + wordsOfBuffer - 1) / wordsOfBuffer];
      for (int i = 0; i < buffers.length; i++) {
        int from = i * wordsOfBuffer;
        buffers[i] =
            LongBuffer.wrap(present, from, Math.min(wordsOfBuffer, present.length - from)).slice();
      }
      return buffers;
    }

    @Override
    public long size() {
      return 2L * present.length * Long.BYTES;
    }

    @Override
    public long[] readLongs(long count) {
      throw new AssertionError("nothing is to be read");
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return new FilterFormatException(Reason.INVALID, 0, reason);
    }
  }
}
