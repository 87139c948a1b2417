package io.bloomery.file;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * Thrown when a file cannot be changed, since others have it locked and did not let go of it in the
 * time that the caller wanted to wait. The file is as they leave it.
 */
public class FilterLockedException extends IOException {

  private static final long serialVersionUID = 1;

  /** Makes one of what the wait for others ended with. */
  public FilterLockedException(TimeoutException cause) {
    super(cause.getMessage(), cause);
  }
}
