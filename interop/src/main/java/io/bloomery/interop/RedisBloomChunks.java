package io.bloomery.interop;

import java.io.IOException;
import java.util.Arrays;

/**
 * The chunks of a filter for {@code BF.LOADCHUNK}: the header, then parts of the tables, in order,
 * none of which spans two filters of the chain. The chunks of {@code BF.SCANDUMP} need no class:
 * concatenated, they are the format {@link ForeignFormat#REDISBLOOM}.
 */
public final class RedisBloomChunks {

  private static final int LARGEST = 16 << 20;

  /**
   * A consumer of chunks, such as {@code (iterator, data) -> jedis.bfLoadChunk(key, iterator,
   * data)}.
   */
  @FunctionalInterface
  public interface Loader {

    /** Loads a chunk with the iterator argument of the command. */
    void load(long iterator, byte[] data) throws IOException;
  }

  private RedisBloomChunks() {}

  /**
   * Passes all chunks of a filter to a loader in order, each of 16 MiB at most, as those of the
   * peer. The key must not exist yet: otherwise RedisBloom takes the header for data. Until the
   * last chunk is loaded, queries of the key report members as absent.
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
