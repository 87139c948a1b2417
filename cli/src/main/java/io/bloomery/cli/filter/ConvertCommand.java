package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.foreign.ForeignNames;
import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.NewFile;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Converts a filter of another system to a format with the same bits. */
@Command(
    name = "convert",
    description = {
      "Write the filter of another system in FILE as another format that has the same bits.",
      "Some formats differ only in what surrounds the bits: cassandra-3 and cassandra-4;"
          + " parquet and parquet-bitset; hive-2.4, orc and orc-utf8; bits-and-blooms, -le and"
          + " -json; dcso and dcso-gzip. No other formats can be converted, also not to Bloomery's"
          + " own, since a key sets different bits there: make these filters again from the keys,"
          + " with 'bloomery create'."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, ExitCode.BAD_FILE_TEXT},
    footerHeading = "%nExample:%n",
    footer =
        "  bloomery convert --format bits-and-blooms --to bits-and-blooms-json -o seen.json"
            + " seen.bloom")
public final class ConvertCommand implements Callable<Integer> {

  private static final String TO = "--to";

  private final Session session;

  @Mixin private ForeignOptions foreign;

  @Option(
      names = TO,
      required = true,
      paramLabel = "FORMAT",
      completionCandidates = ForeignNames.Formats.class,
      description = "The format to write: another one of the same group.")
  private String to;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "Where to save the filter; - is the standard output.")
  private Path output;

  @Option(names = "--force", description = "Replace the output if it exists.")
  private boolean force;

  @Option(names = "--json", description = "Print a JSON object with what was written.")
  private boolean json;

  @Parameters(paramLabel = "FILE", description = "The filter; - is the standard input.")
  private Path file;

  public ConvertCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    NewFile.check(session, output, json, force, "choose another name");
    Optional<ForeignFormat> named = foreign.format(session);
    ForeignFormat target = ForeignNames.format(session, TO, to);
    if (named.isEmpty()) {
      throw Failure.usage("convert must know which system wrote FILE; add --format FORMAT");
    }
    ForeignFile read = ForeignFile.read(session, file, named.get());
    ForeignFilter converted;
    try {
      converted = read.filter().as(target);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          read.path()
              + ": "
              + e.getMessage()
              + ", as in 'bloomery create --format "
              + target
              + " --encoding ENCODING"
              + expected(read.filter())
              + " -o FILE KEYS'");
    }
    write(converted);
    return ExitCode.OK;
  }

  private static String expected(ForeignFilter filter) {
    return filter.stats().approximateKeys().isPresent()
        ? " --expected " + Math.max(1, filter.stats().approximateKeys().getAsLong())
        : "";
  }

  private void write(ForeignFilter converted) throws Failure, IOException {
    if (StandardStreams.isNamedBy(output)) {
      converted.write(session.out());
      return;
    }
    try {
      if (force) {
        converted.write(output);
      } else {
        converted.writeNew(output);
      }
    } catch (IOException e) {
      throw Failure.saving(output, e);
    }
    long size = Files.size(output);
    if (json) {
      Json.print(
          session,
          out -> {
            out.writeStartObject();
            out.writeStringField("file", output.toString());
            out.writeStringField("format", converted.format().id());
            out.writeNumberField("sizeInBytes", size);
            out.writeEndObject();
          });
    } else {
      session.say("%s: %s, %,d bytes", output, converted.layout(), size);
    }
  }
}
