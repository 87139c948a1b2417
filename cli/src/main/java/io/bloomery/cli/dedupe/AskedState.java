package io.bloomery.cli.dedupe;

import io.bloomery.cli.session.Failure;
import io.bloomery.filter.FilterSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * What the options ask of a file of {@code --state}; each that is not given is empty.
 *
 * @param rate of {@code --fpp}
 */
record AskedState(
    Path file,
    Optional<Double> rate,
    Optional<Long> expected,
    Optional<Long> maxBytes,
    Optional<Long> window,
    Optional<Duration> time,
    boolean sincePrinted) {

  /** Returns whether a window is asked for. */
  boolean isWindow() {
    return window.isPresent() || time.isPresent();
  }

  /** Checks a filter that is there. */
  void checkFilter(FilterSpec made, long bytes) throws Failure {
    String what = "which remembers the lines of all runs";
    checkAbsent("--window", window.isPresent(), what);
    checkAbsent("--for", time.isPresent(), what);
    checkAbsent("--since-printed", sincePrinted, what);
    check("--expected", expected, made.expectedKeys());
    check("--fpp", rate, made.falsePositiveRate());
    if (maxBytes.isPresent() && bytes > maxBytes.get()) {
      throw refused(
          "--max-bytes must be at least "
              + bytes
              + ", which "
              + file
              + " has, but was "
              + maxBytes.get());
    }
  }

  /**
   * Checks a window that is there.
   *
   * @param madeTime for which it remembers lines, or nothing if it counts them
   */
  void checkWindow(FilterSpec made, Optional<Duration> madeTime) throws Failure {
    String what = "which remembers the lines of a " + (madeTime.isPresent() ? "time" : "window");
    checkAbsent("--max-bytes", maxBytes.isPresent(), what);
    if (madeTime.isPresent()) {
      checkAbsent("--window", window.isPresent(), what);
      check("--for", time.map(AskedState::text), text(madeTime.get()));
      check("--expected", expected, made.expectedKeys());
    } else {
      checkAbsent("--for", time.isPresent(), what);
      checkAbsent("--expected", expected.isPresent(), what);
      check("--window", window, made.expectedKeys());
    }
    check("--fpp", rate, made.falsePositiveRate());
    checkAbsent(
        "--since-printed",
        sincePrinted && !WindowState.isSincePrinted(made),
        "which counts from when a line came last");
  }

  private static String text(Duration time) {
    long seconds = time.toSeconds();
    return time.equals(Duration.ofSeconds(seconds)) ? seconds + "s" : time.toString();
  }

  private void checkAbsent(String option, boolean isGiven, String what) throws Failure {
    if (isGiven) {
      throw refused(option + " is not for " + file + ", " + what);
    }
  }

  private <T> void check(String option, Optional<T> asked, T made) throws Failure {
    if (asked.isPresent() && !asked.get().equals(made)) {
      throw refused(
          option
              + " must be "
              + made
              + ", for which "
              + file
              + " was made, but was "
              + asked.get());
    }
  }

  private static Failure refused(String why) {
    return Failure.usage(why + "; leave it out, or name another file");
  }
}
