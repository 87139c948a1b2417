/**
 * Scalable Bloom filters, which grow by slices: filters of other variants, each larger and with a
 * lower rate than the one before. {@link io.bloomery.scalable.ScalableProvider} has the parameters,
 * {@code SlicePlan} the sizes and rates of the slices, {@code ScalableFilter} the algorithm.
 */
@NullMarked
package io.bloomery.scalable;

import org.jspecify.annotations.NullMarked;
