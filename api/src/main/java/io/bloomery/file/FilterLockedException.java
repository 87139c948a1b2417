package io.bloomery.file;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * Thrown when the lock of a file was not acquired within the time that the caller was willing to
 * wait. This call has not changed the file.
 */
public class FilterLockedException extends IOException {

  private static final long serialVersionUID = 1;

  /** Makes one of what the wait for others ended with. */
  public FilterLockedException(TimeoutException cause) {
    super(cause.getMessage(), cause);
  }
}
