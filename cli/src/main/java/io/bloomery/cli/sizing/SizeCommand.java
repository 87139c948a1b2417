package io.bloomery.cli.sizing;

import io.bloomery.Bloomery;
import io.bloomery.cli.option.BitsConverter;
import io.bloomery.cli.option.BytesConverter;
import io.bloomery.cli.option.CountConverter;
import io.bloomery.cli.option.RateConverter;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Session;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the size and rate of filters without creating any. */
@Command(
    name = "size",
    description = {
      "Show how large a filter of each variant would be, how often it would be wrong, and what a"
          + " query would cost.",
      "Give the number of keys and the rate, or any two that determine the rest: --keys with --fpp,"
          + " --bytes or --bits-per-key; or --bytes with --fpp or --bits-per-key. Without the"
          + " others, P is 0.01.",
      "Numbers may end in K, M, G or B, and T (powers of a thousand), or be written as 1e7; sizes may"
          + " end in KB, MB, GB, TB too, or in KiB, MiB, GiB, TiB (powers of 1,024)."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, "3:the output cannot be written"},
    footerHeading = "%nExample:%n",
    footer = "  bloomery size --keys 10M --fpp 0.001")
public final class SizeCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = "--keys",
      paramLabel = "N",
      converter = CountConverter.class,
      description = "How many different keys there will be.")
  private Long keys;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      converter = RateConverter.class,
      description =
          "How often a key that was never added may be taken for one that was: between 0 and 1.")
  private Double rate;

  @Option(
      names = "--bytes",
      paramLabel = "B",
      converter = BytesConverter.class,
      description = "How many bytes the filter may take.")
  private Long bytes;

  @Option(
      names = "--bits-per-key",
      paramLabel = "C",
      converter = BitsConverter.class,
      description = "How many bits it may take for each key.")
  private Double bitsPerKey;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  public SizeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    SizeRequest request = SizeRequest.of(keys, rate, bytes, bitsPerKey);
    Bloomery bloomery = session.bloomery();
    List<SizeRow> rows =
        bloomery.providers().variants().stream()
            .map(variant -> SizeRow.of(request, bloomery, variant))
            .toList();
    if (rows.stream().noneMatch(SizeRow::isPossible)) {
      throw Failure.usage(refusal(rows));
    }
    Optional<String> exact = ExactSet.insteadOf(rows);
    if (json) {
      Json.print(session, out -> SizeReport.write(out, rows, exact));
    } else {
      session.print(SizeReport.text(rows, exact));
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
