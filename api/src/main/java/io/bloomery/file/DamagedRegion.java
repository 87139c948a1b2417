package io.bloomery.file;

/**
 * A part of a file that is not as it was written, found by {@link FilterFiles#verify}.
 *
 * @param from where it begins, in bytes from the start of the file
 * @param to where it ends: the first byte behind it
 * @param reason what is wrong with it
 */
public record DamagedRegion(long from, long to, String reason) {

  /** Returns the region as people read it: first byte, last byte and reason. */
  @Override
  public String toString() {
    return "bytes " + from + " to " + (to - 1) + ": " + reason;
  }
}
