package io.bloomery.vector;

import static io.bloomery.vector.Lanes.HASHES;
import static io.bloomery.vector.Lanes.INDICES;

import io.bloomery.blocked.BlockedKernel;
import io.bloomery.internal.Batches;
import io.bloomery.internal.CellKernel;
import io.bloomery.internal.HashMixing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReference;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import org.jspecify.annotations.Nullable;

/**
 * The kernel of batches in fuse filters: a pass computes where cells are, eight hashes at a time,
 * the next one reads them, as gathers read no words from bytes, the last one compares.
 */
public final class CellBatch implements CellKernel {

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int ARITY = 4;
  private static final int SIZE = 128;
  private static final long LOW = 0xFFFF_FFFFL;

  // What fuse filters take of the time of blocked ones, in plain Java.
  private static final double OF_BLOCKED = 2;

  private final Trial trial;
  private final AtomicReference<@Nullable Rows> spare = new AtomicReference<>();

  /**
   * Creates a kernel, for ServiceLoader.
   *
   * @throws UnsupportedOperationException if plain Java is faster in this JVM, or the system
   *     property {@code bloomery.vectors} is {@code false}
   */
  public CellBatch() {
    this(Trial.ofThisJvm("fuse", OF_BLOCKED, Lanes.COUNT, CellBatch::race));
  }

  CellBatch(Trial trial) {
    this.trial = trial;
  }

  static Trial.Race race() {
    long[] words = Trial.words();
    BlockedKernel plain = BlockedKernel.plain();
    byte[] content = new byte[Long.BYTES * words.length];
    int segment = words.length / ARITY;
    Cells cells = new Cells(content, 1, segment, segment, Byte.SIZE);
    Rows rows = new Rows();
    return (vectors, hashes, from, to, hits) ->
        vectors
            ? select(cells, rows, hashes, from, to, hits)
            : plain.selectTwoWords(words, hashes, from, to, hits, 0);
  }

  @Override
  public int select(
      Batches.Each queries, Cells cells, long[] hashes, int from, int to, int[] hits) {
    if (!trial.won(to - from)) {
      return queries.selectEach(hashes, from, to, hits, 0);
    }
    Rows lent = spare.getAndSet(null);
    Rows rows = lent == null ? new Rows() : lent;
    int end = to - (to - from) % Lanes.COUNT;
    int found = select(cells, rows, hashes, from, end, hits);
    spare.set(rows);
    return queries.selectEach(hashes, end, to, hits, found);
  }

  private static int select(Cells cells, Rows rows, long[] hashes, int from, int to, int[] hits) {
    int found = 0;
    for (int start = from, end; start < to; start = end) {
      end = start + Math.min(SIZE, to - start);
      locate(cells, hashes, start, end, rows);
      read(cells.content(), rows.bits, ARITY * (end - start), rows.words);
      found = compare(cells.width(), rows, start, end, hits, found);
    }
    return found;
  }

  private static void locate(Cells cells, long[] hashes, int from, int to, Rows rows) {
    long key = cells.key();
    LongVector twiceFirsts = Lanes.factor(cells.twiceFirsts());
    long segment = cells.segment();
    LongVector width = Lanes.factor(cells.width());
    for (int i = from; i < to; i += Lanes.COUNT) {
      LongVector product =
          LongVector.fromArray(HASHES, hashes, i)
              .lanewise(VectorOperators.XOR, key)
              .mul(HashMixing.MIX);
      LongVector mixed =
          product.lanewise(
              VectorOperators.XOR, product.lanewise(VectorOperators.LSHR, Integer.SIZE));
      mixed.intoArray(rows.mixed, i - from);
      LongVector half = mixed.lanewise(VectorOperators.LSHR, 1);
      LongVector cell =
          half.and(LOW)
              .mul(twiceFirsts)
              .lanewise(VectorOperators.LSHR, Integer.SIZE)
              .add(half.lanewise(VectorOperators.LSHR, Integer.SIZE).mul(twiceFirsts))
              .lanewise(VectorOperators.LSHR, Integer.SIZE);
      LongVector spread = mixed.mul(SPREAD);
      int at = ARITY * (i - from);
      ((IntVector) cell.mul(width).convertShape(VectorOperators.L2I, INDICES, 0))
          .intoArray(rows.bits, at);
      ((IntVector)
              cell.add(segment)
                  .lanewise(
                      VectorOperators.XOR,
                      spread.lanewise(VectorOperators.LSHR, SECOND).and(segment - 1))
                  .and(LOW)
                  .mul(width)
                  .convertShape(VectorOperators.L2I, INDICES, 0))
          .intoArray(rows.bits, at + Lanes.COUNT);
      ((IntVector)
              cell.add(2 * segment)
                  .lanewise(
                      VectorOperators.XOR,
                      spread.lanewise(VectorOperators.LSHR, THIRD).and(segment - 1))
                  .and(LOW)
                  .mul(width)
                  .convertShape(VectorOperators.L2I, INDICES, 0))
          .intoArray(rows.bits, at + 2 * Lanes.COUNT);
      ((IntVector)
              cell.add(3 * segment)
                  .lanewise(
                      VectorOperators.XOR,
                      spread.lanewise(VectorOperators.LSHR, FOURTH).and(segment - 1))
                  .and(LOW)
                  .mul(width)
                  .convertShape(VectorOperators.L2I, INDICES, 0))
          .intoArray(rows.bits, at + 3 * Lanes.COUNT);
    }
  }

  private static void read(byte[] content, int[] bits, int size, long[] words) {
    for (int i = 0; i < size; i++) {
      words[i] = (long) WORDS.get(content, bits[i] >>> 3);
    }
  }

  private static int compare(int width, Rows rows, int from, int to, int[] hits, int found) {
    long fingerprint = (1L << width) - 1;
    int next = found;
    for (int i = from; i < to; i += Lanes.COUNT) {
      LongVector different = LongVector.fromArray(HASHES, rows.mixed, i - from);
      int at = ARITY * (i - from);
      for (int j = 0; j < ARITY; j++) {
        LongVector shift =
            (LongVector)
                IntVector.fromArray(INDICES, rows.bits, at)
                    .and(7)
                    .convertShape(VectorOperators.I2L, HASHES, 0);
        different =
            LongVector.fromArray(HASHES, rows.words, at)
                .lanewise(VectorOperators.LSHR, shift)
                .lanewise(VectorOperators.XOR, different);
        at += Lanes.COUNT;
      }
      int set = (int) different.and(fingerprint).compare(VectorOperators.EQ, 0).toLong();
      IntVector.fromArray(INDICES, Lanes.ORDER, set * Lanes.COUNT).add(i).intoArray(hits, next);
      next += Integer.bitCount(set);
    }
    return next;
  }

  /** What the passes over one batch hand to each other. */
  private static final class Rows {
    final long[] mixed = new long[SIZE];
    final int[] bits = new int[ARITY * SIZE]; // where cells begin
    final long[] words = new long[ARITY * SIZE];
  }
}
