package io.bloomery.cli.input;

import io.bloomery.cli.session.Failure;
import java.util.List;

/**
 * How a table is written and which column of it holds the keys.
 *
 * @param delimiter what stands between columns
 * @param quotes whether quotes hold a column together, as in CSV (RFC 4180); in TSV they are
 *     characters as any other, and a column is what stands between two tabs
 * @param index which column it is, from 0, or {@link #BY_NAME}
 * @param column its name or number, as it was given
 * @param header whether the first record has the names of the columns
 */
public record TableFormat(
    char delimiter, boolean quotes, int index, String column, boolean header) {

  /** For a column that is to be found by its name. */
  static final int BY_NAME = -1;

  private static final char TAB = '\t';

  /** Returns whether this may stand between columns of CSV. */
  public static boolean isDelimiter(char c) {
    return c <= 127 && "\"\r\n".indexOf(c) < 0;
  }

  /** Takes a column of CSV by its name, which the first record has, whatever it looks like. */
  static TableFormat csvByName(String column, char delimiter) {
    return new TableFormat(delimiter, true, BY_NAME, column, true);
  }

  /** Takes a column of TSV by its name, which the first line has, whatever it looks like. */
  static TableFormat tsvByName(String column) {
    return new TableFormat(TAB, false, BY_NAME, column, true);
  }

  /**
   * Takes a column of CSV as it is named on the command line.
   *
   * @throws Failure if it is a number that no column has
   */
  static TableFormat csv(String column, char delimiter, boolean header) throws Failure {
    return isNumber(column)
        ? new TableFormat(delimiter, true, index(column), column, header)
        : csvByName(column, delimiter);
  }

  /**
   * Takes a column of TSV as it is named on the command line.
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
      // Said below, as zero is.
    }
    throw Failure.usage(
        "a column must be a name or a number from 1 to "
            + Integer.MAX_VALUE
            + ", but was "
            + column
            + "; the first is 1");
  }

  /**
   * Returns which of the columns in the first line of an input has the keys.
   *
   * @throws Failure if it is to be found by a name that none of them has, or more than one
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

  /**
   * Returns what is wrong with a record of so many columns if the one with the key is not there.
   */
  static Failure missing(String input, long line, int index, int columns) {
    return Failure.line(
        input, line, "a record must have column " + (index + 1) + ", but has " + columns);
  }
}
