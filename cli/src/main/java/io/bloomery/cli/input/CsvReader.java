package io.bloomery.cli.input;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.RecordType;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the records of a CSV table (RFC 4180) whose keys are in columns. Records are kept as bytes,
 * so that they can be printed unchanged. Empty lines are not records.
 *
 * <p>The parser receives each byte as one char, which makes no difference to it since all
 * characters with a meaning are ASCII, and at most one line at a time, so that it never reads
 * beyond the record that it returns.
 */
final class CsvReader implements RecordReader {

  private static final int BUFFER = 1 << 17;

  private final String name;
  private final InputStream in;
  private final TableFormat format;
  private final KeyFields key;
  private final long maxLine;
  private final Column column = new Column();
  private CloseableIterator<Boolean> records;
  private final List<String> names = new ArrayList<>();
  private boolean inHeader;

  private byte[] buffer = new byte[BUFFER];
  private int begin; // start of the record being read
  private int served; // end of what was given to the parser
  private int lineTo; // end of what may be given to it in one go
  private int to;
  private LineBatch batch;

  CsvReader(String name, InputStream in, TableFormat format, KeySyntax syntax, long maxLine) {
    this.name = name;
    this.in = in;
    this.format = format;
    this.key = new KeyFields(name, format, syntax);
    this.maxLine = maxLine;
    this.inHeader = format.header();
    this.records = records();
  }

  private CloseableIterator<Boolean> records() {
    return de.siegmar.fastcsv.reader.CsvReader.builder()
        .fieldSeparator(format.delimiter())
        .skipEmptyLines(false)
        .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
        .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
        .allowUnclosedQuote(false)
        // The length of a field is limited by the heap alone.
        .maxBufferSize(1 << 30)
        .build(column, new Lines())
        .iterator();
  }

  /** Stops the parser within a record. */
  private static final class TooLong extends IOException {
    private static final long serialVersionUID = 1;
  }

  /** Extracts the key from each record. */
  private final class Column extends AbstractBaseCsvCallbackHandler<Boolean> {

    private long linesBefore; // those that an earlier parser has read
    private long line;
    private int fields;
    private boolean isRecord;

    @Override
    protected void handleBegin(long startingLineNumber) {
      line = linesBefore + startingLineNumber;
      fields = 0;
      key.clear();
    }

    @Override
    protected void handleField(int i, char[] chars, int from, int length, boolean quoted) {
      fields = i + 1;
      if (inHeader) {
        names.add(text(chars, from, length));
      } else {
        key.take(i, chars, from, length);
      }
    }

    private String text(char[] chars, int from, int length) {
      byte[] bytes = new String(chars, from, length).getBytes(StandardCharsets.ISO_8859_1);
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    protected Boolean buildRecord() {
      isRecord = getRecordType() == RecordType.DATA;
      return Boolean.TRUE;
    }
  }

  /** Gives the parser one line at a time, or a part of one. */
  private final class Lines extends Reader {

    @Override
    public int read(char[] chars, int start, int length) throws IOException {
      if (served == lineTo && !nextLine()) {
        return -1;
      }
      int some = Math.min(length, lineTo - served);
      for (int i = 0; i < some; i++) {
        chars[start + i] = (char) (buffer[served + i] & 0xff);
      }
      served += some;
      return some;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** Finds the end of the next line; returns false at the end of the input. */
  private boolean nextLine() throws IOException {
    if (served == to && !refill()) {
      return false;
    }
    lineTo = served;
    while (lineTo < to) {
      // Only the next byte shows whether a CR is part of a CRLF.
      if (buffer[lineTo] == '\r' && lineTo + 1 == to) {
        refill();
      }
      if (endsLine(lineTo++)) {
        break;
      }
    }
    return true;
  }

  // The parser also ends a line at a CR, and skips an LF after it when it receives one.
  private boolean endsLine(int i) {
    return buffer[i] == '\n' || (buffer[i] == '\r' && i + 1 < to && buffer[i + 1] != '\n');
  }

  private boolean refill() throws IOException {
    // Two more bytes, for the line end.
    if (to - begin - 2 > maxLine) {
      throw new TooLong();
    }
    if (to == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.addExact(buffer.length, buffer.length / 2));
      batch.moveLines(buffer);
    }
    int read = in.read(buffer, to, buffer.length - to);
    to += Math.max(0, read);
    return read > 0;
  }

  @Override
  public boolean fill(LineBatch filled) throws Failure, IOException {
    batch = filled;
    moveToFront();
    batch.begin(name, buffer);
    boolean any = false;
    // Parses a further record only if a whole line of it is in the buffer.
    while (!any || (hasLine() && !batch.isFull())) {
      if (!hasNext()) {
        batch.setLastForNow(false);
        return any;
      }
      any |= take();
    }
    batch.setLastForNow(!hasLine() && in.available() == 0);
    return true;
  }

  private void moveToFront() {
    System.arraycopy(buffer, begin, buffer, 0, to - begin);
    to -= begin;
    served -= begin;
    lineTo -= begin;
    begin = 0;
  }

  private boolean hasLine() {
    for (int i = served; i < to; i++) {
      if (buffer[i] == '\n') {
        return true;
      }
    }
    return false;
  }

  /** Parses the next record; returns false at the end of the input. */
  private boolean hasNext() throws Failure, IOException {
    try {
      if (!records.hasNext()) {
        if (inHeader) {
          key.find(names);
        }
        return false;
      }
      records.next();
      return true;
    } catch (CsvParseException | UncheckedIOException | OutOfMemoryError e) {
      // The parser wraps all exceptions.
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      if (cause instanceof TooLong) {
        skipLine(LineLimit.exceeded(name, column.line, maxLine));
        return true;
      }
      if (cause instanceof IOException failure) {
        throw failure;
      }
      String message =
          cause instanceof OutOfMemoryError
              ? "a record begins that does not fit into memory; see that its quotes are closed, or"
                  + " give Java more, as in JAVA_OPTS=-Xmx4g bloomery ..."
              : "is not CSV: " + cause.getMessage() + "; see that its quotes are as they must be";
      Failure failure = Failure.file(name, "line " + column.line + ": " + message);
      if (cause instanceof OutOfMemoryError) {
        throw failure;
      }
      skipLine(failure);
      return true;
    }
  }

  /**
   * Skips the first line of a record that cannot be parsed: where it should have ended is not
   * known, and the next line may be a record again.
   *
   * @throws Failure if this ends the command, or the line is too long
   */
  private void skipLine(Failure failure) throws Failure, IOException {
    if (inHeader) {
      throw failure;
    }
    // The LF of a CRLF in two parts.
    int end = begin < to && buffer[begin] == '\n' ? begin + 1 : begin;
    try {
      while (end < to || refill()) {
        if (buffer[end] == '\r' && end + 1 == to) {
          refill();
        }
        if (endsLine(end)) {
          break;
        }
        end++;
      }
    } catch (TooLong e) {
      throw failure;
    }
    batch.leaveOut(failure);
    served = Math.min(end + 1, to);
    lineTo = served;
    column.linesBefore = column.line;
    column.isRecord = false;
    records = records();
  }

  /** Adds the parsed record to the batch, and returns whether there was anything to add. */
  private boolean take() throws Failure {
    int from = begin;
    int end = served;
    // If the parser receives a CRLF in two parts, it takes the LF with the next record.
    int next = end < lineTo && buffer[end - 1] == '\r' ? end + 1 : end;
    begin = served;
    if (end > from && buffer[end - 1] == '\n') {
      end--;
    }
    if (end > from && buffer[end - 1] == '\r') {
      end--;
    }
    if (!column.isRecord) {
      return false;
    }
    // The LF of a CRLF in two parts.
    if (buffer[from] == '\n') {
      from++;
    }
    if (end - from > maxLine) {
      throw LineLimit.exceeded(name, column.line, maxLine);
    }
    if (inHeader) {
      inHeader = false;
      key.find(names);
      batch.setHeader(Arrays.copyOfRange(buffer, from, next), end - from);
      return true;
    }
    return key.addTo(batch, column.line, from, end, next, column.fields);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
