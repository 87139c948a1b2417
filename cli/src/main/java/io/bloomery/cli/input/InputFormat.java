package io.bloomery.cli.input;

import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.hash.KeyForm;
import java.io.InputStream;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the keys of inputs are read: where they are, what is done to them and how they are hashed.
 *
 * @param container where they are
 * @param syntax what is done to the bytes of a line or column before they are a key
 * @param hash what makes hashes of keys
 * @param maxLine how many bytes a line or a record of a table may have, without its end
 * @param isStated whether options say where they are, so that they are there whatever it looks like
 * @param origin what to know of a bad line besides what is wrong with it: who says that it is to be
 *     read this way, if not the options; else empty
 */
public record InputFormat(
    Container container,
    KeySyntax syntax,
    KeyHash hash,
    long maxLine,
    boolean isStated,
    String origin) {

  /** The attribute with the {@link Container} that the keys were in, unless it was lines. */
  public static final String CONTAINER = "bloomery.container";

  /** Lines that are keys as they are. */
  public static final InputFormat LINES =
      new InputFormat(Container.LINES, KeySyntax.PLAIN, KeyHash.TEXT, LineLimit.DEFAULT, false, "");

  /** Returns the attributes by which a filter records this. */
  public SortedMap<String, String> attributes() {
    SortedMap<String, String> attributes = new TreeMap<>();
    // What the hash id says is not said twice, so that filters of integers stay mergeable with
    // those that programs make.
    if (!syntax.isPlain() && !syntax.isInteger()) {
      attributes.put(KeyForm.ATTRIBUTE, syntax.toString());
    }
    if (!container.isLines()) {
      attributes.put(CONTAINER, container.toString());
    }
    return attributes;
  }

  /** Returns what ends a line. */
  byte lineEnd() {
    return container.lineEnd();
  }

  /** Starts to read an input. */
  RecordReader reader(String name, InputStream in) {
    TableFormat table = container.table();
    if (table == null) {
      return LineReader.of(name, in, container.lineEnd(), syntax, maxLine);
    }
    return table.quotes()
        ? new CsvReader(name, in, table, syntax, maxLine)
        : new TsvReader(name, in, table, syntax, maxLine);
  }

  /** Returns the same for lines that may have so many bytes. */
  public InputFormat withMaxLine(long bytes) {
    return new InputFormat(container, syntax, hash, bytes, isStated, origin);
  }
}
