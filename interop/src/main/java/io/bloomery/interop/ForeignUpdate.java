package io.bloomery.interop;

import io.bloomery.file.FilterLockedException;
import io.bloomery.internal.file.LockedFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * A file of another system that is being changed: read, locked until it is closed, and replaced by
 * {@link #save}. Of any number of threads and processes that change one file by this class, no
 * change is lost: they take turns. The other system knows nothing of the lock; it reads the old
 * filter or the new one, but if it writes the file meanwhile, {@link #save} throws.
 */
public final class ForeignUpdate implements Closeable {

  private final LockedFile file;
  private final ForeignFilter filter;

  private ForeignUpdate(LockedFile file, ForeignFilter filter) {
    this.file = file;
    this.filter = filter;
  }

  static ForeignUpdate open(ForeignFormat format, Path path, Duration patience) throws IOException {
    LockedFile file;
    try {
      file = LockedFile.open(path, patience);
    } catch (TimeoutException e) {
      throw new FilterLockedException(e);
    }
    boolean isOpen = false;
    try (InputStream in = file.input()) {
      ForeignUpdate update = new ForeignUpdate(file, format.readAll(in, path));
      isOpen = true;
      return update;
    } finally {
      if (!isOpen) {
        file.close();
      }
    }
  }

  /** Returns the filter, to be changed; the file holds what it held until {@link #save}. */
  public ForeignFilter filter() {
    return filter;
  }

  /**
   * Saves the filter as {@link ForeignFilter#write(Path)} does, once and before this is closed.
   *
   * @throws IllegalStateException if it was saved before, or this was closed; nothing is changed
   * @throws IOException if the file cannot be written, or another has replaced it; it is then as it
   *     was
   */
  public void save() throws IOException {
    file.replace(filter::write);
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
