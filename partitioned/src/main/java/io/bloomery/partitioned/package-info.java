/**
 * Two Bloom filters whose bits have a place. Read {@code PartitionedFilter}, where each of a key's
 * bits lies in a slice of its own, and {@code SplitBlockFilter}, where all of them lie in one
 * block; {@code SliceSizing} and {@code Blocks} hold their sizes.
 */
package io.bloomery.partitioned;
