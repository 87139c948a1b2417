package io.bloomery.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Removes lines from a saved filter that can do so. */
@Command(
    name = "remove",
    description = {
      "Remove each line of INPUT, or of the standard input, once from the filter in FILE.",
      "Remove only what was added: a line that never was, but is taken for one that was, cannot be"
          + " told from the others, and removing it may lose lines that were added.",
      "FILE must be of a variant that can remove, as 'create --variant "
          + DefaultVariants.REMOVABLE
          + "' makes it. It stays"
          + " as it is until the new content is complete. Commands that change it at the same time"
          + " take turns: one waits until the other has ended."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every line was removed",
      "1:some lines were not there; all others were removed",
      "2:the command was not understood, or the filter cannot remove",
      ExitCode.LOCKED_TEXT
    },
    footerHeading = "%nExample:%n",
    footer = "  bloomery remove sessions.bloom ended.txt")
final class RemoveCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print a JSON object that says what was removed.")
  private boolean json;

  @Mixin private WaitOption waiting;

  @Mixin private FilterAndLines arguments;

  private long lines;
  private long removed;

  RemoveCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    try (LineFilter filter = arguments.updateRemovable(session, waiting)) {
      arguments
          .lines(session)
          .forEachBatch(
              batch -> {
                removed += filter.remove(batch);
                lines += batch.size();
              });
      if (removed > 0) {
        filter.save();
      }
    }
    if (json) {
      Json.print(session, this::write);
    } else {
      session.say(
          "%s: %,d lines removed, %,d were not there", arguments.file(), removed, lines - removed);
    }
    return removed == lines ? ExitCode.OK : ExitCode.NONE;
  }

  private void write(JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("file", arguments.file().toString());
    out.writeNumberField("lines", lines);
    out.writeNumberField("removed", removed);
    out.writeNumberField("absent", lines - removed);
    out.writeEndObject();
  }
}
