package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.LockedFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

/**
 * An exclusive update of a saved filter: its file is locked until the update is closed, and is
 * replaced by {@link #save}. Threads and processes that change a file by this class do so one after
 * the other, so that no change is lost.
 *
 * <pre>{@code
 * try (FilterUpdate<BloomFilter<String>> update =
 *     Bloomery.strings().update(path, Duration.ofMinutes(1))) {
 *   update.filter().put("https://example.org/");
 *   update.save();
 * }
 * }</pre>
 *
 * <p>Readers of the file do not wait, and see the old filter or the new one. The lock is on an
 * empty hidden file beside it, {@code .NAME.bloomery.lock}, which is removed when the update is
 * closed, so the folder must be writable, but the file need not be. It is also removed when the JVM
 * begins to shut down: {@link #save} in a shutdown hook throws if another has changed the file
 * since. If the process is killed, its lock is released at once; the empty file stays, as it does
 * if the folder is renamed meanwhile, until this file is changed again, or another is saved in the
 * folder a minute later. On POSIX systems, other code of this process, such as a backup, must not
 * open the lock file: closing it releases the lock.
 *
 * <p>{@link FilterFiles#save} does not wait for an update: {@link #save} then detects that the file
 * has been replaced, and throws instead of overwriting that change (a change in place that keeps
 * the size and the time of modification is not detected). It does so as well on file systems
 * without locks, of which a warning is logged; there, one of two processes that save at the same
 * moment may still overwrite the other.
 *
 * <p>Any thread may save or close an update; closing waits for a save in progress.
 *
 * @param <F> the type of filter
 */
public final class FilterUpdate<F> implements Closeable {
  // decisions.md#an-update-that-was-overtaken-fails-a-plain-save-does-not

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
    LockedFile file = FilterFile.lock(path, patience);
    boolean isOpen = false;
    try (FileInput in = file.input()) {
      Filter hashes = (Filter) FilterFile.read(path, in, in.length(), opening);
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
   * Returns the filter, to be changed; the file is unchanged until {@link #save}. After this update
   * is closed, the filter can still be queried and saved elsewhere.
   */
  public F filter() {
    return filter;
  }

  /**
   * Saves the filter as {@link FilterFiles#save} does, once and before this update is closed.
   *
   * @throws IllegalStateException if the filter was saved before, or this update is closed; nothing
   *     has changed
   * @throws IOException if the file cannot be written, or was replaced by another; it is then left
   *     as it is
   */
  public void save() throws IOException {
    file.replace(out -> EnvelopeWriter.write(hashes, out));
  }

  /**
   * Saves another filter in place of {@link #filter}, as {@link #save} does: one that was made from
   * it, such as a {@linkplain io.bloomery.filter.MergeableFilter#folded folded} one.
   *
   * @throws IllegalStateException as for {@link #save}
   * @throws IOException as for {@link #save}
   */
  public void replaceBy(StoredFilter other) throws IOException {
    Objects.requireNonNull(other, "other");
    file.replace(out -> EnvelopeWriter.write(other, out));
  }

  /** Releases the lock and discards changes that were not saved. Closing again has no effect. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
