package io.bloomery.cli.dedupe;

import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.option.WaitOption;
import io.bloomery.cli.session.CheckedOpening;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveFilter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.window.LiveSlidingFilter;
import io.bloomery.window.SlidingFilterFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for what is remembered from one run to the next. */
final class StateOptions {

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = {
        "Print what no earlier run with FILE has printed, a live filter that the first run makes,"
            + " for --expected lines in all runs, or with --window or --for a live window, which"
            + " forgets lines as they say. Later runs need none of these options. Keys are hashed"
            + " without a secret, unless there is --secret-file. The last line of an input gets"
            + " an end, and a header is not printed at the end of a file that has content.",
        "Over all runs, a line is printed at most once as long as it is remembered. If a run is"
            + " killed, the next one prints what is missing, if the output of the killed one is a"
            + " file that was made by > or >> and nothing else wrote to; a line that was cut is"
            + " printed whole again if it now prints to another file. Of another output, such as"
            + " a pipe, at most the lines that were being printed are lost, 4,096 or 128 KiB or one"
            + " line, and what waited in the pipe; the next run says so. What is being printed is in"
            + " a file .FILE.bloomery.pending beside FILE."
      })
  private Path file;

  @Mixin private WaitOption waiting;

  boolean isGiven() {
    return file != null;
  }

  /** Returns whether an earlier run has made the file. */
  boolean isThere() {
    return file != null && Files.exists(file);
  }

  /** Returns the file. */
  Path file() {
    return file;
  }

  /** Makes the spec of a filter that is not there. */
  interface NewSpec {
    FilterSpec get() throws Failure;
  }

  /**
   * Returns whether the file has a window, or is to have one.
   *
   * @throws Failure if it cannot be read
   */
  boolean isWindow(AskedState asked) throws Failure {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw Failure.file(
          file.toString(),
          "must be a regular file, which is written in place; name one, or a new file");
    }
    try {
      return Files.exists(file) ? SlidingFilterFiles.isWindow(file) : asked.isWindow();
    } catch (IOException e) {
      throw Failure.reading(file, e);
    }
  }

  /**
   * Opens the filter, or makes it.
   *
   * @throws Failure if {@code check} rejects it, or others have it for too long
   */
  LiveFilter open(
      Session session, FilterProvider provider, NewSpec made, CheckedOpening.Check check)
      throws Failure, IOException {
    FilterFiles files = session.bloomery().files();
    FilterSpec spec = specOfNew(made);
    if (spec != null) {
      Failure.usageIfRefused(() -> provider.plan(spec));
    }
    return waiting.begin(
        session,
        file,
        patience ->
            CheckedOpening.open(
                file,
                check,
                options ->
                    spec == null
                        ? files.openLive(file, patience, options)
                        : files.openOrCreateLive(file, patience, provider, spec, options)));
  }

  /**
   * Opens the window, or makes it.
   *
   * @param time of a new one, or nothing if it counts lines
   * @throws Failure as for {@link #open}
   */
  LiveSlidingFilter openWindow(
      Session session, NewSpec made, Optional<Duration> time, CheckedOpening.WindowCheck check)
      throws Failure, IOException {
    FilterProviders providers = session.bloomery().providers();
    FilterSpec spec = specOfNew(made);
    return waiting.begin(
        session,
        file,
        patience ->
            CheckedOpening.openWindow(
                file,
                check,
                look ->
                    spec == null
                        ? SlidingFilterFiles.openLive(file, patience, providers, look)
                        : SlidingFilterFiles.openOrCreateLive(
                            file, patience, providers, DefaultVariants.FIXED, spec, time, look)));
  }

  /** Returns null if the file is there. */
  private @Nullable FilterSpec specOfNew(NewSpec made) throws Failure {
    StandardStreams.refuse(file, "a stream cannot be kept");
    waiting.check();
    if (!Files.exists(file)) {
      return made.get();
    }
    checkLive();
    return null;
  }

  private void checkLive() throws Failure {
    try {
      if (SlidingFilterFiles.live(file).isEmpty()
          && (SlidingFilterFiles.isWindow(file) || FilterFiles.inspect(file).live().isEmpty())) {
        throw notLive("a saved one, which is not changed in place");
      }
    } catch (FilterFormatException e) {
      if (e.reason() == FilterFormatException.Reason.NOT_A_FILTER) {
        throw notLive("no filter at all");
      }
    } catch (IOException e) { // which whoever opens it reports
    }
  }

  private Failure notLive(String found) {
    return Failure.file(
        file.toString(),
        "must be a live filter or window, but is "
            + found
            + "; name a new file, with --expected, --window or --for, or one that this or 'bloomery"
            + " create --live' made");
  }
}
