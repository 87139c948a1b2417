package io.bloomery.cli.input;

import io.bloomery.cli.session.Failure;
import java.util.List;

/**
 * The format of a table, and the columns that contain the keys.
 *
 * @param delimiter the character between columns
 * @param quotes whether columns may be quoted, as in CSV (RFC 4180); in TSV, quotes are ordinary
 *     characters
 * @param columns the columns that are the key, in its order
 * @param header whether the first record contains the names of the columns
 */
public record TableFormat(char delimiter, boolean quotes, List<KeyColumn> columns, boolean header) {

  private static final char TAB = '\t';

  /** Returns whether a character may separate the columns of CSV. */
  public static boolean isDelimiter(char c) {
    return c <= 127 && "\"\r\n".indexOf(c) < 0;
  }

  /** Returns the format of CSV with the key in these columns. */
  public static TableFormat csv(List<KeyColumn> columns, char delimiter, boolean header) {
    return of(delimiter, true, columns, header);
  }

  /** Returns the format of TSV with the key in these columns. */
  static TableFormat tsv(List<KeyColumn> columns, boolean header) {
    return of(TAB, false, columns, header);
  }

  private static TableFormat of(
      char delimiter, boolean quotes, List<KeyColumn> columns, boolean header) {
    boolean isNamed = columns.stream().anyMatch(KeyColumn::isByName);
    return new TableFormat(delimiter, quotes, List.copyOf(columns), header || isNamed);
  }

  /** Returns the failure of a record with too few columns to contain the key. */
  static Failure missing(String input, long line, int index, int columns) {
    return Failure.line(
        input, line, "a record must have column " + (index + 1) + ", but has " + columns);
  }
}
