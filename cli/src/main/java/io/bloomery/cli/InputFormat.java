package io.bloomery.cli;

import java.io.InputStream;

/**
 * How inputs are written, and what of them is a key.
 *
 * @param lineEnd what ends a line
 * @param csv how a table is written, or null if lines are keys
 * @param form what is done to a line or column before it is a key
 */
record InputFormat(byte lineEnd, CsvFormat csv, KeyForm form) {

  /** Lines that are keys as they are. */
  static final InputFormat LINES = new InputFormat((byte) '\n', null, KeyForm.PLAIN);

  /** Returns whether each line is a key as it is. */
  boolean isPlain() {
    return csv == null && form.isPlain();
  }

  /** Starts to read an input. */
  RecordReader reader(String name, InputStream in) {
    return csv == null
        ? new LineReader(name, in, lineEnd, form)
        : new CsvReader(name, in, csv, form);
  }
}
