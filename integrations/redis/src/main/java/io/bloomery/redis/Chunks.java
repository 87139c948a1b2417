package io.bloomery.redis;

import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.spi.TableLayout;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The partition of a table's words into chunks, and the positions of a hash in its chunk.
 *
 * <p>A hash selects its chunk as it selects its block in a table with as many blocks as there are
 * chunks. A chunk thus has the same hashes for any size of the table, and its words of one
 * generation and of the next are in one slot, so that one script can access both. If blocks overlap
 * or their number is not a multiple of that of the chunks, the words at a border are in both
 * chunks, and each has the bits of its own hashes only.
 */
final class Chunks {
  // decisions.md#each-chunk-begins-with-64-bytes-that-name-its-filter-number-and-generation
  // decisions.md#a-hash-picks-its-chunk-without-regard-to-the-size-of-the-table
  // decisions.md#the-word-that-two-chunks-share-is-in-both-with-the-bits-of-each-chunks-own-keys

  /** The number of bytes before the words of a chunk. */
  static final int PREFIX = 64;

  /** The largest number of chunks: that of the slots of a Cluster. */
  static final int MAX_COUNT = 16_384;

  /** The maximum size of a Redis string in bytes, unless its server is configured otherwise. */
  static final long MAX_STRING = 512L << 20;

  static final String STANDARD = "standard";
  static final String BLOCKED = "blocked";

  private final FilterProvider provider;
  private final long bits;
  private final int probes;
  private final int count;

  // The distance between the starts of blocks, and the size of a block, in words; 0 for a table
  // that cannot be cut.
  private final int step;
  private final int wordsOfBlock;

  /**
   * Creates the partition of a table.
   *
   * @throws IllegalArgumentException if no filter of this variant has this layout, or it cannot be
   *     cut into this number of chunks
   */
  Chunks(String variant, FilterLayout numbers, long payloadSize, int count) {
    if (!variant.equals(STANDARD) && !variant.equals(BLOCKED)) {
      throw new IllegalArgumentException(
          "a filter on Redis must be standard or blocked, but was " + variant);
    }
    this.provider = FilterProviders.installed().get(variant);
    provider.unionBits(numbers, payloadSize); // checks both
    TableLayout layout = TableLayout.of(numbers);
    this.bits = layout.bits();
    this.probes = layout.probes();
    this.count = count;
    if (variant.equals(STANDARD)) {
      this.step = 0;
      this.wordsOfBlock = 0;
    } else if (positions(0, bits)[probes - 1] / Long.SIZE - positions(0, bits)[0] / Long.SIZE
        == 1) {
      this.step = 1;
      this.wordsOfBlock = 2;
    } else {
      this.step = 4;
      this.wordsOfBlock = 4;
    }
    checkCount();
  }

  private void checkCount() {
    long most = maxChunks();
    if (count < 1 || count > most) {
      throw new IllegalArgumentException(
          "chunks must be from 1 to "
              + most
              + (step == 0
                  ? " for a standard filter, whose keys have bits anywhere; take blocked"
                  : " for this size")
              + ", but was "
              + count);
    }
    for (int chunk = 0; chunk < count; chunk++) {
      if (bytes(chunk) > MAX_STRING) {
        throw new IllegalArgumentException(
            "a chunk must have at most "
                + MAX_STRING
                + " bytes, as a Redis string, but would have "
                + bytes(chunk)
                + (step == 0 ? "; take blocked, which is cut" : "; take more chunks"));
      }
    }
  }

  private long maxChunks() {
    return step == 0 ? 1 : Math.min(blocks(), MAX_COUNT);
  }

  /**
   * Returns the default number of chunks of a payload: small, since a batch takes one script for
   * each, but large enough that no chunk exceeds 16 MiB, which a server copies and frees without a
   * long pause, and that each node of a Cluster has its share.
   */
  static int preferred(String variant, long payloadSize, int nodes) {
    if (!variant.equals(BLOCKED)) {
      return 1;
    }
    long bySize = (payloadSize + (16 << 20) - 1) / (16 << 20);
    long byNodes = nodes > 1 ? Math.min(8L * nodes, payloadSize / 4096) : 1;
    return (int) Math.min(MAX_COUNT, Math.max(1, Math.max(bySize, byNodes)));
  }

  private long[] positions(long hash, long ofBits) {
    Optional<long[]> positions = provider.positions(hash, ofBits, probes);
    return positions.orElseThrow(
        () -> new IllegalArgumentException(provider.variant() + " does not tell its positions"));
  }

  int count() {
    return count;
  }

  long words() {
    return bits / Long.SIZE;
  }

  private long blocks() {
    return step == 1 ? words() - 1 : words() / step;
  }

  /** Returns whether every hash has the same chunk in both partitions. */
  boolean isCutLike(Chunks other) {
    return count == other.count && (count == 1 || step == other.step);
  }

  /** Returns the chunk that has the bits of a hash. */
  int chunk(long hash) {
    if (count == 1) {
      return 0;
    }
    // The block in a table with as many blocks as there are chunks.
    long ofBits = step == 1 ? (count + 1L) * Long.SIZE : (long) count * step * Long.SIZE;
    return (int) (positions(hash, ofBits)[0] / ((long) step * Long.SIZE));
  }

  /** Returns the index of the first word of a chunk. */
  long begin(int chunk) {
    return step == 0 ? 0 : chunk * blocks() / count * step;
  }

  /** Returns the index after the last word of a chunk. */
  long end(int chunk) {
    return step == 0
        ? words()
        : (((chunk + 1) * blocks() + count - 1) / count - 1) * step + wordsOfBlock;
  }

  /** Returns the size of a chunk in bytes, including its prefix. */
  long bytes(int chunk) {
    return PREFIX + (end(chunk) - begin(chunk)) * Long.BYTES;
  }

  /** Returns the distance between the starts of blocks in words, 0 for a table without blocks. */
  int step() {
    return step;
  }

  /** Returns the kind of records, for scripts. */
  String kind() {
    return step == 0 ? "b" + probes : Integer.toString(wordsOfBlock);
  }

  /** Returns the size of the record of a hash in bytes. */
  int recordSize() {
    return step == 0 ? probes * Integer.BYTES : Integer.BYTES + wordsOfBlock * Long.BYTES;
  }

  /** Writes the record of a hash: its positions in its chunk. */
  void putRecord(long hash, int chunk, ByteBuffer out) {
    long[] positions = positions(hash, bits);
    if (step == 0) {
      for (long position : positions) {
        // Redis numbers the bits of a byte from the highest.
        out.putInt((int) (PREFIX * Byte.SIZE + (position ^ 7)));
      }
      return;
    }
    long first = positions[0] / Long.SIZE;
    long[] masks = new long[wordsOfBlock];
    for (long position : positions) {
      masks[(int) (position / Long.SIZE - first)] |= 1L << position;
    }
    out.putInt((int) (PREFIX + (first - begin(chunk)) * Long.BYTES));
    for (long mask : masks) {
      out.putLong(mask);
    }
  }
}
