/**
 * A Bloom filter whose keys can be removed and counted. Read {@code Counters} first: how counts are
 * kept. {@code CountingFilter} adds hashes and threads; {@link io.bloomery.internal.BlockSizing}
 * has the formulas.
 */
package io.bloomery.counting;
