package io.bloomery.cli;

import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that say how keys are read, for every command that does. */
final class InputOptions {

  @ArgGroup(
      validate = false,
      heading =
          "%nHow keys are read, which should be the same for all commands on one filter; gzip is"
              + " recognised:%n")
  private final Choices choices = new Choices();

  private static final class Choices {

    @Option(
        names = "--csv",
        paramLabel = "COLUMN",
        description = {
          "Take the key from a column of CSV, by its number from 1 or its name in the first line.",
          "Quotes are understood; empty lines are passed over."
        })
    private String csv;

    @Option(
        names = "--tsv",
        paramLabel = "COLUMN",
        description = "The same of columns with tabs between them.")
    private String tsv;

    @Option(
        names = "--delimiter",
        paramLabel = "C",
        description = "What stands between the columns of CSV instead of a comma, such as ';'.")
    private Character delimiter;

    @Option(
        names = "--header",
        description = "The first line of CSV has no key, though COLUMN is a number.")
    private boolean header;

    @Option(
        names = {"-0", "--null"},
        description = "A NUL ends each key, not a line end: for find -print0.")
    private boolean nul;

    @Option(names = "--trim", description = "Leave out white space at both ends of a key.")
    private boolean trim;

    @Option(
        names = "--ignore-case",
        description = "Put keys into lower case, those of UTF-8 text by the rules of Unicode.")
    private boolean ignoreCase;

    @Option(names = "--hex", description = "Keys are bytes, written in hex.")
    private boolean hex;

    @Option(
        names = "--base64",
        description = "Keys are bytes, written in base64, or in base64 for URLs.")
    private boolean base64;
  }

  /**
   * Starts on inputs that are named on the command line.
   *
   * @throws Failure if options exclude each other, or an input is certain not to be readable
   */
  Inputs inputs(Session session, List<String> names) throws Failure {
    return Inputs.of(session, names, format());
  }

  /**
   * Returns what the options say.
   *
   * @throws Failure if they exclude each other
   */
  InputFormat format() throws Failure {
    refuse(choices.csv != null && choices.tsv != null, "--csv", "--tsv");
    refuse(choices.hex && choices.base64, "--hex", "--base64");
    refuse(choices.ignoreCase && choices.hex, "--ignore-case", "--hex");
    refuse(choices.ignoreCase && choices.base64, "--ignore-case", "--base64");
    refuse(choices.nul && choices.csv != null, "--null", "--csv");
    refuse(choices.nul && choices.tsv != null, "--null", "--tsv");
    KeyForm.Encoding encoding =
        choices.hex
            ? KeyForm.Encoding.HEX
            : choices.base64 ? KeyForm.Encoding.BASE64 : KeyForm.Encoding.PLAIN;
    return new InputFormat(
        (byte) (choices.nul ? 0 : '\n'),
        csv(),
        new KeyForm(encoding, choices.trim, choices.ignoreCase));
  }

  private CsvFormat csv() throws Failure {
    if (choices.csv != null) {
      char delimiter = choices.delimiter == null ? ',' : choices.delimiter;
      if (delimiter > 127 || "\"\r\n".indexOf(delimiter) >= 0) {
        throw Failure.usage(
            "--delimiter must be an ASCII character, and no quote or line end, as ';' is");
      }
      return CsvFormat.of(choices.csv, delimiter, choices.header);
    }
    if (choices.delimiter != null || (choices.tsv == null && choices.header)) {
      throw Failure.usage(
          (choices.delimiter != null ? "--delimiter" : "--header")
              + " is for columns; say which one has the keys, as in --csv email");
    }
    return choices.tsv == null ? null : CsvFormat.of(choices.tsv, '\t', choices.header);
  }

  private static void refuse(boolean both, String one, String other) throws Failure {
    if (both) {
      throw Failure.usage(one + " and " + other + " exclude each other; leave one of them out");
    }
  }
}
