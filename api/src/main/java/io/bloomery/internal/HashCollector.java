package io.bloomery.internal;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The distinct hashes of all that is added, however often each comes. They are on the heap, or,
 * those that a bound leaves no room for, in a temporary file, with 8 bytes for each.
 */
public final class HashCollector implements AutoCloseable {

  private static final int FEWEST = 1 << 10;
  private static final int LONGEST = Integer.MAX_VALUE - 15;

  private final long most;
  private final int room;
  private final @Nullable Path folder; // null if all must be on the heap
  private @Nullable HashFile file; // null until it is needed
  private long[] mixed; // by HashMixing, the highest bit inverted so that they sort as unsigned
  private int size;
  private long count = -1; // of distinct hashes, -1 if it is not known
  private @Nullable String end; // why there are no more hashes, null if there may be

  private HashCollector(long most, long room, @Nullable Path folder) {
    this.most = most;
    this.room = (int) Math.min(room, LONGEST);
    this.folder = folder;
    this.mixed = new long[FEWEST];
  }

  /**
   * Returns none yet, which will be on the heap: at most 10 bytes for each of those expected, and 8
   * KiB, and up to as much again while room is made.
   *
   * @param most the number of distinct hashes that may be added
   */
  public static HashCollector ofAtMost(long most) {
    // The room beyond the most is what duplicates fill before they are sorted out again.
    return new HashCollector(most, Math.min(most, LONGEST) / 4 * 5 + FEWEST, null);
  }

  /** Returns none yet, which will be on the heap. */
  public static HashCollector onHeap() {
    return new HashCollector(Long.MAX_VALUE, LONGEST, null);
  }

  /**
   * Returns none yet, of which as many as a number of bytes has room for will be on the heap, and
   * all others in a temporary file.
   *
   * @param folder an existing one of the default file system, for the file
   */
  public static HashCollector within(long bytes, Path folder) {
    long whileRoomIsMade = 2 * Long.BYTES;
    return new HashCollector(
        Long.MAX_VALUE, Math.max(FEWEST, bytes / whileRoomIsMade), folder.toAbsolutePath());
  }

  /** Adds the hashes of a range; any number of threads may do so. */
  public synchronized void add(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    checkOpen();
    count = -1;
    for (int i = from; i < to; i++) {
      if (size == mixed.length) {
        makeRoom();
      }
      mixed[size++] = HashMixing.mix(hashes[i]) ^ Long.MIN_VALUE;
    }
  }

  /** Adds the hashes of a stream, whose threads compute them if it is parallel. */
  public void addAll(LongStream hashes) {
    hashes.collect(() -> new Batch(this), Batch::add, Batch::end).end();
  }

  /** The hashes that a thread has not added yet. */
  private static final class Batch {

    private final HashCollector all;
    private final long[] hashes = new long[1 << 9];
    private int count;

    Batch(HashCollector all) {
      this.all = all;
    }

    void add(long hash) {
      if (count == hashes.length) {
        end();
      }
      hashes[count++] = hash;
    }

    void end() {
      all.add(hashes, 0, count);
      count = 0;
    }

    void end(Batch other) {
      other.end();
    }
  }

  private void makeRoom() {
    sortOut();
    if (size <= mixed.length / 2) {
      return;
    }
    if (mixed.length < room) {
      int length = (int) Math.min(2L * mixed.length, room);
      try {
        mixed = Arrays.copyOf(mixed, length);
      } catch (OutOfMemoryError e) {
        if (folder != null) {
          spill();
          return;
        }
        throw HeapLimit.tooLowFor("the hashes of a filter", (long) length * Long.BYTES);
      }
    } else if (folder != null) {
      spill();
    } else if (size > LONGEST - LONGEST / 8) {
      throw new IllegalArgumentException(
          "hashes on the heap must be at most "
              + size
              + ", but there are more; use a file for them");
    }
  }

  private void sortOut() {
    size = distinct(mixed, size);
    if (size > most) {
      throw tooMany(most);
    }
  }

  /** Sorts the first numbers of an array, and returns how many distinct ones then come first. */
  static int distinct(long[] numbers, int count) {
    Arrays.sort(numbers, 0, count);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || numbers[i] != numbers[i - 1]) {
        numbers[distinct++] = numbers[i];
      }
    }
    return distinct;
  }

  /** Returns an exception, for the caller to throw, about more hashes than were expected. */
  public static IllegalArgumentException tooMany(long expected) {
    return new IllegalArgumentException(
        "there must be at most the "
            + expected
            + " expected distinct hashes, but there are more; expect more keys");
  }

  /**
   * Returns the distinct hashes, of which this object keeps those on the heap and in the file: it
   * is to be closed when they are used.
   */
  public synchronized SortedHashes sorted() {
    checkOpen();
    if (file != null) {
      leaveHeap();
      SortedHashes sorted = new SortedHashes(file, count);
      count = sorted.size();
      return sorted;
    }
    if (count < 0) {
      sortOut();
      count = size;
    }
    return new SortedHashes(mixed, size);
  }

  /** Puts all hashes into the file, unless all must be on the heap. */
  public synchronized void leaveHeap() {
    if (folder == null) {
      return;
    }
    if (size > 0) {
      sortOut();
      spill();
    }
    mixed = new long[FEWEST];
  }

  /** Returns the bytes of heap that the hashes take, also while they are used. */
  public synchronized long bytesOnHeap() {
    checkOpen();
    return Long.BYTES * Math.max(mixed.length, file == null ? 0 : file.largest());
  }

  private void spill() {
    if (file == null) {
      file = new HashFile(Objects.requireNonNull(folder));
    }
    file.write(mixed, size);
    size = 0;
  }

  private void checkOpen() {
    if (end != null) {
      throw new IllegalStateException(
          "hashes must be added, counted and built before that ends, but they have been "
              + end
              + "; collect them anew");
    }
  }

  /** Ends this: the hashes have been used. */
  public synchronized void endBuilt() {
    end = "built";
  }

  /** Deletes the file, if there is one, and ends this. */
  @Override
  public synchronized void close() {
    end = "closed";
    if (file != null) {
      file.close();
    }
  }
}
