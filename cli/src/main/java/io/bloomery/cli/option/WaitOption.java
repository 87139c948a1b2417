package io.bloomery.cli.option;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterLockedException;
import io.bloomery.file.LiveState;
import io.bloomery.window.SlidingFilterFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option for how long to wait while another command changes the same file. */
public final class WaitOption {

  /** A change of a file that must not overlap with another one. */
  public interface Change<T> {

    /**
     * Begins the change.
     *
     * @throws FilterLockedException if others are changing the file for all of {@code patience}
     */
    T begin(Duration patience) throws IOException, Failure;
  }

  @Option(
      names = "--wait",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description =
          "The maximum time to wait while another command changes FILE, as one that reads a pipe"
              + " does until the pipe ends (default: ${DEFAULT-VALUE}; 0: not at all).")
  private long seconds;

  /**
   * Checks the option.
   *
   * @throws Failure if the time is negative
   */
  public void check() throws Failure {
    if (seconds < 0) {
      throw Failure.usage("--wait must be at least 0, but was " + seconds);
    }
  }

  /**
   * Begins a change as soon as no other command is changing the file, and reports it if it has to
   * wait.
   *
   * @throws Failure if the file is still being changed when the time is over
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
              + " seconds"
              + writer(file)
              + "; run this again later, or with a longer --wait");
    }
  }

  /** Returns who has a live file open, or an empty text. */
  private static String writer(Path file) {
    try {
      Optional<LiveState> window = SlidingFilterFiles.live(file);
      return (window.isPresent() ? window : FilterFiles.inspect(file).live())
          .filter(LiveState::isOpen)
          .map(open -> ", " + open)
          .orElse("");
    } catch (IOException e) { // a filter of another system
      return "";
    }
  }
}
