/**
 * The Bloom filter with all bits of a key in one block, a cache-sectorized one: {@code
 * BlockFilter}, as {@code TwoWordFilter} at high rates and {@code FourWordFilter} at low ones.
 * {@code Blocks} and {@code TwoWordSizing} compute their sizes.
 */
@NullMarked
package io.bloomery.blocked;

import org.jspecify.annotations.NullMarked;
