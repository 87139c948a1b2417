package io.bloomery.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Selects lines by a saved filter, as grep does by a pattern. */
@Command(
    name = "check",
    description = {
      "Print those lines of INPUT, or of the standard input, that may be in the filter in FILE.",
      "No line that was put is ever missing; of those that were not, about the filter's"
          + " false-positive rate is printed all the same."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:a line was selected",
      "1:no line was selected",
      "2:the command was not understood",
      "3:a file is bad, or cannot be read or written"
    },
    footerHeading = "%nExample:%n",
    footer = "  bloomery check -v seen.bloom urls.txt > new.txt")
final class CheckCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = {"-v", "--invert-match"},
      description = "Select the lines that are certainly not in the filter instead.")
  private boolean absent;

  @Option(
      names = {"-c", "--count"},
      description = "Print only how many lines are selected.")
  private boolean count;

  @Mixin private FilterAndLines arguments;

  private int[] hits = {};
  private long selected;

  CheckCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    Inputs lines = arguments.lines(session);
    LineFilter filter = LineFilter.open(session, arguments.file());
    lines.forEachBatch(batch -> select(filter, batch));
    if (count) {
      session.print(selected + "\n");
    }
    return selected > 0 ? ExitCode.OK : ExitCode.NONE;
  }

  private void select(LineFilter filter, LineBatch batch) throws IOException {
    if (hits.length < batch.size()) {
      hits = new int[batch.size()];
    }
    int found = filter.select(batch, hits);
    selected += absent ? batch.size() - found : found;
    if (!count) {
      print(batch, found);
      if (batch.isLastForNow()) {
        session.out().flush();
      }
    }
  }

  private void print(LineBatch batch, int found) throws IOException {
    OutputStream out = session.out();
    int next = 0;
    for (int i = 0; i < batch.size(); i++) {
      boolean hit = next < found && hits[next] == i;
      if (hit) {
        next++;
      }
      if (hit != absent) {
        out.write(batch.line(i));
        out.write('\n');
      }
    }
  }
}
