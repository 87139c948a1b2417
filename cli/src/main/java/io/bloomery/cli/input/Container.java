package io.bloomery.cli.input;

/**
 * The container of the keys of an input: lines, text between NULs, or columns of a table.
 *
 * @param lineEnd the byte that ends a line
 * @param table the format of the table, or null if a line contains nothing but a key
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

  /** Returns the number of fields of a key. */
  public int fields() {
    return table == null ? 1 : table.columns().size();
  }

  /** Returns the text that a filter records for this container. */
  @Override
  public String toString() {
    return ContainerText.of(this);
  }
}
