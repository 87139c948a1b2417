package io.bloomery.cli.input;

import io.bloomery.cli.key.BadKeyException;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import java.util.Arrays;
import java.util.List;

/**
 * The columns of a record that are its key. Several are joined as the fields of a program's key
 * are: the length of each as four bytes, little-endian, and its bytes.
 */
final class KeyFields {

  private static final int ABSENT = -1;

  private final String input;
  private final TableFormat format;
  private final KeySyntax syntax;
  private final int[] indices;
  private final byte[][] fields;
  private final int[] lengths;
  private byte[] joined = {};

  KeyFields(String input, TableFormat format, KeySyntax syntax) {
    this.input = input;
    this.format = format;
    this.syntax = syntax;
    int count = format.columns().size();
    indices = format.columns().stream().mapToInt(KeyColumn::index).toArray();
    fields = new byte[count][64];
    lengths = new int[count];
    clear();
  }

  /**
   * Finds the columns in the first record.
   *
   * @throws Failure if one is given by a name that none of them has, or several have
   */
  void find(List<String> names) throws Failure {
    for (int i = 0; i < indices.length; i++) {
      indices[i] = format.columns().get(i).indexAmong(names, input);
    }
  }

  /** Returns the index of the last column that is in the key. */
  int last() {
    int last = 0;
    for (int index : indices) {
      last = Math.max(last, index);
    }
    return last;
  }

  /** Forgets the columns of the last record. */
  void clear() {
    Arrays.fill(lengths, ABSENT);
  }

  /** Takes a column, each char of which is a byte, if it is in the key. */
  void take(int index, char[] chars, int from, int length) {
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] == index) {
        byte[] field = room(i, length);
        for (int j = 0; j < length; j++) {
          field[j] = (byte) chars[from + j];
        }
      }
    }
  }

  /** Takes a column if it is in the key. */
  void take(int index, byte[] bytes, int from, int length) {
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] == index) {
        System.arraycopy(bytes, from, room(i, length), 0, length);
      }
    }
  }

  private byte[] room(int i, int length) {
    if (fields[i].length < length) {
      fields[i] = new byte[length];
    }
    lengths[i] = length;
    return fields[i];
  }

  /**
   * Adds a record with the columns taken, of {@code columns} in all, to a batch, or leaves it out
   * if it has no key.
   *
   * @return whether it was added
   * @throws Failure if it has no key, and that ends the command
   */
  boolean addTo(LineBatch batch, long number, int from, int to, int next, int columns)
      throws Failure {
    for (int i = 0; i < indices.length; i++) {
      if (lengths[i] == ABSENT) {
        batch.leaveOut(TableFormat.missing(input, number, indices[i], columns));
        return false;
      }
    }
    try {
      if (indices.length == 1) {
        batch.add(number, from, to, next, syntax, fields[0], 0, lengths[0]);
      } else {
        int length = join();
        batch.add(number, from, to, next, syntax, joined, 0, length);
      }
      return true;
    } catch (BadKeyException e) {
      batch.leaveOut(Failure.line(input, number, e.getMessage()));
      return false;
    }
  }

  /** Joins the fields and returns the length of the key. */
  private int join() {
    int size = 0;
    for (int length : lengths) {
      size = Math.addExact(size, Math.addExact(Integer.BYTES, length));
    }
    if (joined.length < size) {
      joined = new byte[size];
    }
    int at = 0;
    for (int i = 0; i < lengths.length; i++) {
      for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
        joined[at++] = (byte) (lengths[i] >>> shift);
      }
      System.arraycopy(fields[i], 0, joined, at, lengths[i]);
      at += lengths[i];
    }
    return size;
  }
}
