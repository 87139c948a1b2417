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
 * An update of a file of another system: the file is read, locked until this is closed (as by
 * {@link io.bloomery.file.FilterUpdate}), and replaced by {@link #save}. Updates of one file by any
 * number of threads and processes exclude each other, so that none is lost. The other system does
 * not observe the lock: it reads the old filter or the new one, and if it writes the file
 * meanwhile, {@link #save} throws.
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

  /** Returns the filter, to be changed; the file is unchanged until {@link #save}. */
  public ForeignFilter filter() {
    return filter;
  }

  /**
   * Saves the filter as {@link ForeignFilter#write(Path)} does, once and before this is closed.
   *
   * @throws IllegalStateException if the filter was saved before, or this was closed; nothing is
   *     changed
   * @throws IOException if the file cannot be written, or another has replaced it; it is then
   *     unchanged
   */
  public void save() throws IOException {
    file.replace(filter::write);
  }

  /**
   * Releases the lock; changes that were not saved are discarded. Does nothing if this was closed
   * before.
   */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
