package io.bloomery;

import java.util.Map;

/**
 * A provider whose filters merge by the bitwise or of their payloads, so that {@link
 * Bloomery#merge} does not have to load them.
 */
public interface UnionProvider extends FilterProvider {

  /**
   * Checks a layout that stands in a file, and the size of the payload there, as {@link #read}
   * does.
   *
   * @return how many bits of the payload, from the first on, may be set; the others must be clear
   * @throws IllegalArgumentException if no filter of this variant has them
   */
  long usableBits(Map<String, Long> layout, long payloadSize);
}
