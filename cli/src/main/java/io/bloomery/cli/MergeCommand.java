package io.bloomery.cli;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Merges saved filters into one. */
@Command(
    name = "merge",
    description = {
      "Make a filter that answers for every key that went into one of the FILEs.",
      "They must be of one variant, hash, key form and layout, which files made with the same"
          + " --variant, --fpp and --expected, of keys written alike, are. It keeps --fpp while all"
          + " of them together hold no more than --expected different keys.",
      "Most filters are read side by side, however large they are; those that count add their"
          + " counts and take the memory of two, those that grow do not merge.",
      "Where keys were, and other attributes, are recorded as by the first FILE."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, ExitCode.BAD_FILE_TEXT},
    footerHeading = "%nExample:%n",
    footer = "  bloomery merge -o week.bloom monday.bloom tuesday.bloom wednesday.bloom")
final class MergeCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "Where to save the filter; may be one of those that are merged.")
  private Path file;

  @Option(names = "--force", description = "Replace the output if it exists.")
  private boolean force;

  @Option(names = "--json", description = "Print a JSON object that says what was merged.")
  private boolean json;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Filters of one kind.")
  private List<Path> sources;

  MergeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    NewFile.check(file, force, "choose another name");
    Bloomery bloomery = session.bloomery();
    try {
      Interruption.reaches(() -> bloomery.merge(file, sources));
    } catch (IllegalArgumentException e) {
      String reason = e.getMessage();
      throw Failure.usage(
          reason.contains("; ")
              ? reason
              : reason + "; make one of them again with the options of the other");
    } catch (ClosedByInterruptException e) {
      throw Failure.interrupted();
    } catch (IOException e) {
      throw failure(e);
    }
    long size = Files.size(file);
    if (json) {
      Json.print(
          session,
          out -> {
            out.writeStartObject();
            out.writeStringField("file", file.toString());
            out.writeNumberField("merged", sources.size());
            out.writeNumberField("sizeInBytes", size);
            out.writeEndObject();
          });
    } else {
      session.say("%s: %,d filters merged, %,d bytes", file, sources.size(), size);
    }
    return ExitCode.OK;
  }

  /** Tells the source that cannot be read, which its exception names, from the output. */
  private Failure failure(IOException e) {
    String message = e.getMessage() == null ? "" : e.getMessage();
    String named = e instanceof FileSystemException system ? system.getFile() : null;
    for (Path source : sources) {
      if (source.toString().equals(named) || message.startsWith(source + ": ")) {
        return Failure.reading(source, e);
      }
    }
    return Failure.saving(file, e);
  }
}
