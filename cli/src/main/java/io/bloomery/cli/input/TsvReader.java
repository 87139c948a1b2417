package io.bloomery.cli.input;

import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads lines whose keys are in columns between tabs (text/tab-separated-values). There are no
 * quotes: a column is all bytes between two tabs. Empty lines are skipped, as in CSV.
 */
final class TsvReader implements RecordReader {

  private final TableFormat format;
  private final KeyFields key;
  private final LineReader lines;
  private boolean inHeader;

  TsvReader(String name, InputStream in, TableFormat format, KeySyntax syntax, long maxLine) {
    this.format = format;
    this.key = new KeyFields(name, format, syntax);
    this.lines = new LineReader(name, in, (byte) '\n', this::take, maxLine);
    this.inHeader = format.header();
  }

  @Override
  public boolean fill(LineBatch batch) throws Failure, IOException {
    while (lines.fill(batch)) {
      if (batch.size() > 0 || batch.hasHeader()) {
        return true;
      }
    }
    if (inHeader) {
      inHeader = false;
      key.find(List.of());
    }
    return false;
  }

  private void take(LineBatch batch, long number, byte[] bytes, int from, int to, int next)
      throws Failure {
    if (from == to) {
      return;
    }
    if (inHeader) {
      inHeader = false;
      key.find(names(bytes, from, to));
      batch.setHeader(Arrays.copyOfRange(bytes, from, next), to - from);
      return;
    }
    key.clear();
    int columns = 0;
    for (int start = from; start <= to && columns <= key.last(); columns++) {
      int end = tab(bytes, start, to);
      key.take(columns, bytes, start, end - start);
      start = end + 1;
    }
    key.addTo(batch, number, from, to, next, columns);
  }

  private List<String> names(byte[] bytes, int from, int to) {
    List<String> names = new ArrayList<>();
    int start = from;
    while (start <= to) {
      int end = tab(bytes, start, to);
      names.add(new String(bytes, start, end - start, StandardCharsets.UTF_8));
      start = end + 1;
    }
    return names;
  }

  /** Returns the position of the next tab, or the end of the line if there is none. */
  private int tab(byte[] bytes, int from, int to) {
    int i = from;
    while (i < to && bytes[i] != format.delimiter()) {
      i++;
    }
    return i;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
