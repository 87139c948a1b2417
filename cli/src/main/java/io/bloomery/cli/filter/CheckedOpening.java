package io.bloomery.cli.filter;

import io.bloomery.cli.session.Failure;
import io.bloomery.file.FilterHeader;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.OpenOptions;
import java.io.IOException;
import java.nio.file.Path;

/** Opens saved filters whose header a command checks before their content is read. */
final class CheckedOpening {

  private CheckedOpening() {}

  /** A check that may reject a filter. */
  interface Check {

    /**
     * Checks the header of a file.
     *
     * @throws Failure if the file must not be read
     */
    void accept(FilterHeader header) throws Failure;
  }

  /** A way to open a saved filter. */
  interface Opener<T> {

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
  static <T> T open(Path path, Check check, Opener<T> opener)
      throws Failure, FilterLockedException {
    try {
      return opener.open(OpenOptions.confined().check(header -> look(header, check)));
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
