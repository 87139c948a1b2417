package io.bloomery.cli;

/**
 * Where the keys of an input are: in lines, between NULs, or in a column of a table.
 *
 * @param lineEnd what ends a line
 * @param table how a table is written, or null if lines hold nothing but a key
 */
record Container(byte lineEnd, TableFormat table) {

  static final Container LINES = new Container((byte) '\n', null);
  static final Container NULS = new Container((byte) 0, null);

  static Container of(TableFormat table) {
    return new Container((byte) '\n', table);
  }

  boolean isLines() {
    return lineEnd == '\n' && table == null;
  }

  /** Returns the words for it that a filter records. */
  @Override
  public String toString() {
    return ContainerText.of(this);
  }
}
