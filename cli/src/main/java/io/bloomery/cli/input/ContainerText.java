package io.bloomery.cli.input;

import io.bloomery.cli.session.Failure;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text form of a container, in the words of the options: {@code csv column="e-mail"
 * delimiter=";"}. Column names are quoted and escaped, so that they cannot be confused with the
 * rest. A class of its own, since most commands do not need it.
 */
public final class ContainerText {

  private static final String NULS_TEXT = "null";
  private static final String QUOTED = "\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"";
  private static final Pattern TABLE =
      Pattern.compile(
          "(?<kind>csv|tsv) column=(?:(?<number>[0-9]+)(?<header> header)?|(?<name>"
              + QUOTED
              + "))(?: delimiter=(?<delimiter>"
              + QUOTED
              + "))?");
  private static final Pattern ESCAPED = Pattern.compile("\\\\(?:u([0-9a-f]{4})|(.))");

  private ContainerText() {}

  /** Returns the container with this text, or nothing if there is none. */
  public static Optional<Container> parse(String text) {
    if (text.equals(NULS_TEXT)) {
      return Optional.of(Container.NULS);
    }
    Matcher table = TABLE.matcher(text);
    if (!table.matches()) {
      return Optional.empty();
    }
    String delimiter = table.group("delimiter") == null ? "," : unquoted(table.group("delimiter"));
    if (delimiter.length() != 1 || !TableFormat.isDelimiter(delimiter.charAt(0))) {
      return Optional.empty();
    }
    Container container;
    try {
      container =
          Container.of(
              table.group("kind").equals("tsv") ? tsv(table) : csv(table, delimiter.charAt(0)));
    } catch (Failure e) {
      return Optional.empty();
    }
    // Each container has exactly one text; any other comes from another version.
    return Optional.of(container).filter(read -> of(read).equals(text));
  }

  private static TableFormat csv(Matcher table, char delimiter) throws Failure {
    return table.group("name") != null
        ? TableFormat.csvByName(unquoted(table.group("name")), delimiter)
        : TableFormat.csv(table.group("number"), delimiter, table.group("header") != null);
  }

  private static TableFormat tsv(Matcher table) throws Failure {
    return table.group("name") != null
        ? TableFormat.tsvByName(unquoted(table.group("name")))
        : TableFormat.tsv(table.group("number"), table.group("header") != null);
  }

  /** Returns the text of a container. */
  static String of(Container container) {
    TableFormat table = container.table();
    if (table == null) {
      return container.isLines() ? "lines" : NULS_TEXT;
    }
    boolean byName = table.index() == TableFormat.BY_NAME;
    return (table.quotes() ? "csv" : "tsv")
        + " column="
        + (byName ? quoted(table.column()) : Integer.toString(table.index() + 1))
        + (!byName && table.header() ? " header" : "")
        + (!table.quotes() || table.delimiter() == ','
            ? ""
            : " delimiter=" + quoted(Character.toString(table.delimiter())));
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
                quoted.append(String.format("\\u%04x", c));
              } else {
                quoted.appendCodePoint(c);
              }
            });
    return quoted.append('"').toString();
  }

  private static String unquoted(String quoted) {
    return ESCAPED
        .matcher(quoted.substring(1, quoted.length() - 1))
        .replaceAll(
            escaped ->
                Matcher.quoteReplacement(
                    escaped.group(1) == null
                        ? escaped.group(2)
                        : Character.toString((char) Integer.parseInt(escaped.group(1), 16))));
  }
}
