package io.bloomery.window;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A sliding filter of 64-bit hashes that lives in its file, with the promises of {@link
 * LiveSlidingBloomFilter}, which is based on it. It is for callers with uniform hashes of their
 * own; {@link SlidingFilterFiles} opens it.
 */
public final class LiveSlidingFilter implements AutoCloseable {

  private final SlidingFilter filter;
  private final LiveWindow window;

  LiveSlidingFilter(SlidingFilter filter, LiveWindow window) {
    this.filter = filter;
    this.window = window;
  }

  /** Returns the window; after {@link #close} its calls throw. */
  public SlidingFilter filter() {
    return filter;
  }

  /** Returns the file, with links resolved. */
  public Path path() {
    return window.path();
  }

  /**
   * Forces every put that has returned to the disk, as {@link LiveSlidingBloomFilter#force} does.
   */
  public void force() throws IOException {
    window.force(filter);
  }

  /** Seals the file, as {@link LiveSlidingBloomFilter#close} does. */
  @Override
  public void close() throws IOException {
    window.close(filter);
  }

  /** Returns a description of the window. */
  @Override
  public String toString() {
    return filter + ", live in " + path();
  }
}
