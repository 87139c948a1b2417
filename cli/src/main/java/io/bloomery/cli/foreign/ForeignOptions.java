package io.bloomery.cli.foreign;

import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.input.InputOptions;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.interop.ForeignFormat;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * The options for the system that a filter comes from, and for the encoding of keys as its items.
 */
public final class ForeignOptions {

  static final String FORMAT = "--format";
  static final String ENCODING = "--encoding";

  private static final String PARQUET_FILE = "parquet-file";
  private static final String CASSANDRA = "cassandra";

  @Option(
      names = FORMAT,
      paramLabel = "FORMAT",
      completionCandidates = ForeignNames.Formats.class,
      description =
          "FILE is the filter of another system: ${COMPLETION-CANDIDATES}. The format is never"
              + " detected; cassandra takes the version that the name of FILE has.")
  private String format;

  @Option(
      names = ENCODING,
      paramLabel = "ENCODING",
      completionCandidates = LineEncoding.Names.class,
      description =
          "How that system encodes a key as bytes, which its files do not record:"
              + " ${COMPLETION-CANDIDATES}; hive-long for ORC, Hive's BloomFilter and Paimon alone.")
  private String encoding;

  /** The format of another system and the encoding of keys. */
  public record Chosen(ForeignFormat format, LineEncoding encoding) {

    /** Returns how keys are read according to the options, since these files do not record it. */
    public InputFormat inputFormat(InputOptions options) throws Failure {
      refuse(options.haveFields(), "--and-column", "keys of other systems have one column");
      return options.format(encoding.syntax(options.syntax()), KeyHash.NONE);
    }
  }

  /**
   * Returns the format, if one is named, for commands that hash no keys.
   *
   * @param files the filters of the command, whose names have the version of Cassandra's
   * @throws Failure if the name is unknown, the format does not support the encoding, or only an
   *     encoding is given; or if files do not have one version of Cassandra by their names
   */
  public Optional<ForeignFormat> format(Session session, List<Path> files) throws Failure {
    if (format == null) {
      if (encoding != null) {
        throw Failure.usage(
            ENCODING + " is for filters of other systems; name one, as in --format cassandra-4");
      }
      return Optional.empty();
    }
    if (isParquetFile()) {
      throw Failure.usage(
          "--format parquet-file is for 'bloomery check --column NAME' alone; name a single filter"
              + " and --format parquet");
    }
    ForeignFormat named =
        format.equals(CASSANDRA)
            ? ofCassandra(files)
            : ForeignNames.format(session, FORMAT, format);
    if (encoding != null) {
      checked(named, LineEncoding.named(encoding));
    }
    return Optional.of(named);
  }

  /**
   * Returns the format of a file and the encoding, if a format is named.
   *
   * @throws Failure as for {@link #format}, or if no encoding is given
   */
  public Optional<Chosen> chosen(Session session, Path file) throws Failure {
    Optional<ForeignFormat> named = format(session, List.of(file));
    if (named.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Chosen(named.get(), encoding()));
  }

  private static ForeignFormat ofCassandra(List<Path> files) throws Failure {
    ForeignFormat first = null;
    for (Path file : files) {
      ForeignFormat named =
          CassandraName.format(file)
              .orElseThrow(
                  () ->
                      Failure.usage(
                          "--format cassandra needs names as Cassandra's, such as"
                              + " nb-1-big-Filter.db, which have the version, but one is %s; name"
                              + " the version, as in --format cassandra-4",
                          file));
      if (first != null && first != named) {
        throw Failure.usage(
            "files must be of one version of Cassandra, but %s is of %s by its name, and %s"
                + " of %s; give each version a command of its own",
            files.get(0), first, file, named);
      }
      first = named;
    }
    return Objects.requireNonNull(first, "a command has a file");
  }

  /** Returns whether FILE may have filters of several columns. */
  public boolean mayHaveColumns() {
    return isParquetFile() || ForeignFormat.PAIMON.id().equals(format);
  }

  /** Returns whether FILE is said to be a whole Parquet file. */
  public boolean isParquetFile() {
    return PARQUET_FILE.equals(format);
  }

  /**
   * Returns the format of each filter of a whole Parquet file, and the encoding.
   *
   * @throws Failure as for {@link #chosen}
   */
  public Chosen ofParquetFile() throws Failure {
    LineEncoding named = encoding();
    checked(ForeignFormat.PARQUET, named);
    return new Chosen(ForeignFormat.PARQUET, named);
  }

  private LineEncoding encoding() throws Failure {
    if (encoding == null) {
      throw Failure.usage(
          "--format %s needs --encoding too, as no file says how its keys became bytes; it"
              + " must be one of %s",
          format, String.join(", ", LineEncoding.names()));
    }
    return LineEncoding.named(encoding);
  }

  private static void checked(ForeignFormat format, LineEncoding encoding) throws Failure {
    if (!format.takes(encoding.items())) {
      throw Failure.usage(
          "--encoding %s is for filters of ORC, Hive's BloomFilter and Paimon, but --format"
              + " is %s; its integers are long-le or the like",
          encoding.name(), format);
    }
  }

  /**
   * Rejects an option that has no meaning for filters of other systems.
   *
   * @throws Failure if it is given
   */
  public static void refuse(boolean isGiven, String option, String reason) throws Failure {
    if (isGiven) {
      throw Failure.usage(option + " and --format exclude each other, since " + reason);
    }
  }
}
