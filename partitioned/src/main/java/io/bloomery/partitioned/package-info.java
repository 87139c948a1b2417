/**
 * The Bloom filter with one bit of each key in every slice of its bit array: {@code
 * PartitionedFilter}. {@code SliceSizing} computes its size.
 */
@NullMarked
package io.bloomery.partitioned;

import org.jspecify.annotations.NullMarked;
