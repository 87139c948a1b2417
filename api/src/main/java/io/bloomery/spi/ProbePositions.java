package io.bloomery.spi;

/**
 * Where the bits of a hash lie in tables of any size, told without the memory for them.
 *
 * <p>A provider may implement this besides {@link io.bloomery.FilterProvider}. The conformance
 * suite then compares what it says with small filters, and tests how evenly positions fall on
 * tables that are too large to build: where an {@code int} overflows, or a remainder prefers low
 * positions, small tables show nothing.
 */
public interface ProbePositions {

  /**
   * Returns the positions that a query for a hash looks at, each from 0 to {@code bits - 1}, one
   * for each probe.
   *
   * @param bits the number of bits that queries look at, as in {@link
   *     io.bloomery.FilterStats#sizeInBits}: that of a filter, or any other multiple of 4,096 for
   *     each probe
   * @param probes how many probes there are, as planned
   */
  long[] positions(long hash, long bits, int probes);
}
