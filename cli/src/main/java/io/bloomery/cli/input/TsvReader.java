package io.bloomery.cli.input;

import io.bloomery.cli.key.BadKeyException;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads lines whose keys are in one of the columns between tabs (text/tab-separated-values). There
 * are no quotes: a column is all bytes between two tabs. Empty lines are skipped, as in CSV.
 */
final class TsvReader implements RecordReader {

  private final String name;
  private final TableFormat format;
  private final KeySyntax syntax;
  private final LineReader lines;
  private int index;
  private boolean inHeader;

  TsvReader(String name, InputStream in, TableFormat format, KeySyntax syntax, long maxLine) {
    this.name = name;
    this.format = format;
    this.syntax = syntax;
    this.lines = new LineReader(name, in, (byte) '\n', this::take, maxLine);
    this.index = format.index();
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
      index = format.indexAmong(List.of(), name);
    }
    return false;
  }

  private void take(LineBatch batch, long number, byte[] bytes, int from, int to, int next)
      throws Failure, BadKeyException {
    if (from == to) {
      return;
    }
    if (inHeader) {
      inHeader = false;
      index = format.indexAmong(names(bytes, from, to), name);
      batch.setHeader(Arrays.copyOfRange(bytes, from, next), to - from);
      return;
    }
    int start = from;
    for (int column = 0; column < index; column++) {
      int tab = tab(bytes, start, to);
      if (tab == to) {
        batch.leaveOut(TableFormat.missing(name, number, index, column + 1));
        return;
      }
      start = tab + 1;
    }
    batch.add(number, from, to, next, syntax, bytes, start, tab(bytes, start, to));
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
