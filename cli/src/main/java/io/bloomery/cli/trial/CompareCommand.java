package io.bloomery.cli.trial;

import io.bloomery.cli.input.InputOptions;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.key.KeyHashes;
import io.bloomery.cli.option.RateConverter;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.SessionCommand;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares all installed variants on the user's own keys. */
@Command(
    name = "compare",
    description = {
      "Compare the size, time and false-positive rate of every installed variant with your"
          + " own keys, the lines of INPUT or of the standard input.",
      "Of the distinct keys, which are held in memory, every second one is added. The"
          + " others, certainly absent, measure the false-positive rate. The promises of each"
          + " variant are checked as by 'demo'.",
      "Times are of one thread that reads, hashes and queries one key after the other: the"
          + " best of some runs of tenths of a second. The fastest is named only if all filters"
          + " are larger than the caches of the processor: within them, another variant may be the"
          + " fastest than in memory, where speed matters."
    },
    exitCodeList = {
      "0:all promises were kept",
      "1:a promise was broken",
      "2:wrong usage, or there are fewer than two distinct lines",
      ExitCode.BAD_FILE_TEXT
    },
    footer = "  bloomery compare --fpp 0.001 urls.txt")
public final class CompareCommand extends SessionCommand {

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.01",
      converter = RateConverter.class,
      description =
          "The false-positive rate that each variant must keep (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(names = "--json", description = "Print a JSON array with an object for each variant.")
  private boolean json;

  @Mixin private InputOptions options;

  @Parameters(paramLabel = "INPUT", arity = "0..*", description = "Files of lines; - is stdin.")
  private List<String> inputs = List.of();

  @Override
  public Integer call() throws Failure, IOException {
    Inputs lines = Inputs.of(session(), inputs, options.format(KeyHashes.WITHOUT_SECRET));
    DemoKeys keys = DemoKeys.halfOf(lines);
    Trials trials = Trials.run(session(), keys, rate);
    if (trials.results().isEmpty()) {
      throw Failure.usage(trials.refusals().values().iterator().next());
    }
    if (json) {
      Json.print(session(), DemoJson.of(trials));
    } else {
      session()
          .print(
              DemoTable.of(keys, trials)
                  + Advice.of(
                      session().bloomery(),
                      trials,
                      keys.present().size(),
                      rate,
                      ProcessorCache.bytes()));
    }
    return trials.exitCode();
  }
}
