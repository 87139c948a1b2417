package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongIntHashMap;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A filter, and an exact multiset of what it must contain. Hashes go by small numbers, so that a
 * failing sequence can be read.
 */
final class Model {

  /** How many different hashes there are; few, and the filter is small, so that bits coincide. */
  static final int HASHES = 16;

  private static final int FLOOD = 5 * HASHES;
  private static final double RATE = 0.1;

  private final RuleContext context;
  private final Subject subject;
  private final long[] hashes;
  private final Hashes flood;
  private final LongIntHashMap contained = new LongIntHashMap();
  private Filter filter;

  Model(RuleContext context) {
    this.context = context;
    this.subject = context.subject();
    this.hashes = context.hashes("model", HASHES);
    this.flood = context.hashes("model/flood");
    this.filter = empty();
  }

  private String name(long hash) {
    for (int number = 0; number < HASHES; number++) {
      if (hashes[number] == hash) {
        return Integer.toString(number);
      }
    }
    return "one of a flood";
  }

  private Filter empty() {
    return subject.create(HASHES, RATE);
  }

  void put(int number) {
    boolean absent = !filter.mightContain(hashes[number]);
    try {
      assertEquals(absent, filter.put(hashes[number]), "put returns whether the hash was absent");
      contained.addTo(hashes[number], 1);
    } catch (FilterFullException e) {
      assertTrue(absent, () -> "there is always room for what is there: " + e);
    }
  }

  void putAll(List<Integer> numbers) {
    long[] batch = numbers.stream().mapToLong(number -> hashes[number]).toArray();
    Filter singly = filter.copy();
    int expected = 0;
    for (long hash : batch) {
      if (!singly.mightContain(hash) && !Subject.isTaken(singly.copy(), hash)) {
        return;
      }
      expected += singly.put(hash) ? 1 : 0;
    }
    assertEquals(expected, filter.putAll(batch, 0, batch.length), "how many were new");
    numbers.forEach(number -> contained.addTo(hashes[number], 1));
  }

  /** Puts five times as many hashes as expected, each for the first time. */
  void flood() {
    for (long hash : flood.next(FLOOD)) {
      if (!Subject.isTaken(filter, hash)) {
        return;
      }
      contained.addTo(hash, 1);
    }
  }

  void putOften(int number, int times) {
    for (int i = 0; i < times; i++) {
      put(number);
    }
  }

  /** Removes a hash that must be there: the one at some place among all of them. */
  void remove(int place) {
    long[] present = contained.keys().toArray();
    if (present.length == 0) {
      return;
    }
    Arrays.sort(present);
    long hash = present[place % present.length];
    assertTrue(removable().remove(hash), () -> "remove of " + name(hash));
    takeOut(hash);
  }

  /** Removes some hashes at once, as many of them as are there. */
  void removeAll(List<Integer> numbers) {
    LongIntHashMap left = new LongIntHashMap(contained);
    long[] batch =
        numbers.stream()
            .mapToLong(number -> hashes[number])
            .filter(hash -> left.getOrDefault(hash, 0) > 0 && left.addTo(hash, -1) >= 0)
            .toArray();
    assertEquals(batch.length, removable().removeAll(batch, 0, batch.length), "how many removed");
    for (long hash : batch) {
      takeOut(hash);
    }
  }

  private void takeOut(long hash) {
    if (contained.addTo(hash, -1) == 0) {
      contained.remove(hash);
    }
  }

  void removeAbsent() {
    byte[] before = Subject.write(filter);
    for (long hash : context.hashes("model/absent", 2 * HASHES)) {
      if (!filter.mightContain(hash)) {
        assertFalse(removable().remove(hash), "remove of an absent hash");
        assertEquals(0, removable().approximateCount(hash), "count of an absent hash");
      }
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after removing absent hashes");
  }

  void count() {
    for (LongIntCursor hash : contained) {
      long count = removable().approximateCount(hash.key);
      assertTrue(count >= hash.value, () -> count + " counted of " + name(hash.key));
    }
  }

  private RemovableFilter removable() {
    return (RemovableFilter) filter;
  }

  /** Removes all that is left, where the filter can, which must leave it as it was created. */
  void drain() {
    if (filter instanceof RemovableFilter) {
      while (!contained.isEmpty()) {
        remove(0);
      }
      assertArrayEquals(Subject.write(empty()), Subject.write(filter), "bytes of a drained filter");
    }
  }

  void writeAndRead() {
    byte[] written = Subject.write(filter);
    FilterStats stats = filter.stats();
    filter = subject.read(written);
    assertArrayEquals(written, Subject.write(filter), "bytes written again");
    assertEquals(stats, filter.stats(), "statistics after reading");
  }

  /** Goes on with what was written, as a filter for one thread. */
  void readConfined() {
    byte[] written = Subject.write(filter);
    filter = subject.read(written, ThreadMode.CONFINED);
    assertArrayEquals(written, Subject.write(filter), "bytes written by a confined filter");
  }

  /** Goes on with a copy, after putting hashes into the original that are not for the copy. */
  void continueOnCopy() {
    Filter original = filter;
    filter = original.copy();
    byte[] before = Subject.write(filter);
    Subject.put(original, context.hashes("model/original", HASHES));
    assertArrayEquals(before, Subject.write(filter), "a copy after puts into the original");
  }

  void merge(List<Integer> numbers) {
    Filter other = empty();
    numbers.forEach(number -> other.put(hashes[number]));
    ((MergeableFilter) filter).putAll(other);
    numbers.forEach(number -> contained.addTo(hashes[number], 1));
  }

  /** Merges what does not fit, which must change neither side. */
  void incompatibleMerge() {
    Filter other = subject.create(5L * HASHES, RATE);
    Subject.put(other, hashes);
    byte[] here = Subject.write(filter);
    byte[] there = Subject.write(other);
    assertThrows(
        IllegalArgumentException.class,
        () -> ((MergeableFilter) filter).putAll(other),
        "an incompatible filter");
    assertArrayEquals(here, Subject.write(filter), "bytes after refusing to merge");
    assertArrayEquals(there, Subject.write(other), "bytes of what was refused");
  }

  /** Queries some hashes at once. */
  void select(List<Integer> numbers) {
    long[] batch = numbers.stream().mapToLong(number -> hashes[number]).toArray();
    int[] expected =
        IntStream.range(0, batch.length).filter(i -> filter.mightContain(batch[i])).toArray();
    int[] hits = new int[batch.length];
    int found = filter.select(batch, 0, batch.length, hits);
    assertArrayEquals(expected, Arrays.copyOf(hits, found), "indices of what is found");
  }

  /** Compares the statistics with those of the same content, read afresh. */
  void measure() {
    assertEquals(subject.read(Subject.write(filter)).stats(), filter.stats(), "statistics");
  }

  void clear() {
    filter.clear();
    contained.clear();
    assertArrayEquals(Subject.write(empty()), Subject.write(filter), "bytes after clear");
  }

  /** Checks what must hold after every step. */
  void check() {
    for (LongIntCursor hash : contained) {
      assertTrue(filter.mightContain(hash.key), () -> "lost: " + name(hash.key));
    }
    FilterStats stats = filter.stats();
    assertTrue(stats.fill() >= 0 && stats.fill() <= 1, () -> "fill of " + stats);
    assertTrue(stats.approximateKeys().orElse(0) >= 0, () -> "estimate of " + stats);
    if (contained.isEmpty()) {
      assertEquals(0, stats.setBits(), "set bits of an empty filter");
    }
  }

  @Override
  public String toString() {
    return "a filter that must contain " + contained.size() + " hashes";
  }
}
