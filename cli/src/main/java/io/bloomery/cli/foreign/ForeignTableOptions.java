package io.bloomery.cli.foreign;

import io.bloomery.cli.option.CountConverter;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ForeignParameters;
import io.bloomery.interop.ForeignRate;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options for the table size and other parameters of a new filter of another system. */
public final class ForeignTableOptions {

  // How many times the rate asked for is not rounding, and not the uncertainty of an estimate.
  private static final double UNKEPT = 1.2;
  private static final double UNCERTAIN = 2;

  @ArgGroup(
      validate = false,
      heading = "%nParameters of a filter of another system, instead of those that it computes:%n")
  private final Numbers numbers = new Numbers();

  private static final class Numbers {

    @Option(
        names = "--bits",
        paramLabel = "M",
        converter = CountConverter.class,
        description = "The number of bits of the table, with --hashes, instead of --expected.")
    private Long bits;

    @Option(
        names = "--hashes",
        paramLabel = "K",
        description = "The number of bits that each key sets, with --bits.")
    private Integer hashes;

    @Option(
        names = "--seed",
        paramLabel = "S",
        description =
            "The seed of the hash function, for spark-v2, datasketches, valkey-bloom and kudu.")
    private Long seed;

    @Option(
        names = "--expansion",
        paramLabel = "E",
        description = "The growth factor of redisbloom and valkey-bloom; 0: it never grows.")
    private Integer expansion;
  }

  /** Returns whether the table size is given, so that no number of expected keys is needed. */
  public boolean haveTable() {
    return numbers.bits != null;
  }

  /**
   * Rejects these options where no other system is named.
   *
   * @throws Failure if one of them is given
   */
  public void refuse() throws Failure {
    if (numbers.bits != null
        || numbers.hashes != null
        || numbers.seed != null
        || numbers.expansion != null) {
      throw Failure.usage(
          "--bits, --hashes, --seed and --expansion are for filters of other systems; name one, as"
              + " in --format spark-v2, or use --expected and --fpp");
    }
  }

  /**
   * Checks that the options are complete and consistent.
   *
   * @param isPlanned whether --expected or --fpp is given
   * @throws Failure if one of a pair is missing, or two options contradict each other
   */
  public void check(boolean isPlanned) throws Failure {
    if ((numbers.bits == null) != (numbers.hashes == null)) {
      throw Failure.usage("--bits and --hashes must both be given, or none; add the other");
    }
    if (numbers.bits != null && isPlanned) {
      throw Failure.usage(
          "--bits and --hashes exclude --expected and --fpp, of which the system computes them");
    }
  }

  /**
   * Creates an empty filter.
   *
   * @throws Failure if the system does not support these parameters
   */
  public ForeignFilter create(ForeignFormat format, long keys, double rate) throws Failure {
    return Failure.usageIfRefused(() -> format.create(parameters(keys, rate)));
  }

  /** Warns if the system's filter will not keep the rate that is asked for. */
  public void warnOfRate(Session session, ForeignFormat format, long keys, double rate) {
    ForeignRate expected = format.expectedRate(parameters(keys, rate));
    String next = "; a larger --expected lowers it, or take a filter of Bloomery's own";
    if (expected.lowest() > UNKEPT * rate) {
      session.warn(
          "%s will not keep a rate of %.3g for %,d keys, but have one of %.2g: its positions of a"
              + " key are not independent%s",
          format, rate, keys, expected.rate(), next);
    } else if (expected.highest() > UNCERTAIN * rate) {
      session.warn(
          "%s may not keep a rate of %.3g for %,d keys, but have one of up to %.2g: its positions"
              + " of a key are not independent%s",
          format, rate, keys, expected.highest(), next);
    }
  }

  private ForeignParameters parameters(long keys, double rate) {
    ForeignParameters parameters =
        haveTable()
            ? ForeignParameters.table(numbers.bits, numbers.hashes)
            : ForeignParameters.expect(keys, rate);
    if (numbers.seed != null) {
      parameters = parameters.seed(numbers.seed);
    }
    if (numbers.expansion != null) {
      parameters = parameters.expansion(numbers.expansion);
    }
    return parameters;
  }
}
