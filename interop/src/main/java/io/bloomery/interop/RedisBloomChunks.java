package io.bloomery.interop;

import java.io.IOException;
import java.util.Arrays;

/**
 * The chunks in which {@code BF.LOADCHUNK} takes a filter: the header, then parts of the tables, in
 * order, none of which reaches from one filter of the chain into the next. What {@code BF.SCANDUMP}
 * returns needs no such care: its chunks, joined, are what {@link ForeignFormat#REDISBLOOM} reads.
 */
public final class RedisBloomChunks {

  private static final int LARGEST = 16 << 20;

  /** Takes a chunk, as by {@code (iterator, data) -> jedis.bfLoadChunk(key, iterator, data)}. */
  @FunctionalInterface
  public interface Loader {

    /** Loads a chunk under the number that the command takes with it. */
    void load(long iterator, byte[] data) throws IOException;
  }

  private RedisBloomChunks() {}

  /**
   * Hands over all chunks of a filter in order, each of 16 MiB at most, as the peer makes them. The
   * key must not be there yet: RedisBloom takes a header for data where it is. Until the last chunk
   * is loaded, the key answers that members are absent.
   *
   * @throws IllegalArgumentException if the filter is not of RedisBloom
   * @throws IOException if the loader throws it
   */
  public static void forEach(ForeignFilter filter, Loader loader) throws IOException {
    if (!(filter.table() instanceof RedisBloomTable table)) {
      throw new IllegalArgumentException(
          "the filter must be of redisbloom, but is of "
              + filter.format()
              + "; make it again from its keys");
    }
    byte[] bytes = filter.toBytes();
    int header = table.headerBytes();
    loader.load(1, Arrays.copyOf(bytes, header));
    int at = header;
    for (long length : table.tableBytes()) {
      long end = at + length;
      while (at < end) {
        int next = (int) Math.min(end, at + (long) LARGEST);
        loader.load(1L + next - header, Arrays.copyOfRange(bytes, at, next));
        at = next;
      }
    }
  }
}
