package io.bloomery.cli.dedupe;

import io.bloomery.cli.option.WaitOption;
import io.bloomery.cli.session.CheckedOpening;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.LiveFilter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for what is remembered from one run to the next. */
final class StateOptions {

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = {
        "Print what no earlier run with FILE has printed, a live filter that the first run makes,"
            + " for --expected lines in all runs. Later runs need no --expected. Keys are hashed"
            + " without a secret, unless there is --secret-file. The last line of an input gets"
            + " an end, and a header is not printed at the end of a file that has content.",
        "Over all runs, a line is printed at most once. If a run is killed, the next one prints"
            + " what is missing, if the output of the killed one is a file that was made by > or"
            + " >> and nothing else wrote to. Of another output, such as a pipe, at most the lines"
            + " that were being printed are lost, 4,096 or 128 KiB or one line, and what waited in"
            + " the pipe; the next run says so. What is being printed is in a file .FILE.bloomery.pending beside FILE."
      })
  private Path file;

  @Mixin private WaitOption waiting;

  boolean isGiven() {
    return file != null;
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
   * Opens the filter, or makes it.
   *
   * @throws Failure if {@code check} rejects it, or others have it for too long
   */
  LiveFilter open(
      Session session, FilterProvider provider, NewSpec made, CheckedOpening.Check check)
      throws Failure, IOException {
    StandardStreams.refuse(file, "a stream cannot be kept");
    waiting.check();
    FilterFiles files = session.bloomery().files();
    FilterSpec spec = Files.exists(file) ? null : made.get();
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
}
