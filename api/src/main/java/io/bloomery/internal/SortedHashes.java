package io.bloomery.internal;

import java.util.Spliterator;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Distinct hashes in the order of their mixed forms, as unsigned numbers. A provider that is given
 * a stream of them finds them again by its spliterator, and need neither count nor sort them.
 */
public final class SortedHashes implements Spliterator.OfLong {

  private final @Nullable HashFile file; // null if all are here
  private final long size;
  private long[] numbers; // mixed forms, the highest bit inverted
  private int next;
  private int end;
  private int slices; // that were read

  SortedHashes(long[] numbers, int size) {
    this.file = null;
    this.numbers = numbers;
    this.end = size;
    this.size = size;
  }

  /**
   * Creates those of a file.
   *
   * @param size their number, or -1 if they are to be counted
   */
  SortedHashes(HashFile file, long size) {
    this.file = file;
    this.numbers = new long[Math.toIntExact(file.largest())];
    this.size = size < 0 ? count(file) : size;
  }

  private long count(HashFile file) {
    long count = 0;
    while (slices < HashFile.SLICES) {
      readSlice(file);
      count += end;
    }
    slices = 0;
    end = 0;
    next = 0;
    return count;
  }

  private void readSlice(HashFile file) {
    end = HashCollector.distinct(numbers, file.read(slices++, numbers));
    next = 0;
  }

  /** Returns these hashes as a stream. */
  public LongStream stream() {
    return StreamSupport.longStream(this, false);
  }

  /** Returns the number of all hashes, also after some were read. */
  public long size() {
    return size;
  }

  /** Returns whether a hash is left. */
  public boolean hasNext() {
    while (next == end && file != null && slices < HashFile.SLICES) {
      readSlice(file);
    }
    return next < end;
  }

  /** Returns the mixed form of the next hash, which there must be, without reading it. */
  public long peekMixed() {
    return numbers[next] ^ Long.MIN_VALUE;
  }

  /** Reads the next hash, which there must be, and returns its mixed form. */
  public long nextMixed() {
    return numbers[next++] ^ Long.MIN_VALUE;
  }

  @Override
  public boolean tryAdvance(LongConsumer action) {
    if (!hasNext()) {
      return false;
    }
    action.accept(HashMixing.unmix(nextMixed()));
    return true;
  }

  @Override
  public @Nullable OfLong trySplit() {
    return null;
  }

  @Override
  public long estimateSize() {
    return size;
  }

  @Override
  public int characteristics() {
    return DISTINCT | NONNULL | IMMUTABLE | ORDERED;
  }
}
