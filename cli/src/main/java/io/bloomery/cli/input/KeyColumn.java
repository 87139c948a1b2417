package io.bloomery.cli.input;

import io.bloomery.cli.session.Failure;
import java.util.List;

/**
 * A column of a table that is the key, or a field of it.
 *
 * @param index the index of the column from 0, or {@link #BY_NAME}
 * @param column the name or number of the column, as given
 */
public record KeyColumn(int index, String column) {

  /** The index of a column that is found by its name. */
  static final int BY_NAME = -1;

  /** Returns the column with a name; digits are a name as well. */
  static KeyColumn named(String name) {
    return new KeyColumn(BY_NAME, name);
  }

  /**
   * Returns a column as given on the command line.
   *
   * @throws Failure if it is a number that no column has
   */
  public static KeyColumn of(String column) throws Failure {
    return column.matches("[0-9]+") ? new KeyColumn(index(column), column) : named(column);
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
        "a column must be a name or a number from 1 to %s, but was %s; the first is 1",
        Integer.MAX_VALUE, column);
  }

  boolean isByName() {
    return index == BY_NAME;
  }

  /**
   * Returns the index of the column.
   *
   * @param names the columns in the first line of an input
   * @throws Failure if the column is given by a name that none of them has, or several have
   */
  int indexAmong(List<String> names, String input) throws Failure {
    if (!isByName()) {
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
}
