/**
 * Counting Bloom filters, whose keys can be removed and counted. {@code CounterBlockFilter} has the
 * algorithm, {@code Counters} the representation of counts; {@link
 * io.bloomery.internal.BlockSizing} has the formulas.
 */
@NullMarked
package io.bloomery.counting;

import org.jspecify.annotations.NullMarked;
