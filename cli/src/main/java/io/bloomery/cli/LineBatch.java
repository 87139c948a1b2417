package io.bloomery.cli;

import java.io.IOException;
import java.util.Arrays;

/** Some lines and their hashes: as many as are worth handling at once. */
final class LineBatch {

  private static final int MOST_LINES = 4096;
  private static final int ENOUGH_BYTES = 1 << 20;

  private final byte[][] lines = new byte[MOST_LINES][];
  private final byte[] endLengths = new byte[MOST_LINES];
  private final long[] hashes = new long[MOST_LINES];
  private int size;
  private boolean last;

  /**
   * Takes in the next lines, but does not wait for one while others wait to be handled.
   *
   * @return false if there are no more
   */
  boolean fill(LineReader reader) throws IOException {
    // A long line is not kept for longer than its batch.
    Arrays.fill(lines, 0, size, null);
    size = 0;
    long bytes = 0;
    boolean ready = true;
    while (ready && size < MOST_LINES && bytes < ENOUGH_BYTES) {
      byte[] line = reader.next();
      if (line == null) {
        break;
      }
      lines[size] = line;
      endLengths[size] = (byte) reader.endLength();
      hashes[size] = LineFilter.hash(line);
      size++;
      bytes += line.length;
      ready = reader.ready();
    }
    last = !ready;
    return size > 0;
  }

  int size() {
    return size;
  }

  byte[] line(int i) {
    return lines[i];
  }

  /** Returns how many bytes ended a line: 2 for CRLF, 1 for LF, 0 if the input ended without. */
  int endLength(int i) {
    return endLengths[i];
  }

  /** Returns the hashes of the lines; those behind {@link #size} are of earlier ones. */
  long[] hashes() {
    return hashes;
  }

  /** Returns whether no more input was there when the batch ended: what follows may take time. */
  boolean isLastForNow() {
    return last;
  }
}
