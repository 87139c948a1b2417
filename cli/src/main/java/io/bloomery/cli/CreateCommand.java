package io.bloomery.cli;

import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a filter of lines. */
@Command(
    name = "create",
    description = {
      "Make a filter whose keys are the lines of INPUT, or of the standard input.",
      "A line is taken as the bytes it is, without its end (LF or CRLF); a byte order mark at the"
          + " start is left out. Lines of files are counted first. Those of a pipe cannot be:"
          + " without --expected, they go into a filter that grows."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, ExitCode.BAD_FILE_TEXT},
    footerHeading = "%nExample:%n",
    footer = "  sort -u *.log | bloomery create -o seen.bloom --expected 2000000 --fpp 0.001")
final class CreateCommand implements Callable<Integer> {

  private static final String FIXED = "standard";
  private static final String GROWING = "scalable";

  /**
   * What a filter that grows begins with. An empty one takes 20 KB at 1 %, and a query after a
   * million lines asks seven slices.
   */
  private static final long FIRST_KEYS = 10_000;

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
      completionCandidates = Variants.class,
      description =
          "The kind of filter: ${COMPLETION-CANDIDATES} (if not given: "
              + FIXED
              + ", or for a pipe without --expected "
              + GROWING
              + ").")
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
          "For how many different lines P is promised (if not given: as many as there are in files;"
              + " any number from a pipe).")
  private Long expected;

  @Option(names = "--force", description = "Replace FILE if it exists.")
  private boolean force;

  @Option(names = "--json", description = "Print a JSON object that says what was put.")
  private boolean json;

  @Mixin private InputOptions options;

  @Parameters(paramLabel = "INPUT", arity = "0..*", description = "Files of lines; - is stdin.")
  private List<String> inputs = List.of();

  CreateCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    NewFile.check(file, force, "use 'bloomery add' to add to it");
    Inputs lines = options.inputs(session, inputs);
    // What cannot be counted, or null if there is no need to count, or no obstacle.
    String pipe = expected == null ? lines.firstPipe() : null;
    String chosen = pipe == null ? FIXED : GROWING;
    FilterBuilder<byte[]> builder = builder(variant == null ? chosen : variant);
    if (pipe != null) {
      checkGrows(builder, pipe);
    }
    LineFilter filter = LineFilter.created(file, create(builder, keys(lines, pipe)));
    lines.forEachBatch(filter::put);
    filter.save();
    filter.report(session, json, variant == null && pipe != null ? reason(pipe) : "");
    return ExitCode.OK;
  }

  private long keys(Inputs lines, String pipe) throws Failure {
    if (expected != null) {
      return expected;
    }
    return pipe == null ? Math.max(1, lines.countLines()) : FIRST_KEYS;
  }

  private static String reason(String pipe) {
    return "; variant "
        + GROWING
        + ", which grows, since the lines of "
        + pipe
        + " cannot be counted first";
  }

  private void checkGrows(FilterBuilder<byte[]> builder, String pipe) throws Failure {
    boolean grows;
    try {
      grows = Growth.isIn(builder.expect(FIRST_KEYS).plan());
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
    if (!grows) {
      throw Failure.usage(
          "variant '"
              + variant
              + "' needs to know how many lines to expect, and those of "
              + pipe
              + " cannot be counted first; say it, as in --expected 1000000, or take variant '"
              + GROWING
              + "', which needs no number");
    }
  }

  private FilterBuilder<byte[]> builder(String name) throws Failure {
    try {
      return LineFilter.builder(session.bloomery()).variant(name).fpp(rate);
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
