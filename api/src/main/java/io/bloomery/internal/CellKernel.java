package io.bloomery.internal;

import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A service with the queries of batches in a table of cells, which has four of each hash; located
 * as a {@link ProbeKernel} is.
 */
public interface CellKernel {

  /** The factor by which a mixed hash is spread. */
  long SPREAD = 0x9e3779b97f4a7c15L;

  /** The offset in a spread hash of the bits that select its second cell in a segment. */
  int SECOND = 46;

  /** The offset of those for the third. */
  int THIRD = 28;

  /** The offset of those for the fourth. */
  int FOURTH = 10;

  /**
   * A table of cells. Cell c is {@code width} bits of the content, in little-endian order, from bit
   * {@code c * width} on; seven bytes follow the last.
   *
   * @param content at most 2^24 bytes
   * @param key what hashes are mixed with
   * @param twiceFirsts twice the number of first cells, less than 2^32
   * @param segment the number of cells in a segment, a power of two
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares two
  record Cells(byte[] content, long key, long twiceFirsts, long segment, int width) {}

  /**
   * Selects the hashes that might be contained in a table: with m as {@link HashMixing#mix} of
   * {@code hash ^ key}, f as the high 64 bits of {@code (m >>> 1) * twiceFirsts} and s as {@code m
   * * SPREAD}, those of which the cells {@code f}, {@code f + segment ^ (s >>> SECOND & segment -
   * 1)}, {@code f + 2 * segment ^ (s >>> THIRD & segment - 1)} and {@code f + 3 * segment ^ (s >>>
   * FOURTH & segment - 1)}, combined by exclusive or, are the low bits of m.
   *
   * @param queries the same in plain Java
   * @param hits as of {@link PairKernel#select}
   * @return the number of hashes selected
   */
  int select(Batches.Each queries, Cells cells, long[] hashes, int from, int to, int[] hits);

  /** Locates the kernel to be used by the filters of this JVM. */
  static Optional<CellKernel> installed() {
    return Kernels.find(
        "io.bloomery",
        "fuse",
        () -> ServiceLoader.load(CellKernel.class, CellKernel.class.getClassLoader()));
  }
}
