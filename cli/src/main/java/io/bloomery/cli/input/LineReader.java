package io.bloomery.cli.input;

import io.bloomery.cli.key.BadKeyException;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.key.LongLine;
import io.bloomery.cli.session.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Reads lines as bytes. A line ends with LF or CRLF, which are not part of it; the last line may
 * lack its end. A CR anywhere else is part of its line. If another byte ends lines, no other byte
 * does.
 *
 * <p>An input with a CR but without any LF is rejected, since it would be read as a single line.
 */
public final class LineReader implements RecordReader {

  /** Adds a line in an array to a batch, depending on how it contains a key. */
  interface Taker {

    /**
     * Adds the line from {@code from} to {@code to} to a batch, if there is anything to add; its
     * line end is from {@code to} to {@code next}.
     *
     * @throws BadKeyException if no key can be made from it
     */
    void take(LineBatch batch, long number, byte[] bytes, int from, int to, int next)
        throws Failure, BadKeyException;
  }

  public static final int BUFFER = 1 << 17;

  /** Lines that are their own keys, which may be in pieces. */
  private static final Taker WHOLE =
      (batch, number, bytes, from, to, next) -> batch.add(number, from, to, next);

  private static final int NOT_FOUND = -1;
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long EIGHT_ONES = 0x0101010101010101L;
  private static final long EIGHT_LOW_BITS = EIGHT_ONES * 0x7f;

  private final String name;
  private final InputStream in;
  private final byte lineEnd;
  private final Taker taker;
  private final long maxLine;
  private final byte[] buffer;
  private int from;
  private int searched; // no line ends between from and here
  private int to;
  private long number;

  LineReader(String name, InputStream in, byte lineEnd, Taker taker, long maxLine) {
    this(name, in, lineEnd, taker, maxLine, BUFFER);
  }

  private LineReader(
      String name, InputStream in, byte lineEnd, Taker taker, long maxLine, int bufferSize) {
    this.name = name;
    this.in = in;
    this.lineEnd = lineEnd;
    this.taker = taker;
    this.maxLine = maxLine;
    this.buffer = new byte[bufferSize];
  }

  /** Returns a reader of lines each of which is a key. */
  static LineReader of(String name, InputStream in, byte lineEnd, KeySyntax syntax, long maxLine) {
    return of(name, in, lineEnd, syntax, maxLine, BUFFER);
  }

  /** Returns such a reader with a buffer of this size. */
  static LineReader of(
      String name, InputStream in, byte lineEnd, KeySyntax syntax, long maxLine, int bufferSize) {
    Taker taker =
        syntax.isPlain()
            ? WHOLE
            : (batch, number, bytes, from, to, next) ->
                batch.add(number, from, to, next, syntax, bytes, from, to);
    return new LineReader(name, in, lineEnd, taker, maxLine, bufferSize);
  }

  @Override
  public boolean fill(LineBatch batch) throws Failure, IOException {
    batch.begin(name, buffer);
    int end = findEnd();
    while (end == NOT_FOUND) {
      checkUnended(to - from);
      if (from == 0 && to == buffer.length) {
        return addLongLine(batch);
      }
      if (!refill()) {
        return addLastLine(batch);
      }
      end = findEnd();
    }
    while (end != NOT_FOUND) {
      add(batch, buffer, from, withoutReturn(end), end + 1);
      from = end + 1;
      searched = from;
      end = batch.isFull() ? NOT_FOUND : findEnd();
    }
    batch.setLastForNow(!batch.isFull() && in.available() == 0);
    return true;
  }

  private boolean addLastLine(LineBatch batch) throws Failure, IOException {
    if (from == to) {
      return false;
    }
    checkReturns(hasReturn(to));
    // Without an LF after it, a CR does not end a line.
    add(batch, buffer, from, to, to);
    from = to;
    searched = to;
    return true;
  }

  private boolean addLongLine(LineBatch batch) throws Failure, IOException {
    LongLine line = new LongLine();
    int end = NOT_FOUND;
    boolean more = true;
    while (more && end == NOT_FOUND) {
      line.append(Arrays.copyOfRange(buffer, from, to));
      from = to;
      if (line.length() - 1 > maxLine) {
        checkReturns(line.contains((byte) '\r'));
      }
      checkUnended(line.length());
      more = refill();
      end = findEnd();
    }
    byte[] ending = {};
    if (end != NOT_FOUND) {
      line.append(Arrays.copyOfRange(buffer, from, end));
      from = end + 1;
      searched = from;
      boolean isReturned = lineEnd == '\n' && line.dropLast((byte) '\r');
      ending = isReturned ? new byte[] {'\r', '\n'} : new byte[] {lineEnd};
    } else {
      checkReturns(line.contains((byte) '\r'));
    }
    if (line.length() > maxLine) {
      throw LineLimit.exceeded(name, number + 1, maxLine);
    }
    if (taker == WHOLE) {
      batch.add(++number, line, ending);
    } else {
      line.append(ending);
      byte[] bytes = line.toBytes();
      batch.begin(name, bytes);
      add(batch, bytes, 0, bytes.length - ending.length, bytes.length);
    }
    batch.setLastForNow(in.available() == 0);
    return true;
  }

  private void add(LineBatch batch, byte[] bytes, int start, int end, int next) throws Failure {
    number++;
    if (end - start > maxLine) {
      throw LineLimit.exceeded(name, number, maxLine);
    }
    try {
      taker.take(batch, number, bytes, start, end, next);
    } catch (BadKeyException e) {
      batch.leaveOut(Failure.line(name, number, e.getMessage()));
    }
  }

  /** Rejects a line that is already too long, before reading more of it. */
  private void checkUnended(long length) throws Failure, Foreign.Found {
    // The last byte may be the CR of a CRLF.
    if (length - 1 > maxLine) {
      checkReturns(hasReturn(to - 1));
      throw LineLimit.exceeded(name, number + 1, maxLine);
    }
  }

  /** Rejects an input in which no line has ended yet, if there is a CR in it. */
  private void checkReturns(boolean any) throws Foreign.Found {
    if (any && number == 0 && lineEnd == '\n') {
      throw new Foreign.Found(Foreign.RETURNS);
    }
  }

  private boolean hasReturn(int end) {
    for (int i = from; i < end; i++) {
      if (buffer[i] == '\r') {
        return true;
      }
    }
    return false;
  }

  private int withoutReturn(int end) {
    return lineEnd == '\n' && end > from && buffer[end - 1] == '\r' ? end - 1 : end;
  }

  private int findEnd() {
    int i = searched;
    while (i < to && buffer[i] != lineEnd) {
      i++;
    }
    searched = i;
    return i < to ? i : NOT_FOUND;
  }

  /** Makes room and reads more; the content of the buffer is kept. */
  private boolean refill() throws IOException {
    System.arraycopy(buffer, from, buffer, 0, to - from);
    to -= from;
    searched -= from;
    from = 0;
    int read = in.read(buffer, to, buffer.length - to);
    to += Math.max(0, read);
    return read > 0;
  }

  @Override
  public long count(MalformedLines malformed) throws Failure, IOException {
    long lines = 0;
    long unended = 0;
    boolean begun = false;
    do {
      int ends = countEnds();
      lines += ends;
      unended = ends == 0 ? unended + to - from : 0;
      if (unended - 1 > maxLine) {
        checkReturns(lines == 0 && hasReturn(to - 1));
        throw LineLimit.exceeded(name, lines + 1, maxLine);
      }
      begun = to > from ? buffer[to - 1] != lineEnd : begun;
      from = to;
      searched = to;
    } while (refill());
    return begun ? lines + 1 : lines;
  }

  // Eight bytes at a time, since one at a time takes as long as the rest of reading.
  private int countEnds() {
    long pattern = EIGHT_ONES * (lineEnd & 0xff);
    int ends = 0;
    int i = from;
    for (; i <= to - Long.BYTES; i += Long.BYTES) {
      long zeroIfEnd = (long) EIGHT_BYTES.get(buffer, i) ^ pattern;
      // The high bit of a byte stays clear only if all bits of that byte are clear.
      long others = ((zeroIfEnd & EIGHT_LOW_BITS) + EIGHT_LOW_BITS) | zeroIfEnd | EIGHT_LOW_BITS;
      ends += Long.bitCount(~others);
    }
    for (; i < to; i++) {
      ends += buffer[i] == lineEnd ? 1 : 0;
    }
    return ends;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
