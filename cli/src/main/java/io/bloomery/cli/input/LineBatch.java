package io.bloomery.cli.input;

import io.bloomery.cli.key.BadKeyException;
import io.bloomery.cli.key.KeyBuffer;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.key.LongLine;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Some lines of one input, the keys they hold and the hashes of these: as many as are worth
 * handling at once. What it hands out by reference is good until it is filled again.
 */
public final class LineBatch {

  public static final int MAX_LINES = 4096;

  /** Where the bytes of a batch lie: those of its lines, or those of its keys. */
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
  private final Slices lines = new Slices();
  private final int[] nexts = new int[MAX_LINES]; // where what ends a line ends
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

  /** Makes a batch whose lines are printed with this byte after each, and keys hashed by this. */
  LineBatch(byte lineEnd, KeyHash hash) {
    this.lineEnd = lineEnd;
    this.hash = hash;
  }

  /** Starts anew, with lines that lie in {@code bytes}. */
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

  /** Says that the lines lie in another array, at the same places: theirs had to grow. */
  void moveLines(byte[] bytes) {
    lines.bytes = bytes;
  }

  boolean isFull() {
    return size == MAX_LINES;
  }

  /** Adds a line that is its own key; what ends it goes from {@code to} to {@code next}. */
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
   * Adds a line whose key is made from some bytes; all lines of the batch must be.
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

  /** Adds a line in pieces that is its own key, and the only one of the batch. */
  void add(long number, LongLine line, byte[] ending) {
    longLine = line;
    longLineEnding = ending;
    numbers[0] = number;
    hashes[0] = line.hash(hash);
    size = 1;
  }

  /**
   * Sets what the input has before its first line, to be printed where its lines are: so many
   * bytes, and what ends them.
   */
  void setHeader(byte[] bytes, int length) {
    header = bytes;
    headerLength = length;
  }

  /** Says that the header is not to be printed. */
  void dropHeader() {
    header = null;
  }

  public boolean hasHeader() {
    return header != null;
  }

  void setLastForNow(boolean isLast) {
    last = isLast;
  }

  /** Returns the input that the lines are from, as the user knows it. */
  public String name() {
    return name;
  }

  /** Returns how many lines there are; none if there is nothing but a header. */
  public int size() {
    return size;
  }

  /** Returns a copy of a line as it was read, without its end. */
  byte[] line(int i) {
    return longLine == null ? lines.copy(i) : longLine.toBytes();
  }

  /** Returns a copy of the key that a line holds. */
  public byte[] key(int i) {
    return longLine == null ? keys.copy(i) : longLine.toBytes();
  }

  /** Returns the number of a line in its input, from 1; of a CSV record, that of its first line. */
  public long number(int i) {
    return numbers[i];
  }

  /** Returns the hashes of the keys; those behind {@link #size} are of earlier ones. */
  public long[] hashes() {
    return hashes;
  }

  /** Returns whether no more input was there when the batch ended: what follows may take time. */
  public boolean isLastForNow() {
    return last;
  }

  /** Writes the header of a CSV input, once: with its first batch. */
  public void writeHeader(OutputStream out) throws IOException {
    if (header != null) {
      out.write(header, 0, headerLength);
      writeEnd(out);
    }
  }

  /** Writes what ends a line that is printed. */
  public void writeEnd(OutputStream out) throws IOException {
    out.write(lineEnd);
  }

  /** Writes some lines as they were read, by their ascending indices, each with an end. */
  public void writeLines(int[] indices, int count, OutputStream out) throws IOException {
    if (longLine != null) {
      if (count > 0) {
        longLine.writeTo(out);
        writeEnd(out);
      }
      return;
    }
    // Lines that follow each other, ends and all, are written in one go.
    for (int next = 0; next < count; ) {
      int i = indices[next++];
      int from = lines.from[i];
      int to = lines.to[i];
      boolean ended = hasEndAt(to);
      while (ended && next < count && lines.from[indices[next]] == to + 1) {
        to = lines.to[indices[next++]];
        ended = hasEndAt(to);
      }
      if (ended) {
        out.write(lines.bytes, from, to + 1 - from);
      } else {
        out.write(lines.bytes, from, to - from);
        writeEnd(out);
      }
    }
  }

  /**
   * Writes the header and some lines to the byte as they were read: each with what ended it, which
   * is nothing where the input ended. There must be a header or a line.
   *
   * @return whether the last of them had an end
   */
  public boolean writeAsRead(int[] indices, int count, OutputStream out) throws IOException {
    if (header != null) {
      out.write(header);
    }
    if (count == 0) {
      return header.length > headerLength;
    }
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

  // Of the last line without an end, the byte behind it is left over from an earlier one, if it is
  // there at all: writing that is as good.
  private boolean hasEndAt(int i) {
    return i < lines.bytes.length && lines.bytes[i] == lineEnd;
  }
}
