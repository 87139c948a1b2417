package io.bloomery.cli.sizing;

import io.bloomery.Bloomery;
import io.bloomery.cli.option.BitsConverter;
import io.bloomery.cli.option.BytesConverter;
import io.bloomery.cli.option.CountConverter;
import io.bloomery.cli.option.RateConverter;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.SessionCommand;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the size and rate of filters without creating any. */
@Command(
    name = "size",
    description = {
      "Show the size, the false-positive rate and the cost of a query of a filter of each"
          + " variant.",
      "Give the number of keys and the rate, or any two that determine the rest: --keys with --fpp,"
          + " --bytes or --bits-per-key; or --bytes with --fpp or --bits-per-key. Without the"
          + " others, P is 0.01.",
      "Numbers may end in K, M, G or B, and T (powers of a thousand), or be written as 1e7; sizes"
          + " may end in KB, MB, GB, TB too, or in KiB, MiB, GiB, TiB (powers of 1,024)."
    },
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, "3:the output cannot be written"},
    footer = "  bloomery size --keys 10M --fpp 0.001")
public final class SizeCommand extends SessionCommand {

  @Option(
      names = "--keys",
      paramLabel = "N",
      converter = CountConverter.class,
      description = "The expected number of distinct keys.")
  private Long keys;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      converter = RateConverter.class,
      description =
          "The false-positive rate, between 0 and 1: how often an absent key may be reported as"
              + " present.")
  private Double rate;

  @Option(
      names = "--bytes",
      paramLabel = "B",
      converter = BytesConverter.class,
      description = "The number of bytes that the filter may take.")
  private Long bytes;

  @Option(
      names = "--bits-per-key",
      paramLabel = "C",
      converter = BitsConverter.class,
      description = "The number of bits per key.")
  private Double bitsPerKey;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Override
  public Integer call() throws Failure, IOException {
    SizeRequest request = SizeRequest.of(keys, rate, bytes, bitsPerKey);
    Bloomery bloomery = session().bloomery();
    List<SizeRow> rows =
        bloomery.providers().variants().stream()
            .map(variant -> SizeRow.of(request, bloomery, variant))
            .toList();
    if (rows.stream().noneMatch(SizeRow::isPossible)) {
      throw Failure.usage(refusal(rows));
    }
    Optional<String> exact = ExactSet.insteadOf(rows);
    if (json) {
      Json.print(session(), SizeReport.members(rows, exact));
    } else {
      session().print(SizeReport.text(rows, exact));
    }
    return ExitCode.OK;
  }

  /**
   * Returns the common refusal of all variants, or else that of the last one in alphabetical order,
   * which is the simplest of the built-in ones.
   */
  private static String refusal(List<SizeRow> rows) {
    List<String> refusals = rows.stream().map(SizeRow::refusal).distinct().toList();
    String last = refusals.get(refusals.size() - 1);
    return refusals.size() == 1 ? last : "no variant can do this: " + last;
  }
}
