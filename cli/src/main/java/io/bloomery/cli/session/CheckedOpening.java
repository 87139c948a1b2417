package io.bloomery.cli.session;

import io.bloomery.file.FilterHeader;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.OpenOptions;
import java.io.IOException;
import java.nio.file.Path;

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
    try {
      return opener.open(options.check(header -> look(header, check)));
    } catch (Refused e) {
      throw e.failure;
    } catch (FilterLockedException e) {
      throw e;
    } catch (IOException e) {
      throw Failure.reading(path, e);
    }
  }

  private static void look(FilterHeader header, Check check) throws Refused {
    try {
      check.accept(header);
    } catch (Failure e) {
      throw new Refused(e);
    }
  }
}
