package io.bloomery.cli.input;

import io.bloomery.cli.key.BadKeyException;
import io.bloomery.cli.key.KeyBuffer;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.key.LongLine;
import io.bloomery.cli.session.Failure;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * A number of lines of one input, with their keys and the hashes of these, to be processed
 * together. Arrays that it returns are valid until it is filled again.
 */
public final class LineBatch {

  public static final int MAX_LINES = 4096;

  /** The positions of the lines of a batch, or of their keys, within an array. */
  private static final class Slices {
    private final int[] from = new int[MAX_LINES];
    private final int[] to = new int[MAX_LINES];
    private byte[] bytes = {};

    byte[] copy(int i) {
      return Arrays.copyOfRange(bytes, from[i], to[i]);
    }
  }

  private final byte lineEnd;
  private final KeyHash hash;
  private final MalformedLines malformed;
  private final Slices lines = new Slices();
  private final int[] nexts = new int[MAX_LINES]; // positions after the line ends
  private final Slices keys = new Slices();
  private final KeyBuffer formed = new KeyBuffer();
  private final long[] hashes = new long[MAX_LINES];
  private final long[] numbers = new long[MAX_LINES];
  private String name = "";
  private int size;
  private boolean last;
  private LongLine longLine; // instead of slices, or null
  private byte[] longLineEnding;
  private byte[] header; // to be printed before the lines, with its end if it has one; or null
  private int headerLength; // without its end

  /**
   * Creates a batch.
   *
   * @param lineEnd printed after a last line without an end
   * @param hash the hash function of the keys
   */
  LineBatch(byte lineEnd, KeyHash hash) {
    this(lineEnd, hash, new MalformedLines(false));
  }

  /** Creates a batch of lines between malformed ones. */
  LineBatch(byte lineEnd, KeyHash hash, MalformedLines malformed) {
    this.lineEnd = lineEnd;
    this.hash = hash;
    this.malformed = malformed;
  }

  /** Clears the batch, for lines in {@code bytes}. */
  void begin(String input, byte[] bytes) {
    name = input;
    size = 0;
    last = false;
    longLine = null;
    header = null;
    formed.clear();
    lines.bytes = bytes;
    keys.bytes = bytes;
  }

  /** Replaces the array of the lines by a larger one with the same content. */
  void moveLines(byte[] bytes) {
    lines.bytes = bytes;
  }

  boolean isFull() {
    return size == MAX_LINES;
  }

  /** Adds a line that is its own key; its line end is from {@code to} to {@code next}. */
  void add(long number, int from, int to, int next) {
    int i = size++;
    numbers[i] = number;
    lines.from[i] = from;
    lines.to[i] = to;
    nexts[i] = next;
    keys.from[i] = from;
    keys.to[i] = to;
    hashes[i] = hash.hash(lines.bytes, from, to - from);
  }

  /**
   * Adds a line whose key is made from some bytes, as all keys of the batch must be.
   *
   * @throws BadKeyException if no key can be made from them
   */
  void add(
      long number, int from, int to, int next, KeySyntax syntax, byte[] raw, int rawFrom, int rawTo)
      throws BadKeyException {
    int keyFrom = formed.size();
    syntax.append(raw, rawFrom, rawTo, formed);
    int i = size++;
    numbers[i] = number;
    lines.from[i] = from;
    lines.to[i] = to;
    nexts[i] = next;
    keys.bytes = formed.bytes();
    keys.from[i] = keyFrom;
    keys.to[i] = formed.size();
    hashes[i] = hash.hash(keys.bytes, keyFrom, formed.size() - keyFrom);
  }

  /** Adds a line in pieces that is its own key, as the only line of the batch. */
  void add(long number, LongLine line, byte[] ending) {
    longLine = line;
    longLineEnding = ending;
    numbers[0] = number;
    hashes[0] = line.hash(hash);
    size = 1;
  }

  /**
   * Sets the header of the input, to be printed before its lines: {@code length} bytes, followed by
   * a line end.
   */
  void setHeader(byte[] bytes, int length) {
    header = bytes;
    headerLength = length;
  }

  /** Removes the header, so that it is not printed. */
  void dropHeader() {
    header = null;
  }

  public boolean hasHeader() {
    return header != null;
  }

  /**
   * Leaves out a line that holds no key of the required kind.
   *
   * @throws Failure if that ends the command
   */
  void leaveOut(Failure failure) throws Failure {
    malformed.add(failure);
  }

  void setLastForNow(boolean isLast) {
    last = isLast;
  }

  /** Returns the name of the input, as shown to users. */
  public String name() {
    return name;
  }

  /** Returns the number of lines, which is 0 for a batch with only a header. */
  public int size() {
    return size;
  }

  /** Returns a copy of a line as it was read, without its end. */
  byte[] line(int i) {
    return longLine == null ? lines.copy(i) : longLine.toBytes();
  }

  /** Returns the number of bytes of a line as it was read, with its end, which it may lack. */
  public int sizeAsRead(int i) {
    return longLine == null
        ? nexts[i] - lines.from[i]
        : Math.toIntExact(longLine.length() + longLineEnding.length);
  }

  /** Returns a copy of the key of a line. */
  public byte[] key(int i) {
    return longLine == null ? keys.copy(i) : longLine.toBytes();
  }

  /**
   * Returns the number of a line in its input, from 1; for a CSV record, that of its first line.
   */
  public long number(int i) {
    return numbers[i];
  }

  /** Returns the hashes of the keys; those from index {@link #size} on are of earlier keys. */
  public long[] hashes() {
    return hashes;
  }

  /**
   * Returns whether no more input was available when the batch ended, so that the next line may
   * take time to arrive.
   */
  public boolean isLastForNow() {
    return last;
  }

  /** Writes the header of the input as it was read, and ended, if this is its first batch. */
  public void writeHeader(OutputStream out) throws IOException {
    if (header != null) {
      out.write(header);
      if (header.length == headerLength) {
        writeEnd(out);
      }
    }
  }

  /** Writes a line end. */
  public void writeEnd(OutputStream out) throws IOException {
    out.write(lineEnd);
  }

  /**
   * Writes the lines with these ascending indices as they were read, each with its own end; the
   * last line of an input gets one if it has none.
   */
  public void writeLines(int[] indices, int count, OutputStream out) throws IOException {
    if (count > 0 && !writeAdjacent(indices, count, out)) {
      writeEnd(out);
    }
  }

  /**
   * Writes the header and the lines with these indices exactly as they were read, each with its own
   * end, which the last line of an input may lack. There must be a header or a line.
   *
   * @return whether the last of them had an end
   */
  public boolean writeAsRead(int[] indices, int count, OutputStream out) throws IOException {
    if (header != null) {
      out.write(header);
    }
    return count == 0 ? header.length > headerLength : writeAdjacent(indices, count, out);
  }

  // Adjacent lines are written together with their ends.
  private boolean writeAdjacent(int[] indices, int count, OutputStream out) throws IOException {
    if (longLine != null) {
      longLine.writeTo(out);
      out.write(longLineEnding);
      return longLineEnding.length > 0;
    }
    for (int next = 0; next < count; ) {
      int from = lines.from[indices[next]];
      int to = nexts[indices[next++]];
      while (next < count && lines.from[indices[next]] == to) {
        to = nexts[indices[next++]];
      }
      out.write(lines.bytes, from, to - from);
    }
    int last = indices[count - 1];
    return nexts[last] > lines.to[last];
  }
}
