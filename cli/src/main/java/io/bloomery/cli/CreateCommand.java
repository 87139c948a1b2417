package io.bloomery.cli;

import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a filter of lines. */
@Command(
    name = "create",
    description = {
      "Make a filter whose keys are the lines of INPUT, or of the standard input.",
      "A line is taken as the bytes it is, without its end (LF or CRLF). Lines of files are counted"
          + " first; for a pipe, say how many to expect."
    },
    footerHeading = "%nExample:%n",
    footer = "  sort -u *.log | bloomery create -o seen.bloom --expected 2000000 --fpp 0.001")
final class CreateCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "Where to save the filter.")
  private Path file;

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      defaultValue = "standard",
      completionCandidates = Variants.class,
      description =
          "The kind of filter: ${COMPLETION-CANDIDATES} (if not given: ${DEFAULT-VALUE}).")
  private String variant;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.01",
      converter = RateConverter.class,
      description =
          "How often a line that was never put may be taken for one that was: between 0 and 1 (if"
              + " not given: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--expected",
      paramLabel = "N",
      converter = CountConverter.class,
      description =
          "For how many different lines P is promised (if not given: as many as there are).")
  private Long expected;

  @Option(names = "--force", description = "Replace FILE if it exists.")
  private boolean force;

  @Parameters(paramLabel = "INPUT", arity = "0..*", description = "Files of lines; - is stdin.")
  private List<String> inputs = List.of();

  CreateCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    checkFile();
    Inputs lines = Inputs.of(session, inputs);
    String pipe = expected == null ? lines.firstPipe() : null;
    if (pipe != null) {
      throw Failure.usage(
          "the lines of "
              + pipe
              + " cannot be counted first; say how many to expect, as in --expected 1000000, or name"
              + " files");
    }
    FilterBuilder<byte[]> builder = builder();
    long counted = expected == null ? lines.countLines() : Progress.UNKNOWN;
    long keys = expected == null ? Math.max(1, counted) : expected;
    LineFilter filter = LineFilter.created(file, create(builder, keys));
    try (Progress progress = Progress.start(session, counted)) {
      lines.forEachBatch(
          batch -> {
            filter.put(batch);
            progress.advance(batch.size());
          });
    }
    filter.save(session);
    return ExitCode.OK;
  }

  private void checkFile() throws Failure {
    if (Files.isDirectory(file)) {
      throw Failure.usage(file + " is a directory; name a file in it");
    }
    if (Files.exists(file) && !force) {
      throw Failure.usage(
          file + " exists; use 'bloomery add' to add to it, or --force to replace it");
    }
    Path folder = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      throw Failure.usage(folder + " is not a directory; make it first");
    }
  }

  private FilterBuilder<byte[]> builder() throws Failure {
    try {
      return LineFilter.builder(session.bloomery()).variant(variant).rate(rate);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private static Filter create(FilterBuilder<byte[]> builder, long keys) throws Failure {
    try {
      return builder.expect(keys).create().filter();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }
}
