package io.bloomery;

import java.io.IOException;

/**
 * Where a {@link FilterProvider} reads a filter's content from. Its bytes are not to be trusted.
 */
public interface PayloadInput {

  /** Returns how many bytes were announced in all, a multiple of 8. */
  long size();

  /**
   * Reads the next words. All calls together allocate what they return, or twice that where nobody
   * knows how many bytes are there, and never much more than was read, whatever was announced.
   *
   * @throws FilterFormatException if there are fewer left, or if they do not fit in memory
   */
  long[] readLongs(long count) throws IOException;

  /** Returns an exception about the word that would be read next, for the caller to throw. */
  FilterFormatException malformed(String reason);
}
