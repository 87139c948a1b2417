package io.bloomery.file;

import java.util.List;

/**
 * A corrupt part of a file, found by {@link FilterFiles#verify}.
 *
 * @param from the offset of its first byte in the file
 * @param to the offset of the first byte behind it
 * @param reason what is wrong with it
 */
public record DamagedRegion(long from, long to, String reason) {

  /** Returns regions of a filter that begins at an offset of its file. */
  static List<DamagedRegion> behind(long offset, List<DamagedRegion> regions) {
    return regions.stream()
        .map(each -> new DamagedRegion(offset + each.from, offset + each.to, each.reason))
        .toList();
  }

  /** Returns the region as text: first byte, last byte and reason. */
  @Override
  public String toString() {
    return "bytes " + from + " to " + (to - 1) + ": " + reason;
  }
}
