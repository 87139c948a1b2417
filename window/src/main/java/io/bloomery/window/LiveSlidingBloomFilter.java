package io.bloomery.window;

import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A sliding Bloom filter that lives in its file: keys that are put are in the file at once, and
 * what is forgotten is forgotten there. It takes no heap.
 *
 * <pre>{@code
 * try (LiveSlidingBloomFilter<String> seen =
 *     SlidingBloomFilter.builder(Bloomery.strings().expect(1_000_000)).openOrCreate(path)) {
 *   boolean isNew = seen.put(id); // false for each of the last million ids, also after a restart
 * }
 * }</pre>
 *
 * <p>Puts survive the end of the process, however it ends, and those that returned before {@link
 * #force} a loss of power as well. Neither makes the window forget a key early that was put, or
 * forced: only late, since keys whose puts did not return, or were not forced when the power was
 * lost, need not count. One process at a time has the file open, and no other reads it meanwhile.
 * Opening it does not read it; a file whose writer ended without closing it is opened again like
 * any other, which logs a warning and forces it to the disk.
 *
 * <p>A put that makes the window forget a generation forces the file to the disk, as does the first
 * put after it. If the disk fails, or the file was removed, replaced or truncated, it throws {@link
 * java.io.UncheckedIOException}: its key is put or not, nothing is forgotten early, and the next
 * put tries again. Of a truncated file, other puts and batches of queries throw {@link
 * io.bloomery.filter.FilterUnavailableException}, and a query for a single key may answer that it
 * is absent, as {@link io.bloomery.file.MappedFilter} says. After {@link #close} every call throws
 * FilterUnavailableException.
 *
 * <p>A window of a time goes by the wall clock while no process has it open, and by that of {@link
 * SlidingBloomFilterBuilder#ticker} otherwise.
 *
 * @param <K> the type of keys
 */
public final class LiveSlidingBloomFilter<K> extends SlidingBloomFilter<K>
    implements AutoCloseable {

  private final LiveSlidingFilter live;

  LiveSlidingBloomFilter(LiveSlidingFilter live, KeyHasher<? super K> hasher) {
    super(live.filter(), hasher);
    this.live = live;
  }

  /** Returns the file, with links resolved. */
  public Path path() {
    return live.path();
  }

  /**
   * Forces every put that has returned to the disk, so that a loss of power does not lose it. Puts
   * wait meanwhile, and queries do not.
   *
   * @throws java.nio.file.FileSystemException if the file was removed, replaced or truncated
   * @throws IOException if the disk fails
   */
  public void force() throws IOException {
    live.force();
  }

  /**
   * Seals the file: makes its checksums and releases it. Closing again has no effect.
   *
   * @throws java.nio.file.FileSystemException if the file was removed, replaced or truncated
   * @throws IOException if the disk fails; the file is released, and stays marked as open
   */
  @Override
  public void close() throws IOException {
    live.close();
  }
}
