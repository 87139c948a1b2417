package io.bloomery.redis;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The parts of a window. Those of {@code blocked} have cells, each with the same words of all three
 * generations, so that one command reads what a key has in each; {@code standard} has a part for
 * each generation.
 */
final class Cells {
  // decisions.md#a-blocked-window-on-redis-has-the-words-of-three-generations-side-by-side

  private final Chunks chunks;

  /**
   * Creates the parts of a window, of generations that are cut into chunks.
   *
   * @throws IllegalArgumentException if a part does not fit into a Redis string
   */
  Cells(Chunks chunks) {
    this.chunks = chunks;
    for (int part = 0; part < parts(); part++) {
      if (bytes(part) > Chunks.MAX_STRING) {
        throw new IllegalArgumentException(
            "a part of a window must have at most "
                + Chunks.MAX_STRING
                + " bytes, as a Redis string, but would have "
                + bytes(part)
                + "; take more chunks");
      }
    }
  }

  Chunks chunks() {
    return chunks;
  }

  /** Returns whether each part has a whole generation, and is made with it. */
  boolean isWhole() {
    return chunks.step() == 0;
  }

  /** Returns the number of parts. */
  int parts() {
    return isWhole() ? WindowName.GENERATIONS : chunks.count();
  }

  /** Returns the size of a cell: the number of a generation, and words of it and of two before. */
  private long size() {
    return isWhole()
        ? chunks.words() * Long.BYTES
        : Integer.BYTES + (long) WindowName.GENERATIONS * chunks.step() * Long.BYTES;
  }

  private long cells(int part) {
    return isWhole() ? 1 : (chunks.end(part) - chunks.begin(part)) / chunks.step();
  }

  /** Returns the number of cells of all parts. */
  long count() {
    return IntStream.range(0, parts()).mapToLong(this::cells).sum();
  }

  /** Returns the size of a part in bytes, including its prefix. */
  long bytes(int part) {
    return Chunks.PREFIX + cells(part) * size();
  }

  /** Returns the size of all parts in bytes. */
  long bytes() {
    return IntStream.range(0, parts()).mapToLong(this::bytes).sum();
  }

  /** Returns the parts that are read for hashes of some chunks. */
  IntStream parts(BitSet ofChunks) {
    return isWhole() ? IntStream.range(0, parts()) : ofChunks.stream();
  }

  /** Returns the size of the record of a hash in bytes. */
  int recordSize() {
    return Integer.BYTES + chunks.recordSize();
  }

  /** Writes the record of a hash: its chunk, and its positions in the part. */
  void putRecord(long hash, int chunk, ByteBuffer out) {
    int at = out.putInt(chunk).position();
    chunks.putRecord(hash, chunk, out);
    if (!isWhole()) {
      int word = (out.getInt(at) - Chunks.PREFIX) / Long.BYTES;
      out.putInt(at, place(word / chunks.step()));
    }
  }

  /** Writes the part of the cell that has this index among all cells, and where it is there. */
  void putCell(long index, ByteBuffer out) {
    int part = 0;
    long rest = index;
    while (rest >= cells(part)) {
      rest -= cells(part++);
    }
    out.putInt(part).putInt(place(rest));
  }

  private int place(long cell) {
    return (int) (Chunks.PREFIX + cell * size());
  }
}
