package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.foreign.ForeignNames;
import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, ExitCode.BAD_FILE_TEXT},
    footer =
        "  bloomery convert --format bits-and-blooms --to bits-and-blooms-json -o seen.json"
            + " seen.bloom")
public final class ConvertCommand extends SessionCommand {

  private static final String TO = "--to";

  @Mixin private ForeignOptions foreign;

  @Option(
      names = TO,
      required = true,
      paramLabel = "FORMAT",
      completionCandidates = ForeignNames.Formats.class,
      description = "The format to write: another one of the same group.")
  private String to;

  @Mixin private FilterOutput output;

  @Option(names = "--json", description = "Print a JSON object with what was written.")
  private boolean json;

  @Parameters(paramLabel = "FILE", description = "The filter; - is the standard input.")
  private Path file;

  @Override
  public Integer call() throws Failure, IOException {
    output.check(session(), json, "choose another name");
    Optional<ForeignFormat> named = foreign.format(session(), List.of(file));
    ForeignFormat target = ForeignNames.format(session(), TO, to);
    if (named.isEmpty()) {
      throw Failure.usage("convert must know which system wrote FILE; add --format FORMAT");
    }
    ForeignFile read = ForeignFile.read(session(), file, named.get());
    ForeignFilter converted;
    try {
      converted = read.filter().as(target);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(
          "%s: %s, as in 'bloomery create --format %s --encoding ENCODING%s -o FILE KEYS'",
          read.path(), e.getMessage(), target, expected(read.filter()));
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
    output.save(session(), converted);
    if (output.isStream()) {
      return;
    }
    long size = Files.size(output.file());
    if (json) {
      Json.print(
          session(),
          new Members()
              .with("file", output.file().toString())
              .with("format", converted.format().id())
              .with("sizeInBytes", size));
    } else {
      session().say("%s: %s, %,d bytes", output.file(), converted.layout(), size);
    }
  }
}
