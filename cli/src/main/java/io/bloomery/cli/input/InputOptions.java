package io.bloomery.cli.input;

import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.key.KeyHashes;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import io.bloomery.hash.KeyForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for how keys are read, for every command that reads keys. */
public final class InputOptions {

  /** The most fields of a key, as of KeyHasher.fields. */
  static final int MAX_FIELDS = 16;

  @ArgGroup(
      validate = false,
      heading =
          "%nWhere keys are; the filter records it, and any of these options overrides the"
              + " record; gzip is unpacked, other compression and UTF-16 are refused:%n")
  private final Places places = new Places();

  @ArgGroup(
      validate = false,
      heading =
          "%nHow keys are written; the filter records and applies it, and other options are"
              + " refused:%n")
  private final Forms forms = new Forms();

  @Mixin private LineLimit limit;

  @Option(
      names = "--skip-malformed",
      description =
          "Skip lines and records without a valid key, and report their number, instead of"
              + " failing at the first.")
  private boolean skips;

  private static final class Places {

    @Option(names = "--lines", description = "Each line is a key (the default).")
    private boolean lines;

    @Option(
        names = "--csv",
        paramLabel = "COLUMN",
        description = {
          "Take the key from a column of CSV, by its number from 1 or its name in the first line.",
          "Quotes are supported; empty lines are skipped."
        })
    private String csv;

    @Option(
        names = "--tsv",
        paramLabel = "COLUMN",
        description = {
          "Take the key from a column of tab-separated values, in the same way.",
          "Quotes are ordinary characters."
        })
    private String tsv;

    @Option(
        names = "--and-column",
        paramLabel = "COLUMN",
        description = {
          "A further column of the key, after that of --csv or --tsv; may be given more than once."
              + " The columns are fields, in this order, as of the keys that programs make by"
              + " KeyHasher.fields, and are taken as they are written."
        })
    private List<String> more = List.of();

    @Option(
        names = "--delimiter",
        paramLabel = "C",
        description = "The delimiter between the columns of CSV, such as ';' (default: a comma).")
    private Character delimiter;

    @Option(
        names = "--header",
        description = "The first line of a table is a header, although COLUMN is a number.")
    private boolean header;

    @Option(
        names = {"-0", "--null"},
        description = "Keys end with NUL, not with a line end: for find -print0.")
    private boolean nul;
  }

  private static final class Forms {

    @Option(names = "--trim", description = "Remove white space at both ends of a key.")
    private boolean trim;

    @Option(
        names = {"-i", "--ignore-case"},
        description = "Ignore case, by the simple case folding of Unicode 15.0.0.")
    private boolean ignoreCase;

    @Option(
        names = "--upper-case",
        description = {
          "Take the letters a to z for A to Z: for lists of hashes in upper case. Also for"
              + " filters of such a list that record no form."
        })
    private boolean upperCase;

    @Option(names = "--hex", description = "Keys are bytes, written in hex.")
    private boolean hex;

    @Option(
        names = "--base64",
        description = "Keys are bytes, written in base64, or in base64 for URLs.")
    private boolean base64;

    @Option(
        names = "--integer",
        description = {
          "Keys are integers, written in decimal digits, as filters of a program's longs and ints"
              + " have them; white space around them is left out.",
        })
    private boolean integer;
  }

  /**
   * Returns the format of the keys, for commands without a filter that determines it.
   *
   * @throws Failure if options exclude each other
   */
  public InputFormat format(KeyHashes hashes) throws Failure {
    KeySyntax syntax = syntax();
    int fields = 1 + places.more.size();
    return format(syntax, fields == 1 ? hashes.of(syntax) : hashes.ofFields(fields));
  }

  /**
   * Returns the format of keys with this syntax and hash function.
   *
   * @throws Failure if options exclude each other
   */
  public InputFormat format(KeySyntax syntax, KeyHash hash) throws Failure {
    Optional<Container> given = container();
    return new InputFormat(
        given.orElse(Container.LINES), syntax, hash, limit.bytes(), given.isPresent(), skips, "");
  }

  /**
   * Checks the options.
   *
   * @throws Failure if options exclude each other, or the maximum size of a line is less than one
   *     byte
   */
  public void check() throws Failure {
    container();
    syntax();
    limit.bytes();
  }

  /** Returns whether the key has several columns. */
  public boolean haveFields() {
    return !places.more.isEmpty();
  }

  /** Returns whether lines without a key of the required kind are skipped. */
  boolean skips() {
    return skips;
  }

  /**
   * Returns the maximum size of a line in bytes.
   *
   * @throws Failure if it is less than one
   */
  public long maxLine() throws Failure {
    return limit.bytes();
  }

  /**
   * Returns the syntax of the keys.
   *
   * @throws Failure if options exclude each other
   */
  public KeySyntax syntax() throws Failure {
    refuse(forms.hex && forms.base64, "--hex", "--base64");
    refuse(forms.ignoreCase && forms.hex, "--ignore-case", "--hex");
    refuse(forms.ignoreCase && forms.base64, "--ignore-case", "--base64");
    refuse(forms.upperCase && forms.ignoreCase, "--upper-case", "--ignore-case");
    refuse(forms.upperCase && forms.hex, "--upper-case", "--hex");
    refuse(forms.upperCase && forms.base64, "--upper-case", "--base64");
    refuse(forms.integer && forms.upperCase, "--integer", "--upper-case");
    refuse(forms.integer && forms.hex, "--integer", "--hex");
    refuse(forms.integer && forms.base64, "--integer", "--base64");
    refuse(forms.integer && forms.ignoreCase, "--integer", "--ignore-case");
    KeyForm form = form();
    KeySyntax syntax =
        forms.integer ? KeySyntax.INTEGER : KeySyntax.of(forms.trim ? form.trimmed() : form);
    if (!syntax.isPlain() && !places.more.isEmpty()) {
      throw Failure.usage(
          "--and-column and '%s' exclude each other, since a form is one of whole keys, and"
              + " not of fields; write the columns as they should be before",
          syntax);
    }
    return syntax;
  }

  private KeyForm form() {
    if (forms.hex) {
      return KeyForm.HEX;
    }
    if (forms.base64) {
      return KeyForm.BASE64;
    }
    if (forms.upperCase) {
      return KeyForm.UPPER_CASE;
    }
    return forms.ignoreCase ? KeyForm.IGNORE_CASE : KeyForm.PLAIN;
  }

  /**
   * Returns the container of the keys, if the options name one.
   *
   * @throws Failure if they exclude each other
   */
  public Optional<Container> container() throws Failure {
    refuse(places.csv != null && places.tsv != null, "--csv", "--tsv");
    refuse(places.nul && places.csv != null, "--null", "--csv");
    refuse(places.nul && places.tsv != null, "--null", "--tsv");
    refuse(places.lines && places.csv != null, "--lines", "--csv");
    refuse(places.lines && places.tsv != null, "--lines", "--tsv");
    refuse(places.lines && places.nul, "--lines", "--null");
    TableFormat table = table();
    if (table != null) {
      return Optional.of(Container.of(table));
    }
    if (places.nul) {
      return Optional.of(Container.NULS);
    }
    return places.lines ? Optional.of(Container.LINES) : Optional.empty();
  }

  private TableFormat table() throws Failure {
    if (places.csv != null) {
      char delimiter = places.delimiter == null ? ',' : places.delimiter;
      if (!TableFormat.isDelimiter(delimiter)) {
        throw Failure.usage(
            "--delimiter must be an ASCII character, and no quote or line end, as ';' is");
      }
      return TableFormat.csv(columns(places.csv), delimiter, places.header);
    }
    if (places.tsv == null && !places.more.isEmpty()) {
      throw Failure.usage(
          "--and-column is for keys of several columns; say which one is the first, as in --csv id"
              + " --and-column "
              + places.more.get(0));
    }
    if (places.delimiter != null || (places.tsv == null && places.header)) {
      throw Failure.usage(
          (places.delimiter != null ? "--delimiter" : "--header")
              + " is for columns; say which one has the keys, as in --csv email");
    }
    return places.tsv == null ? null : TableFormat.tsv(columns(places.tsv), places.header);
  }

  private List<KeyColumn> columns(String first) throws Failure {
    List<KeyColumn> columns = new ArrayList<>(List.of(KeyColumn.of(first)));
    for (String column : places.more) {
      columns.add(KeyColumn.of(column));
    }
    if (columns.size() > MAX_FIELDS) {
      throw Failure.usage(
          "a key must have at most " + MAX_FIELDS + " columns, but has " + columns.size());
    }
    return columns;
  }

  private static void refuse(boolean both, String one, String other) throws Failure {
    if (both) {
      throw Failure.usage(one + " and " + other + " exclude each other; leave one of them out");
    }
  }
}
