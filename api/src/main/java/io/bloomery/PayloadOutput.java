package io.bloomery;

import java.io.IOException;

/** Where a {@link Filter} writes its content: 64-bit words, little-endian. */
public interface PayloadOutput {

  /**
   * Announces the size; called once, before anything is written. A filter whose size can change
   * holds its writers off from here to the last word.
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
}
