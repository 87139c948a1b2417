package io.bloomery.cli.trial;

import io.bloomery.FilterBuilder;
import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.input.LineLimit;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.SessionCommand;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks the guarantees of all installed variants on real keys. */
@Command(
    name = "demo",
    description = {
      "Check the promises of every installed variant, with the class names of the running"
          + " JDK or with your own lines.",
      "Keys are added, queried, removed and added again where possible, saved and opened"
          + " again; names that are certainly absent measure the false-positive rate. A filter"
          + " that grows is made for a tenth of the keys."
    },
    exitCodeList = {
      "0:all promises were kept",
      "1:a promise was broken",
      ExitCode.USAGE_TEXT,
      ExitCode.BAD_FILE_TEXT
    },
    footer = "  bloomery demo --keys words.txt")
public final class DemoCommand extends SessionCommand {

  @Option(names = "--json", description = "Print a JSON array with an object for each variant.")
  private boolean json;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "Take the lines of FILE, which are held in memory; - is stdin.")
  private String file;

  @Mixin private LineLimit limit;

  private Inputs inputs() throws Failure {
    return Inputs.of(session(), List.of(file), InputFormat.LINES.withMaxLine(limit.bytes()));
  }

  @Override
  public Integer call() throws Failure, IOException {
    DemoKeys keys = file == null ? DemoKeys.ofJdk() : DemoKeys.of(inputs(), file);
    Trials trials = Trials.run(session(), keys, FilterBuilder.DEFAULT_FPP);
    if (json) {
      Json.print(session(), DemoJson.of(trials));
    } else {
      session().print(DemoTable.of(keys, trials));
    }
    return trials.exitCode();
  }
}
