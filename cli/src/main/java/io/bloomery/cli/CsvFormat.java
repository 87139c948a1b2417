package io.bloomery.cli;

/**
 * How a table is written and which column of it holds the keys.
 *
 * @param delimiter what stands between columns
 * @param index which of them it is, from 0, or {@link #BY_NAME}
 * @param column its name or number, as it was given
 * @param header whether the first record has the names of the columns
 */
record CsvFormat(char delimiter, int index, String column, boolean header) {

  /** For a column that is to be found by its name. */
  static final int BY_NAME = -1;

  /** Returns whether this may stand between columns. */
  static boolean isDelimiter(char c) {
    return c <= 127 && "\"\r\n".indexOf(c) < 0;
  }

  /** Takes a column of this name, which the first record has. */
  static CsvFormat ofName(String column, char delimiter) {
    return new CsvFormat(delimiter, BY_NAME, column, true);
  }

  /**
   * Takes a column as it is named on the command line.
   *
   * @throws Failure if it is a number that no column has
   */
  static CsvFormat of(String column, char delimiter, boolean header) throws Failure {
    if (!column.matches("[0-9]+")) {
      return ofName(column, delimiter);
    }
    try {
      int number = Integer.parseInt(column);
      if (number > 0) {
        return new CsvFormat(delimiter, number - 1, column, header);
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
}
