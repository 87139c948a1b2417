package io.bloomery.cli.input;

/**
 * Where the keys of an input are: in lines, between NULs, or in a column of a table.
 *
 * @param lineEnd what ends a line
 * @param table how a table is written, or null if lines hold nothing but a key
 */
public record Container(byte lineEnd, TableFormat table) {

  public static final Container LINES = new Container((byte) '\n', null);
  static final Container NULS = new Container((byte) 0, null);

  public static Container of(TableFormat table) {
    return new Container((byte) '\n', table);
  }

  public boolean isLines() {
    return lineEnd == '\n' && table == null;
  }

  /** Returns the words for it that a filter records. */
  @Override
  public String toString() {
    return ContainerText.of(this);
  }
}
