package io.bloomery.spring;

import io.bloomery.Filters;
import io.bloomery.MappedBloomFilter;
import io.bloomery.guard.ReadOnlyGuard;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Optional;

/** A guard over a file, which is mapped again when it is replaced. */
final class FileGuard<K> implements AutoCloseable {

  private static final Logger LOG = System.getLogger("io.bloomery.spring");

  private final ReadOnlyGuard<K, Object> guard;
  private final Filters<K> filters;
  private final Path file;
  private MappedBloomFilter<K> filter; // guarded by this
  private FileStamp stamp; // of the thread that looks
  private volatile Optional<String> lastError = Optional.empty();

  FileGuard(
      ReadOnlyGuard<K, Object> guard,
      Filters<K> filters,
      Path file,
      MappedBloomFilter<K> filter,
      FileStamp stamp) {
    this.guard = guard;
    this.filters = filters;
    this.file = file;
    this.filter = filter;
    this.stamp = stamp;
  }

  ReadOnlyGuard<K, Object> guard() {
    return guard;
  }

  /** Returns the reason why the current file is not used, or empty if it is. */
  Optional<String> lastError() {
    return lastError;
  }

  /**
   * Maps the file if it was replaced; if that fails, keeps the previous filter. Called by one
   * thread at a time. Never throws, since the check would not be repeated then.
   */
  void look() {
    try {
      FileStamp now = FileStamp.of(file); // read first, in case the file is replaced meanwhile
      if (!now.equals(stamp)) {
        replace(filters.map(file));
        stamp = now;
        lastError = Optional.empty();
        log(Level.INFO, " took up " + file);
      }
    } catch (IOException | RuntimeException | Error e) {
      failed(file + " cannot be opened, and the filter before it serves: " + e);
    }
  }

  private synchronized void replace(MappedBloomFilter<K> next) {
    try {
      guard.replace(next);
    } catch (IllegalStateException e) { // the guard was closed
      next.close();
      throw e;
    }
    filter.close();
    filter = next;
  }

  private void failed(String error) {
    if (!lastError.equals(Optional.of(error))) {
      lastError = Optional.of(error);
      log(Level.WARNING, ": " + error);
    }
  }

  private void log(Level level, String text) {
    try {
      LOG.log(level, "guard " + guard.name() + text);
    } catch (RuntimeException | Error e) {
      // A handler of the log failed; health has the state.
    }
  }

  @Override
  public synchronized void close() {
    guard.close();
    filter.close();
  }
}
