package io.bloomery.cli.dedupe;

import io.bloomery.cli.input.LineBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Lines as they are printed together, after a header or not, with the hashes of their keys. */
final class PrintedLines {

  private final Bytes bytes = new Bytes();
  private long[] hashes = new long[LineBatch.MAX_LINES];
  private int[] starts = new int[LineBatch.MAX_LINES];
  private int count;

  /** Bytes that are written without a copy. */
  private static final class Bytes extends ByteArrayOutputStream {

    void putTo(ByteBuffer out) {
      out.put(buf, 0, count);
    }
  }

  void clear() {
    bytes.reset();
    count = 0;
  }

  /** Adds a header, before all lines. */
  void addHeader(LineBatch batch) throws IOException {
    batch.writeHeader(bytes);
  }

  /**
   * Adds the lines of a batch with these ascending indices; the last gets an end if it has none.
   */
  void add(LineBatch batch, int[] indices, int size) throws IOException {
    int start = bytes.size();
    for (int i = 0; i < size; i++) {
      add(batch.hashes()[indices[i]], start);
      start += batch.sizeAsRead(indices[i]);
    }
    batch.writeLines(indices, size, bytes);
  }

  /** Adds the lines of others of which not all bytes are among the first {@code arrived}. */
  void addMissing(PrintedLines others, int arrived) {
    int from = 0;
    while (from < others.count && others.end(from) <= arrived) {
      from++;
    }
    if (from == others.count) {
      return;
    }
    int shift = bytes.size() - others.starts[from];
    bytes.writeBytes(Arrays.copyOfRange(others.bytes(), others.starts[from], others.size()));
    for (int i = from; i < others.count; i++) {
      add(others.hashes[i], others.starts[i] + shift);
    }
  }

  private void add(long hash, int start) {
    if (count == hashes.length) {
      hashes = Arrays.copyOf(hashes, 2 * count);
      starts = Arrays.copyOf(starts, 2 * count);
    }
    hashes[count] = hash;
    starts[count++] = start;
  }

  private int end(int i) {
    return i + 1 < count ? starts[i + 1] : size();
  }

  /** Returns the number of lines. */
  int count() {
    return count;
  }

  /** Returns the hashes of the lines; those from {@link #count} on are undefined. */
  long[] hashes() {
    return hashes;
  }

  /** Returns the number of bytes. */
  int size() {
    return bytes.size();
  }

  /** Returns a copy of the bytes. */
  byte[] bytes() {
    return bytes.toByteArray();
  }

  void printTo(OutputStream out) throws IOException {
    bytes.writeTo(out);
  }

  /** Returns the number of bytes that {@link #writeTo} writes. */
  int serializedSize() {
    return Math.addExact(2 * Integer.BYTES + count * (Long.BYTES + Integer.BYTES), size());
  }

  void writeTo(ByteBuffer out) {
    out.putInt(count);
    out.asLongBuffer().put(hashes, 0, count);
    out.position(out.position() + count * Long.BYTES);
    out.asIntBuffer().put(starts, 0, count);
    out.position(out.position() + count * Integer.BYTES);
    out.putInt(size());
    bytes.putTo(out);
  }

  /** Reads what {@link #writeTo} wrote. */
  static PrintedLines read(ByteBuffer in) {
    PrintedLines lines = new PrintedLines();
    lines.count = in.getInt();
    lines.hashes = new long[lines.count];
    lines.starts = new int[lines.count];
    in.asLongBuffer().get(lines.hashes);
    in.position(in.position() + lines.count * Long.BYTES);
    in.asIntBuffer().get(lines.starts);
    in.position(in.position() + lines.count * Integer.BYTES);
    byte[] read = new byte[in.getInt()];
    in.get(read);
    lines.bytes.writeBytes(read);
    return lines;
  }
}
