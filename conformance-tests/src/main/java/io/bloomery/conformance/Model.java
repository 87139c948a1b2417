package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.cursors.IntCursor;
import io.bloomery.Filter;
import io.bloomery.FilterStats;
import io.bloomery.MergeableFilter;
import java.util.List;

/**
 * A filter, and an exact set of what it must contain. Hashes go by small numbers, so that a failing
 * sequence can be read.
 */
final class Model {

  /** How many different hashes there are; few, and the filter is small, so that bits coincide. */
  static final int HASHES = 16;

  private static final double RATE = 0.1;

  private final Subject subject;
  private final long[] hashes = Hashes.of("model", HASHES);
  private final IntHashSet contained = new IntHashSet();
  private Filter filter;

  Model(Subject subject) {
    this.subject = subject;
    this.filter = empty();
  }

  private Filter empty() {
    return subject.create(HASHES, RATE);
  }

  void put(int number) {
    boolean absent = !filter.mightContain(hashes[number]);
    assertEquals(absent, filter.put(hashes[number]), "put returns whether the hash was absent");
    contained.add(number);
  }

  void putAll(List<Integer> numbers) {
    long[] batch = numbers.stream().mapToLong(number -> hashes[number]).toArray();
    Filter singly = filter.copy();
    int expected = 0;
    for (long hash : batch) {
      expected += singly.put(hash) ? 1 : 0;
    }
    assertEquals(expected, filter.putAll(batch, 0, batch.length), "how many were new");
    numbers.forEach(contained::add);
  }

  void writeAndRead() {
    byte[] written = Subject.write(filter);
    FilterStats stats = filter.stats();
    filter = subject.read(written);
    assertArrayEquals(written, Subject.write(filter), "bytes written again");
    assertEquals(stats, filter.stats(), "statistics after reading");
  }

  /** Goes on with a copy, after putting hashes into the original that are not for the copy. */
  void continueOnCopy() {
    Filter original = filter;
    filter = original.copy();
    byte[] before = Subject.write(filter);
    Subject.put(original, Hashes.of("model/original", HASHES));
    assertArrayEquals(before, Subject.write(filter), "a copy after puts into the original");
  }

  void merge(List<Integer> numbers) {
    Filter other = empty();
    numbers.forEach(number -> other.put(hashes[number]));
    ((MergeableFilter) filter).putAll(other);
    numbers.forEach(contained::add);
  }

  void clear() {
    filter.clear();
    contained.clear();
    assertArrayEquals(Subject.write(empty()), Subject.write(filter), "bytes after clear");
  }

  /** Checks what must hold after every step. */
  void check() {
    for (IntCursor number : contained) {
      assertTrue(filter.mightContain(hashes[number.value]), () -> "lost: " + number.value);
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
    return "a filter that must contain " + contained;
  }
}
