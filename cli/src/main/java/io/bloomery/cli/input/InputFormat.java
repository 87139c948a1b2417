package io.bloomery.cli.input;

import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.filter.FilterSpec;
import io.bloomery.hash.KeyForm;
import java.io.InputStream;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The format of the keys of inputs: their container, syntax and hash function.
 *
 * @param container where the keys are
 * @param syntax how the bytes of a line or column are converted to a key
 * @param hash the hash function of the keys
 * @param maxLine the maximum size in bytes of a line or of a record of a table, without its end
 * @param isStated whether options name the container, so that it applies whatever the input looks
 *     like
 * @param skips whether lines without a key of the required kind are skipped, and not an error
 * @param origin a suffix for errors in a line that gives the source of this format if it is not the
 *     options; else empty
 */
public record InputFormat(
    Container container,
    KeySyntax syntax,
    KeyHash hash,
    long maxLine,
    boolean isStated,
    boolean skips,
    String origin) {

  /** The attribute with the {@link Container} of the keys, unless it is lines. */
  public static final String CONTAINER = "bloomery.container";

  /** Lines that are keys as they are. */
  public static final InputFormat LINES =
      new InputFormat(
          Container.LINES, KeySyntax.PLAIN, KeyHash.TEXT, LineLimit.DEFAULT, false, false, "");

  /** Returns the {@link Container} that a filter records, as text. */
  public static String recordedContainer(FilterSpec spec) {
    return spec.attributes().getOrDefault(CONTAINER, Container.LINES.toString());
  }

  /** Returns the attributes in which a filter records this format. */
  public SortedMap<String, String> attributes() {
    SortedMap<String, String> attributes = new TreeMap<>();
    // Not repeated if the hash id implies it, so that filters of integers can be merged with those
    // that programs make.
    if (!syntax.isPlain() && !syntax.isInteger()) {
      attributes.put(KeyForm.ATTRIBUTE, syntax.toString());
    }
    if (!container.isLines()) {
      attributes.put(CONTAINER, container.toString());
    }
    return attributes;
  }

  /** Returns the byte that ends a line. */
  byte lineEnd() {
    return container.lineEnd();
  }

  /** Returns a reader for an input. */
  RecordReader reader(String name, InputStream in) {
    TableFormat table = container.table();
    if (table == null) {
      return LineReader.of(name, in, container.lineEnd(), syntax, maxLine);
    }
    return table.quotes()
        ? new CsvReader(name, in, table, syntax, maxLine)
        : new TsvReader(name, in, table, syntax, maxLine);
  }

  /** Returns this format with another maximum size of a line. */
  public InputFormat withMaxLine(long bytes) {
    return new InputFormat(container, syntax, hash, bytes, isStated, skips, origin);
  }
}
