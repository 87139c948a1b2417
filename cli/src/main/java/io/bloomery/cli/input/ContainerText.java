package io.bloomery.cli.input;

import io.bloomery.cli.session.Failure;
import java.util.ArrayList;
import java.util.List;
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
          "(?<kind>csv|tsv)(?<columns>(?: column=(?:[0-9]+|"
              + QUOTED
              + "))+)(?<header> header)?(?: delimiter=(?<delimiter>"
              + QUOTED
              + "))?");
  private static final Pattern COLUMN =
      Pattern.compile(" column=(?:(?<number>[0-9]+)|(?<name>" + QUOTED + "))");
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
    boolean header = table.group("header") != null;
    Container container;
    try {
      List<KeyColumn> columns = columns(table.group("columns"));
      container =
          Container.of(
              table.group("kind").equals("tsv")
                  ? TableFormat.tsv(columns, header)
                  : TableFormat.csv(columns, delimiter.charAt(0), header));
    } catch (Failure e) {
      return Optional.empty();
    }
    // Each container has exactly one text; any other comes from another version.
    return Optional.of(container).filter(read -> of(read).equals(text));
  }

  private static List<KeyColumn> columns(String text) throws Failure {
    List<KeyColumn> columns = new ArrayList<>();
    for (Matcher column = COLUMN.matcher(text); column.find(); ) {
      columns.add(
          column.group("name") == null
              ? KeyColumn.of(column.group("number"))
              : KeyColumn.named(unquoted(column.group("name"))));
    }
    return columns;
  }

  /** Returns the text of a container. */
  static String of(Container container) {
    TableFormat table = container.table();
    if (table == null) {
      return container.isLines() ? "lines" : NULS_TEXT;
    }
    StringBuilder text = new StringBuilder(table.quotes() ? "csv" : "tsv");
    for (KeyColumn column : table.columns()) {
      text.append(" column=")
          .append(
              column.isByName() ? quoted(column.column()) : Integer.toString(column.index() + 1));
    }
    if (table.header() && table.columns().stream().noneMatch(KeyColumn::isByName)) {
      text.append(" header");
    }
    if (table.quotes() && table.delimiter() != ',') {
      text.append(" delimiter=").append(quoted(Character.toString(table.delimiter())));
    }
    return text.toString();
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
