package io.bloomery.spring;

import io.bloomery.FilterBuilder;
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
  private final FilterBuilder<K> filters;
  private final Path file;
  private MappedBloomFilter<K> filter;
  private FileStamp stamp;
  private Optional<String> lastError = Optional.empty();

  FileGuard(
      ReadOnlyGuard<K, Object> guard,
      FilterBuilder<K> filters,
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
  synchronized Optional<String> lastError() {
    return lastError;
  }

  /** Maps the file if it was replaced; if it cannot be opened, keeps the previous filter. */
  synchronized void look() {
    FileStamp now = FileStamp.of(file); // read first, in case the file is replaced meanwhile
    if (now.equals(stamp)) {
      return;
    }
    try {
      MappedBloomFilter<K> next = filters.map(file);
      guard.replace(next);
      filter.close();
      filter = next;
      stamp = now;
      lastError = Optional.empty();
      LOG.log(Level.INFO, "guard " + guard.name() + " took up " + file);
    } catch (IOException e) {
      String error = file + " cannot be opened, and the filter before it serves: " + e;
      if (!lastError.equals(Optional.of(error))) {
        LOG.log(Level.WARNING, "guard " + guard.name() + ": " + error);
      }
      lastError = Optional.of(error);
    }
  }

  @Override
  public synchronized void close() {
    guard.close();
    filter.close();
  }
}
