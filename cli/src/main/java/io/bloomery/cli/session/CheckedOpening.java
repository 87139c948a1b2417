package io.bloomery.cli.session;

import io.bloomery.file.FilterHeader;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.FilterSpec;
import io.bloomery.window.LiveSlidingFilter;
import io.bloomery.window.SlidingFilterFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Opens saved filters whose header a command checks before their content is read. */
public final class CheckedOpening {

  private CheckedOpening() {}

  /** A check that may reject a filter. */
  public interface Check {

    /**
     * Checks the header of a file.
     *
     * @throws Failure if the file must not be read
     */
    void accept(FilterHeader header) throws Failure;
  }

  /** A way to open a saved filter. */
  public interface Opener<T> {

    /** Opens it with options that include the check. */
    T open(OpenOptions options) throws IOException, Failure;
  }

  /** Carries a failure of the check through the library. */
  private static final class Refused extends IOException {

    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    Refused(Failure failure) {
      super(failure);
      this.failure = failure;
    }
  }

  /**
   * Opens a saved filter, unless {@code check} rejects it.
   *
   * @throws Failure if it is rejected, or the file cannot be read or is damaged
   * @throws FilterLockedException if others are changing it
   */
  public static <T> T open(Path path, Check check, Opener<T> opener)
      throws Failure, FilterLockedException {
    return open(path, OpenOptions.confined(), check, opener);
  }

  /** Does the same with options other than those of one thread. */
  public static <T> T open(Path path, OpenOptions options, Check check, Opener<T> opener)
      throws Failure, FilterLockedException {
    return run(path, () -> opener.open(options.check(header -> look(() -> check.accept(header)))));
  }

  /** A check that may reject a live window. */
  public interface WindowCheck {

    /**
     * Checks a window.
     *
     * @param time for which it remembers keys, or nothing if it counts them
     * @throws Failure if the window must not be opened
     */
    void accept(FilterSpec spec, Optional<Duration> time) throws Failure;
  }

  /** A way to open a live window. */
  public interface WindowOpener {

    /** Opens it with a check. */
    LiveSlidingFilter open(SlidingFilterFiles.LiveCheck check) throws IOException;
  }

  /** Opens a live window, with the errors of {@link #open(Path, Check, Opener)}. */
  public static LiveSlidingFilter openWindow(Path path, WindowCheck check, WindowOpener opener)
      throws Failure, FilterLockedException {
    return run(path, () -> opener.open((spec, time) -> look(() -> check.accept(spec, time))));
  }

  private interface Opening<T> {
    T open() throws IOException, Failure;
  }

  private static <T> T run(Path path, Opening<T> opening) throws Failure, FilterLockedException {
    try {
      return opening.open();
    } catch (Refused e) {
      throw e.failure;
    } catch (FilterLockedException e) {
      throw e;
    } catch (IOException e) {
      throw Failure.reading(path, e);
    }
  }

  private interface Look {
    void run() throws Failure;
  }

  private static void look(Look look) throws Refused {
    try {
      look.run();
    } catch (Failure e) {
      throw new Refused(e);
    }
  }
}
