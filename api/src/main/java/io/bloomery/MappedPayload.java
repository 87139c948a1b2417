package io.bloomery;

import java.io.IOException;
import java.nio.LongBuffer;

/**
 * Where a {@link FilterProvider} finds the content of a filter whose file is mapped. It is taken in
 * its order, like any {@link PayloadInput}; what is mapped instead of read costs no memory and no
 * time until it is asked.
 *
 * <p>No checksum has been compared with what is read or mapped: whatever the words are, a view of
 * them must answer.
 */
public interface MappedPayload extends PayloadInput {

  /**
   * Maps the next words instead of reading them. A buffer is never longer than a GiB, so that there
   * may be several: all but the last have as many words, a power of two and at least 8. No block of
   * up to 64 bytes, counted from the first word, thus lies in two of them.
   *
   * @param count at least 1
   * @return buffers that any number of threads may read from by index
   * @throws FilterFormatException if there are fewer words left
   */
  LongBuffer[] mapLongs(long count) throws IOException;
}
