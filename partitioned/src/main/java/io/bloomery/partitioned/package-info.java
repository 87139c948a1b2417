/**
 * Two Bloom filters whose bits have a place. Read {@code PartitionedFilter}, where each of a key's
 * bits lies in a slice of its own, and {@code BlockFilter}, where all of them lie in one block:
 * {@code TwoWordFilter} at high rates, {@code FourWordFilter} at low ones. {@code SliceSizing} and
 * {@code Blocks} hold their sizes.
 */
@NullMarked
package io.bloomery.partitioned;

import org.jspecify.annotations.NullMarked;
