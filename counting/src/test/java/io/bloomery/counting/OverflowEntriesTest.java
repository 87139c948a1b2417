package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.FilterSpec;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a file says of counts above four, kept as it is until a stripe changes. */
class OverflowEntriesTest {

  private static final int STRIPES = 8;

  private static OverflowEntries entries(Map<Long, Long> counts) {
    long[] words = new long[OverflowEntries.WORDS * counts.size()];
    int[] sizes = new int[STRIPES];
    int at = 0;
    for (Map.Entry<Long, Long> count : counts.entrySet()) {
      words[at++] = count.getKey();
      words[at++] = count.getValue();
      sizes[(int) (count.getKey() / CountingLayout.BLOCK_BITS % STRIPES)]++;
    }
    List<long[]> parts = new ArrayList<>();
    for (int from = 0; from < words.length; from += OverflowEntries.PART_WORDS) {
      int to = Math.min(from + OverflowEntries.PART_WORDS, words.length);
      parts.add(Arrays.copyOfRange(words, from, to));
    }
    return new OverflowEntries(parts, sizes);
  }

  /** The last of these numbers takes two parts. */
  @Test
  void everyEntryIsFoundAndBelongsToOneStripe() {
    for (int size : new int[] {0, 1, 2, 100, 10_000, 600_000}) {
      SplittableRandom random = new SplittableRandom(size);
      Map<Long, Long> counts = new TreeMap<>();
      while (counts.size() < size) {
        counts.put(random.nextLong(20L * size), 1 + random.nextLong(9));
      }
      OverflowEntries entries = entries(counts);
      counts.forEach((position, more) -> assertEquals(more, entries.get(position)));
      for (long absent = 0; absent < 1_000; absent++) {
        assertEquals(counts.getOrDefault(absent, 0L), entries.get(absent));
      }
      Map<Long, Long> left = new TreeMap<>(counts);
      for (int stripe = 0; stripe < STRIPES; stripe++) {
        int wanted = stripe;
        long before = left.size();
        entries.forEach(
            stripe,
            (position, more) -> {
              assertEquals(wanted, position / CountingLayout.BLOCK_BITS % STRIPES);
              assertEquals(more, left.remove(position));
            });
        assertEquals(before - left.size(), entries.size(stripe));
      }
      assertEquals(0, left.size());
    }
  }

  /** Copies and merges meet stripes of both forms. */
  @Test
  void aFilterThatWasReadGoesOnAsTheOneThatWroteIt() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    long[] hashes = random.longs(5_000).toArray();
    CountingFilter one =
        (CountingFilter)
            new CountingProvider().create(new FilterSpec(5_000, 0.01), ThreadMode.SHARED);
    for (long hash : hashes) {
      for (long times = hash & 15; times >= 0; times--) {
        one.put(hash);
      }
    }
    CountingFilter other = Words.read(one, Words.of(one), ThreadMode.SHARED);
    for (int i = 0; i < 2_000; i++) {
      long hash = hashes[random.nextInt(hashes.length)];
      assertEquals(one.approximateCount(hash), other.approximateCount(hash));
      if (i % 400 == 1) {
        CountingFilter read = Words.read(other, Words.of(other), ThreadMode.CONFINED);
        one.putAll(read);
        other.putAll(read.copy());
      } else if (random.nextBoolean()) {
        assertEquals(one.put(hash), other.put(hash));
      } else {
        assertEquals(one.remove(hash), other.remove(hash));
      }
      if (i % 100 == 0) {
        other = other.copy();
        assertEquals(one.payloadSize(), other.payloadSize());
        assertArrayEquals(Words.of(one), Words.of(other));
      }
    }
    assertArrayEquals(Words.of(one), Words.of(other));
  }
}
