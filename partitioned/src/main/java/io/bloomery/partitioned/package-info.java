/**
 * Two Bloom filters that restrict the positions of a key's bits: {@code PartitionedFilter}, with
 * one bit of each key in every slice of the bit array, and {@code BlockFilter}, with all bits in
 * one block: {@code TwoWordFilter} at high rates, {@code FourWordFilter} at low ones. {@code
 * SliceSizing} and {@code Blocks} compute their sizes.
 */
@NullMarked
package io.bloomery.partitioned;

import org.jspecify.annotations.NullMarked;
