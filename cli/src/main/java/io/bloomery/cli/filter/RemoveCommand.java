package io.bloomery.cli.filter;

import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.input.SeenLines;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.option.WaitOption;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Locale;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes lines from a saved filter that supports it. */
@Command(
    name = "remove",
    description = {
      "Remove each line of INPUT, or of the standard input, once from the filter in FILE.",
      "Remove only lines that were added: removing a false positive, or a line more often"
          + " than it was added, may remove lines that were added.",
      "An absent line shows that the input has lines that were never added. For every a of"
          + " them, a p / (1 - p) more are expected to be false positives, where p is the filter's"
          + " false-positive rate; removing one makes some other keys absent. A warning estimates"
          + " their number, also with --quiet. Use --dry-run to check an input first.",
      "FILE must be of a variant that can remove, as 'create --variant "
          + DefaultVariants.REMOVABLE
          + "' makes it. It stays as it is until the new content is complete. Commands that"
          + " change it at the same time wait for each other."
    },
    exitCodeList = {
      "0:every line was removed",
      "1:some lines were absent; all others were removed",
      "2:wrong usage, or the filter cannot remove",
      ExitCode.LOCKED_TEXT
    },
    footer = "  bloomery remove sessions.bloom ended.txt")
public final class RemoveCommand extends SessionCommand {

  /** The initial capacity and the rate of the filter that remembers the lines of the input. */
  private static final FilterSpec SEEN = FilterSpec.of(100_000, 1e-6);

  @Option(
      names = "--dry-run",
      description = "Remove the lines from a copy in memory, print the result, and save nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print a JSON object with what was removed.")
  private boolean json;

  @Mixin private WaitOption waiting;

  @Mixin private FilterAndLines arguments;

  private long lines;
  private long removed;
  private long repeated;
  private String firstAbsent;

  @Override
  public Integer call() throws Failure, IOException {
    try (LineFilter filter = arguments.updateRemovable(session(), waiting)) {
      return remove(filter);
    }
  }

  private int remove(LineFilter filter) throws Failure, IOException {
    WrongRemovals wrong = new WrongRemovals(filter::rate, filter.expectedKeys());
    SeenLines seen = seenLines();
    arguments
        .lines(session())
        .forEachBatch(
            batch -> {
              for (int i = 0; i < batch.size(); i++) {
                remove(batch, i, filter, wrong);
                repeated += isNew(seen, batch.hashes()[i]) ? 0 : 1;
              }
            });
    if (removed > 0 && !dryRun) {
      filter.save();
    }
    if (json) {
      Json.print(session(), members(wrong));
    } else {
      session().say("%s: %s", arguments.file(), summary());
    }
    if (removed == lines) {
      return ExitCode.OK;
    }
    warn(filter, wrong);
    return ExitCode.NONE;
  }

  private void remove(LineBatch batch, int i, LineFilter filter, WrongRemovals wrong) {
    lines++;
    if (filter.remove(batch, i)) {
      removed++;
      wrong.lineRemoved();
    } else {
      wrong.lineAbsent();
      if (firstAbsent == null) {
        firstAbsent = String.format(Locale.ROOT, "line %d of %s", batch.number(i), batch.name());
      }
    }
  }

  private SeenLines seenLines() throws Failure {
    return SeenLines.in(
        session()
            .bloomery()
            .providers()
            .get(DefaultVariants.GROWING)
            .create(SEEN, ThreadMode.CONFINED));
  }

  private boolean isNew(SeenLines seen, long hash) throws Failure {
    try {
      return seen.put(hash);
    } catch (FilterFullException e) {
      throw Failure.usage(
          "%s was not changed: %s; remove fewer lines at once", arguments.file(), e.getMessage());
    }
  }

  private String summary() {
    return String.format(
        Locale.ROOT,
        dryRun
            ? "%,d lines would be removed, %,d are not there%s; nothing was changed"
            : "%,d lines removed, %,d were not there%s",
        removed,
        lines - removed,
        repeated == 0
            ? ""
            : String.format(Locale.ROOT, "; %,d came before in the input", repeated));
  }

  private void warn(LineFilter filter, WrongRemovals wrong) throws Failure {
    OptionalInt probes = filter.probes(session().bloomery());
    session()
        .warnOfLoss(
            "%s: the input has lines that were never added, or not that often, first in %s: %,d are"
                + " not there, and %s more are to be expected that %s %s other keys absent; %s",
            arguments.file(),
            firstAbsent,
            lines - removed,
            expected(wrong.expected()),
            dryRun
                ? "seem to be, each of which may make"
                : "seemed to be, each of which may have made",
            probes.isEmpty() ? "some" : String.format(Locale.ROOT, "up to %,d", probes.getAsInt()),
            dryRun
                ? "remove only what was added"
                : "restore the file from a copy, or create it again, and try by --dry-run first");
  }

  private static String expected(double number) {
    return number < 0.01
        ? "fewer than 0.01"
        : String.format(Locale.ROOT, number < 10 ? "about %.2g" : "about %,.0f", number);
  }

  private Members members(WrongRemovals wrong) {
    return new Members()
        .with("file", arguments.file().toString())
        .with("lines", lines)
        .with("removed", removed)
        .with("absent", lines - removed)
        .with("repeated", repeated)
        .with("expectedWrong", wrong.expected())
        .with("dryRun", dryRun);
  }
}
