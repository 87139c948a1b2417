package io.bloomery.file;

/**
 * A corrupt part of a file, found by {@link FilterFiles#verify}.
 *
 * @param from the offset of its first byte in the file
 * @param to the offset of the first byte behind it
 * @param reason what is wrong with it
 */
public record DamagedRegion(long from, long to, String reason) {

  /** Returns the region as text: first byte, last byte and reason. */
  @Override
  public String toString() {
    return "bytes " + from + " to " + (to - 1) + ": " + reason;
  }
}
