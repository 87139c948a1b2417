/**
 * A Bloom filter whose keys can be removed and counted. Read {@code Counters} first: how counts are
 * kept. {@code CountingFilter} adds hashes and threads; {@link io.bloomery.internal.BlockSizing}
 * has the formulas.
 */
@NullMarked
package io.bloomery.counting;

import org.jspecify.annotations.NullMarked;
