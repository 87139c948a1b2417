package io.bloomery.filter;

import java.io.IOException;
import java.util.Objects;

/** The output that a {@link Filter} serialises its content to: 64-bit words, little-endian. */
public interface PayloadOutput {

  /**
   * Announces the size; must be called once, before the first word. A filter whose size can change
   * blocks its writers from here to the last word.
   *
   * @param size in bytes, a multiple of 8
   */
  void begin(long size) throws IOException;

  /**
   * Writes one word.
   *
   * @throws IllegalStateException if more words are written than were announced
   */
  void writeLong(long word) throws IOException;

  /**
   * Writes words {@code from} to {@code to - 1} of an array, as {@link #writeLong} would one by
   * one; they must not change during the call.
   *
   * @throws IllegalStateException if more words are written than were announced
   * @throws IndexOutOfBoundsException if there are no such words
   */
  default void writeLongs(long[] words, int from, int to) throws IOException {
    Objects.checkFromToIndex(from, to, words.length);
    for (int i = from; i < to; i++) {
      writeLong(words[i]);
    }
  }
}
