package io.bloomery.internal;

import static io.bloomery.internal.WordProbes.HASH_PROBES;
import static io.bloomery.internal.WordProbes.HASH_ROTATION;
import static io.bloomery.internal.WordProbes.PROBES_PER_PRODUCT;
import static io.bloomery.internal.WordProbes.PRODUCT_ROTATION;
import static io.bloomery.internal.WordProbes.WORD_MASK;
import static io.bloomery.internal.WordProbes.product;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The queries of batches, by {@link WordProbes}, on a table that is in no cache: a pass over many
 * hashes computes where their words are, the next one does nothing but read them, the last one
 * compares. How many reads overlap depends on the number of instructions between two of them.
 *
 * <p>Two probes of each hash are read first, two more of those that remain, and all others of those
 * that still do; after a batch of which more than three quarters were contained, all at once.
 *
 * <p>Thread-safe: what the passes share is lent to one thread at a time, and others make their own.
 */
public final class ProbePasses {
  // decisions.md#batches-on-tables-that-are-in-no-cache-read-in-a-pass-of-its-own

  /** The fewest hashes whose reads overlap enough. */
  private static final int FEWEST = 16;

  /** Enough hashes for passes to end seldom; no power of two, by which rows would share sets. */
  private static final int MOST = 250;

  /** The words of a batch: of more, rows are not in the first-level cache. */
  private static final int MOST_WORDS = 2_000;

  private static final int HALF_OF_HASH = 2;

  // A constant, so that the compiler knows its class and can inline it.
  private static final ProbeKernel KERNEL = ProbeKernel.installed();

  /** Where the words of a table are. */
  public interface Words {

    /** Reads words into an array, by the indices of some. */
    void read(int[] places, int size, long[] words);
  }

  private final Words table;
  private final long @Nullable [] array; // if the table is one
  private final long range;
  private final int stride;
  private final int probes;
  private final int units;
  private final boolean isFar;
  private final AtomicReference<@Nullable Rows> spare = new AtomicReference<>();

  /**
   * Creates the queries of a table.
   *
   * @param range the number of words that each probe selects one of
   * @param stride the number of words between the ranges of successive probes
   */
  public ProbePasses(Words table, long range, int stride, int probes) {
    this(table, null, range, stride, probes);
  }

  /** Creates the queries of a table in an array. */
  public ProbePasses(long[] table, long range, int stride, int probes) {
    this(of(table), table, range, stride, probes);
  }

  private ProbePasses(Words table, long @Nullable [] array, long range, int stride, int probes) {
    this.table = table;
    this.array = array;
    this.range = range;
    this.stride = stride;
    this.probes = probes;
    int units = 1;
    while (first(units) < probes) {
      units++;
    }
    this.units = units;
    this.isFar = range + (long) stride * (probes - 1) >= Batches.FAR_WORDS;
  }

  private static Words of(long[] table) {
    return (places, size, words) -> {
      for (int i = 0; i < size; i++) {
        words[i] = table[places[i]];
      }
    };
  }

  /**
   * Queries a range of hashes as {@code FilterView.select} does: in passes, or as {@link
   * Batches#select} does for few hashes, or the installed {@link ProbeKernel} in an array that a
   * cache may have.
   */
  public int select(Batches.Queries queries, long[] hashes, int from, int to, int[] hits) {
    if (to - from < FEWEST || (array == null && !isFar)) {
      return Batches.select(queries, hashes, from, to, hits);
    }
    if (isFar || array == null) {
      return selectInPasses(hashes, from, to, hits);
    }
    Batches.checkSelect(hashes, from, to, hits);
    return KERNEL.select(queries, array, range, stride, probes, hashes, from, to, hits);
  }

  /** Queries as {@link #select} does in a table that is in no cache. */
  public int selectInPasses(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    Rows rows = spare.getAndSet(null);
    if (rows == null) {
      rows = new Rows(Math.max(FEWEST, Math.min(MOST, MOST_WORDS / probes)), units, probes);
    }
    int found = 0;
    boolean mostlyContained = false;
    for (int start = from, size; start < to; start += size) {
      size = Math.min(rows.size, to - start);
      for (int i = 0; i < size; i++) {
        hits[found + i] = start + i;
      }
      int left = size;
      for (int unit = 0, next; unit < units && left > 0; unit = next) {
        next = mostlyContained ? units : Math.min(units, unit < 2 ? unit + 1 : units);
        left = round(rows, unit, next, hashes, hits, found, left);
      }
      mostlyContained = left > size / 4 * 3;
      found += left;
    }
    spare.set(rows);
    return found;
  }

  /** Returns the first probe of a unit: two of two halves of the hash, then three of products. */
  private static int first(int unit) {
    return unit <= 2 ? HALF_OF_HASH * unit : HASH_PROBES + PROBES_PER_PRODUCT * (unit - 2);
  }

  private int count(int unit) {
    return Math.min(first(unit + 1), probes) - first(unit);
  }

  private static int rotation(int unit) {
    return unit < 2 ? HASH_ROTATION : PRODUCT_ROTATION;
  }

  /** Keeps those of the hits from an index on that have all bits of some units set. */
  private int round(Rows rows, int from, int to, long[] hashes, int[] hits, int start, int size) {
    int read = 0;
    for (int unit = from, row = 0; unit < to; unit++, row += size) {
      if (unit == from) {
        begin(hashes, hits, start, size, unit, rows.values);
      } else {
        proceed(rows.values, row, size, unit);
      }
      int offset = stride * first(unit);
      locate(rows.values, row, size, rotation(unit), count(unit), offset, rows.places, read);
      read += count(unit) * size;
    }
    table.read(rows.places, read, rows.words);
    read = 0;
    for (int unit = from, row = 0; unit < to; unit++, row += size) {
      and(
          rows.values,
          row,
          size,
          rotation(unit),
          count(unit),
          rows.words,
          read,
          rows.bits,
          row == 0);
      read += count(unit) * size;
    }
    return keep(rows.bits, hits, start, size);
  }

  private static void begin(
      long[] hashes, int[] hits, int start, int size, int unit, long[] values) {
    for (int i = 0; i < size; i++) {
      long hash = hashes[hits[start + i]];
      values[i] =
          unit == 0 ? hash : unit == 1 ? Long.rotateLeft(hash, Integer.SIZE) : product(hash);
    }
  }

  /** Computes the first probes of a unit from those of the previous one, a row before. */
  private static void proceed(long[] values, int row, int size, int unit) {
    for (int i = row; i < row + size; i++) {
      long previous = values[i - size];
      long hash = unit > 2 ? previous : Long.rotateLeft(previous, Integer.SIZE);
      values[i] = unit == 1 ? hash : product(hash);
    }
  }

  private void locate(
      long[] values, int row, int size, int rotation, int count, int offset, int[] places, int at) {
    long range = this.range;
    int second = offset + stride;
    int third = second + stride;
    int place = at;
    for (int i = row; i < row + size; i++, place += count) {
      long probe = values[i];
      places[place] = (int) (((probe & WORD_MASK) * range) >>> Integer.SIZE) + offset;
      if (count > 1) {
        probe = Long.rotateLeft(probe, rotation);
        places[place + 1] = (int) (((probe & WORD_MASK) * range) >>> Integer.SIZE) + second;
        if (count > 2) {
          probe = Long.rotateLeft(probe, rotation);
          places[place + 2] = (int) (((probe & WORD_MASK) * range) >>> Integer.SIZE) + third;
        }
      }
    }
  }

  /** Combines the bits of the probes of a unit, in the lowest bit; the others are arbitrary. */
  private static void and(
      long[] values,
      int row,
      int size,
      int rotation,
      int count,
      long[] words,
      int at,
      long[] bits,
      boolean begins) {
    int word = at;
    for (int i = 0; i < size; i++, word += count) {
      long next = Long.rotateLeft(values[row + i], rotation);
      long both = words[word] >>> next;
      if (count > 1) {
        next = Long.rotateLeft(next, rotation);
        both &= words[word + 1] >>> next;
        if (count > 2) {
          both &= words[word + 2] >>> Long.rotateLeft(next, rotation);
        }
      }
      bits[i] = begins ? both : bits[i] & both;
    }
  }

  private static int keep(long[] bits, int[] hits, int start, int size) {
    int left = start;
    for (int i = 0; i < size; i++) {
      hits[left] = hits[start + i];
      left += (int) bits[i] & 1;
    }
    return left - start;
  }

  /** What the passes over one batch hand to each other. */
  private static final class Rows {
    final int size;
    final long[] values; // a row for each unit
    final int[] places;
    final long[] words;
    final long[] bits;

    Rows(int size, int units, int probes) {
      this.size = size;
      this.values = new long[units * size];
      this.places = new int[probes * size];
      this.words = new long[probes * size];
      this.bits = new long[size];
    }
  }
}
