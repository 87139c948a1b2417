package io.bloomery.filter;

import java.io.IOException;
import java.util.Objects;

/** The output to which a {@link Filter} writes its content: 64-bit words, little-endian. */
public interface PayloadOutput {

  /**
   * Announces the size; called once, before anything is written. A filter whose size can change
   * blocks its writers from here to the last word.
   *
   * @param size in bytes, a multiple of 8
   */
  void begin(long size) throws IOException;

  /**
   * Writes one word.
   *
   * @throws IllegalStateException if more is written than was announced
   */
  void writeLong(long word) throws IOException;

  /**
   * Writes words {@code from} to {@code to - 1} of an array, as {@link #writeLong} would one by
   * one; nobody may change them meanwhile.
   *
   * @throws IllegalStateException if more is written than was announced
   * @throws IndexOutOfBoundsException if there are no such words
   */
  default void writeLongs(long[] words, int from, int to) throws IOException {
    Objects.checkFromToIndex(from, to, words.length);
    for (int i = from; i < to; i++) {
      writeLong(words[i]);
    }
  }
}
