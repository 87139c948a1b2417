package io.bloomery.cli.option;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.file.FilterLockedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How long a command that changes a file waits for others that do. */
public final class WaitOption {

  /** Changes a file, if nobody else does. */
  public interface Change<T> {

    /**
     * Begins the change.
     *
     * @throws FilterLockedException if others change the file for all of {@code patience}
     */
    T begin(Duration patience) throws IOException, Failure;
  }

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "How long to wait while another command changes FILE (if not given:"
              + " ${DEFAULT-VALUE}; 0: not at all).")
  private long seconds;

  /**
   * Refuses a time that cannot be waited.
   *
   * @throws Failure if it is one
   */
  public void check() throws Failure {
    if (seconds < 0) {
      throw Failure.usage("--wait must be at least 0, but was " + seconds);
    }
  }

  /**
   * Changes a file as soon as others let it, and says so if it has to wait.
   *
   * @throws Failure if they do not in time
   */
  public <T> T begin(Session session, Path file, Change<T> change) throws Failure, IOException {
    try {
      return change.begin(Duration.ZERO);
    } catch (FilterLockedException e) {
      session.say("waiting for %s, which another command is changing", file);
    }
    try {
      return change.begin(Duration.ofSeconds(seconds));
    } catch (FilterLockedException e) {
      throw Failure.file(
          file.toString(),
          "must not be changed by another, but was for "
              + seconds
              + " seconds; run this again later, or with a longer --wait");
    }
  }
}
