package io.bloomery.window;

import io.bloomery.file.FilterHeader;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.LivePart;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.file.LiveFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * A live window that is made if there is no file.
 *
 * @param generation the header of each of its three filters
 * @param spec that of the whole window
 */
record NewLiveWindow(FilterHeader generation, FilterSpec spec, Extent extent) {

  /**
   * Opens the file, or makes it.
   *
   * @param check what a window must satisfy besides being as this one
   * @throws UnexpectedFilterException if what is there was made for others
   */
  LiveSlidingFilter openOrCreate(
      Path path,
      Duration patience,
      LiveWindow.Mapper mapper,
      LiveWindow.Check check,
      WindowClock clock)
      throws IOException {
    LiveWindow.Check both =
        (variant, found, foundExtent) -> {
          check.check(variant, found, foundExtent);
          checkSame(variant, found, foundExtent);
        };
    try {
      return LiveFile.openOrCreate(
          path,
          patience,
          () -> LiveWindow.open(path, patience, mapper, both, clock),
          () ->
              out ->
                  LiveLayout.writeNew(
                      extent,
                      spec.falsePositiveRate(),
                      extent.isByTime() ? clock.wallNanos() : 0,
                      generation.serializedSize(),
                      filter -> LivePart.writeEmpty(generation, filter),
                      out));
    } catch (TimeoutException e) {
      throw new FilterLockedException(e);
    }
  }

  private void checkSame(String variant, FilterSpec found, Extent foundExtent)
      throws UnexpectedFilterException {
    check("variant", generation.variant(), variant);
    check("keys", spec.expectedKeys(), found.expectedKeys());
    check("false-positive rate", spec.falsePositiveRate(), found.falsePositiveRate());
    check("time", Duration.ofNanos(extent.nanos()), Duration.ofNanos(foundExtent.nanos()));
  }

  private static void check(String what, Object asked, Object found)
      throws UnexpectedFilterException {
    if (!asked.equals(found)) {
      throw new UnexpectedFilterException(
          what.equals("variant") ? Reason.VARIANT : Reason.PARAMETERS,
          what
              + " of the window must be "
              + asked
              + ", but the file was made for "
              + found
              + "; open what is there by openLive, or name another file");
    }
  }
}
