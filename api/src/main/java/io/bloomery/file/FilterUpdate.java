package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.LockedFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;

/**
 * A saved filter that is being changed: opened, locked until it is closed, and replaced by {@link
 * #save}. Of any number of threads and processes that change one file by this class, no change is
 * lost: they take turns.
 *
 * <pre>{@code
 * try (FilterUpdate<BloomFilter<String>> update =
 *     Bloomery.strings().update(path, Duration.ofMinutes(1))) {
 *   update.filter().put("https://example.org/");
 *   update.save();
 * }
 * }</pre>
 *
 * <p>What only reads the file need not wait, and sees the old filter or the new one. The lock is on
 * the file itself; nothing else is left in its folder, also when a process is killed. Where the
 * file system has no locks, where the file may only be read, and where the lock is lost (on POSIX
 * systems when this process opens the file in another way and closes it), {@link #save} finds that
 * another was faster, and throws instead of taking back what that one saved.
 *
 * <p>Any thread may save or close an update; one that closes it while another saves it waits until
 * that has ended.
 *
 * @param <F> the type of filter
 */
public final class FilterUpdate<F> implements Closeable {

  private final LockedFile file;
  private final Filter hashes;
  private final F filter;

  private FilterUpdate(LockedFile file, Filter hashes, F filter) {
    this.file = file;
    this.hashes = hashes;
    this.filter = filter;
  }

  static <F> FilterUpdate<F> open(
      Path path, Duration patience, Opening opening, Function<? super Filter, F> wrap)
      throws IOException {
    FilterFile.checkNoDirectory(path);
    LockedFile file = FilterFile.lock(path, patience);
    boolean isOpen = false;
    try (FileInput in = file.input()) {
      Filter hashes = FilterFile.read(path, in, opening);
      FilterUpdate<F> update = new FilterUpdate<>(file, hashes, wrap.apply(hashes));
      isOpen = true;
      return update;
    } finally {
      if (!isOpen) {
        file.close();
      }
    }
  }

  /**
   * Returns the filter, to be changed; the file holds what it held until {@link #save}. It can be
   * asked and saved elsewhere when this is closed.
   */
  public F filter() {
    return filter;
  }

  /**
   * Saves the filter as {@link FilterFiles#save} does, once and before this is closed.
   *
   * @throws IllegalStateException if it was saved before, or this was closed; nothing is changed
   * @throws IOException if the file cannot be written, or another has replaced it; it is then as it
   *     was
   */
  public void save() throws IOException {
    file.replace(out -> EnvelopeWriter.write(hashes, out));
  }

  /**
   * Lets others change the file; what was not saved is forgotten. Does nothing if this was closed
   * before.
   */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
