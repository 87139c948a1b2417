package io.bloomery.cli.input;

import io.bloomery.cli.session.Failure;
import java.util.List;

/**
 * The format of a table, and the column that contains the keys.
 *
 * @param delimiter the character between columns
 * @param quotes whether columns may be quoted, as in CSV (RFC 4180); in TSV, quotes are ordinary
 *     characters
 * @param index the index of the column from 0, or {@link #BY_NAME}
 * @param column the name or number of the column, as given
 * @param header whether the first record contains the names of the columns
 */
public record TableFormat(
    char delimiter, boolean quotes, int index, String column, boolean header) {

  /** The index of a column that is found by its name. */
  static final int BY_NAME = -1;

  private static final char TAB = '\t';

  /** Returns whether a character may separate the columns of CSV. */
  public static boolean isDelimiter(char c) {
    return c <= 127 && "\"\r\n".indexOf(c) < 0;
  }

  /**
   * Returns the format of CSV with a column named in the first record; digits are a name as well.
   */
  static TableFormat csvByName(String column, char delimiter) {
    return new TableFormat(delimiter, true, BY_NAME, column, true);
  }

  /** Returns the format of TSV with a column named in the first line; digits are a name as well. */
  static TableFormat tsvByName(String column) {
    return new TableFormat(TAB, false, BY_NAME, column, true);
  }

  /**
   * Returns the format of CSV with a column as given on the command line.
   *
   * @throws Failure if it is a number that no column has
   */
  static TableFormat csv(String column, char delimiter, boolean header) throws Failure {
    return isNumber(column)
        ? new TableFormat(delimiter, true, index(column), column, header)
        : csvByName(column, delimiter);
  }

  /**
   * Returns the format of TSV with a column as given on the command line.
   *
   * @throws Failure if it is a number that no column has
   */
  static TableFormat tsv(String column, boolean header) throws Failure {
    return isNumber(column)
        ? new TableFormat(TAB, false, index(column), column, header)
        : tsvByName(column);
  }

  private static boolean isNumber(String column) {
    return column.matches("[0-9]+");
  }

  private static int index(String column) throws Failure {
    try {
      int number = Integer.parseInt(column);
      if (number > 0) {
        return number - 1;
      }
    } catch (NumberFormatException e) {
      // Reported below, as zero is.
    }
    throw Failure.usage(
        "a column must be a name or a number from 1 to "
            + Integer.MAX_VALUE
            + ", but was "
            + column
            + "; the first is 1");
  }

  /**
   * Returns the index of the column with the keys.
   *
   * @param names the columns in the first line of an input
   * @throws Failure if the column is given by a name that none of them has, or several have
   */
  int indexAmong(List<String> names, String input) throws Failure {
    if (index != BY_NAME) {
      return index;
    }
    int found = names.indexOf(column);
    if (found < 0) {
      throw Failure.file(
          input,
          "has no column '"
              + column
              + "' in its first line, but "
              + (names.isEmpty() ? "no columns" : "'" + String.join("', '", names) + "'")
              + "; name one of them, or give its number");
    }
    if (names.lastIndexOf(column) != found) {
      throw Failure.file(
          input, "has more than one column '" + column + "'; give its number instead");
    }
    return found;
  }

  /** Returns the failure of a record with too few columns to contain the key. */
  static Failure missing(String input, long line, int index, int columns) {
    return Failure.line(
        input, line, "a record must have column " + (index + 1) + ", but has " + columns);
  }
}
